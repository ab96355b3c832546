"""Forms of "be": what they say of their subject is the predicate."""

from grading.pyramid.amr import vocabulary as say
from grading.pyramid.amr.drafting import SKIPPED, SUBJECTS
from grading.pyramid.amr.verbs import Verbs
from grading.pyramid.structures import Token


class Copulas(Verbs):
    """The rules for clauses whose verb says nothing of its own."""

    def _is_copula(self, token: Token) -> bool:
        return token.lemma == "be" and token.dep not in {"aux", "auxpass"}

    def _copula(self, token: Token) -> int | None:
        subject = self._child(token, *SUBJECTS)
        there = self._child(token, "expl")
        what = self._child(token, "attr", "acomp", "oprd")
        if what is None:
            if subject is None or there is not None:
                return self._mere_being(token, subject)
            return self._being_somehow(token, subject)
        if what.tag in {"WP", "WDT"} and subject is not None:
            return self._what_is(subject, what, token)
        node = self._phrase(what)
        if node is None:
            return self._mere_being(token, subject)
        self._inner[token.index] = inner = self._inner.get(what.index, node)
        if there is None or subject is not None:
            described = self._copula_subject(token, subject)
            if described is not None:
                for word, of_word in self._described_by(what, node, inner):
                    self._describe(word, of_word, described)
        self._rest_of_copula(token, inner, {what.index})
        return node

    def _being_somehow(self, token: Token, subject: Token) -> int | None:
        """The subject is in a place, or what a clause says; or nothing is said of it."""
        place = self._child(token, "prep", "advmod")
        if place is not None and (place.dep == "prep" or place.lemma in {"here", "there", "where"}):
            return self._being_somewhere(token, subject, place)
        clause = self._child(token, "ccomp", "xcomp", "advcl")
        if clause is None:
            return self._mere_being(token, subject)
        node = self._phrase(clause)
        if node is not None:
            self._relate(node, "domain", self._phrase(subject))
            self._inner[token.index] = node
            self._rest_of_copula(token, node, {clause.index})
        return node

    def _described_by(self, what: Token, node: int, inner: int) -> list[tuple[Token, int]]:
        if node == inner:
            return [(what, node)]
        return [
            (member, self._inner[member.index])
            for member in [what, *self._conjuncts(what)]
            if member.index in self._inner
        ]

    def _copula_subject(self, token: Token, subject: Token | None) -> int | None:
        if subject is None:
            return self._shared_subject(token) if token.dep != "relcl" else self._antecedent(token)
        if subject.lemma in say.RELATIVE_PRONOUNS and self._antecedent(token) is not None:
            return self._antecedent(token)
        if subject.lemma == "it" and self._child(token, "xcomp", "ccomp", "advcl"):
            extra = self._child(token, "xcomp", "ccomp", "advcl")
            if extra is not None and extra.pos in {"VERB", "AUX"}:
                return self._phrase(extra)
        return self._phrase(subject)

    def _what_is(self, subject: Token, what: Token, token: Token) -> int | None:
        node = self._phrase(subject)
        if node is None:
            return None
        unknown = self._node("amr-unknown", [what])
        self._inner[token.index] = unknown
        self._relate(unknown, "domain", node)
        return unknown

    def _mere_being(self, token: Token, subject: Token | None) -> int | None:
        """Nothing is said of the subject but that it is."""
        node = self._phrase(subject) if subject is not None else None
        if node is None:
            node = next(
                (
                    made
                    for child in self._below[token.index]
                    if child.dep not in SKIPPED and (made := self._phrase(child)) is not None
                ),
                None,
            )
            if node is None:
                return None
        self._inner[token.index] = node
        self._rest_of_copula(token, node, set())
        return node

    def _being_somewhere(self, token: Token, subject: Token, place: Token) -> int:
        thing = self._copula_subject(token, subject)
        inside = self._child(place, "pobj", "pcomp")
        if place.lemma in {"of", "like", "about", "for", "without", "with"} and inside is not None:
            node = self._phrase(inside)
            if node is not None:
                if place.lemma == "like":
                    likeness = self._node("resemble-01", [place])
                    self._relate(likeness, "ARG1", thing)
                    self._relate(likeness, "ARG2", node)
                    node = likeness
                else:
                    self._relate(node, "domain", thing)
                self._inner[token.index] = node
                self._rest_of_copula(token, node, {place.index})
                return node
        node = self._node("be-located-at-91", [token])
        self._inner[token.index] = node
        self._relate(node, "ARG1", thing)
        where = self._phrase(place)
        if place.lemma == "where" and self._asks(token):
            where = self._node("amr-unknown", [place])
        self._relate(node, "ARG2", where)
        self._rest_of_copula(token, node, {place.index})
        return node

    def _rest_of_copula(self, token: Token, node: int, done: set[int]) -> None:
        for child in self._below[token.index]:
            if child.index in done or child.dep in SUBJECTS or child.dep in SKIPPED:
                continue
            if child.dep == "conj":
                continue
            if child.dep in {"xcomp", "ccomp"}:
                self._phrase(child)
                if child.dep == "ccomp" and self._outer.get(child.index) is not None:
                    self._relate(node, "ARG1", self._outer[child.index])
                continue
            self._argument(token, node, child)
