"""Verbs: their frames, roles and adjuncts."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from grading.pyramid.amr import vocabulary as say
from grading.pyramid.amr.drafting import SKIPPED, SUBJECTS, Modifiers
from grading.pyramid.structures import Token


class Verbs(Modifiers):
    """The rules for clauses with a full verb."""

    def _verb(self, token: Token) -> int:
        words = [token, *self._children(token, "prt")]
        node = self._inner[token.index] = self._node(self._frame(token), words)
        self._subject_of(token, node)
        for child in self._below[token.index]:
            if child.dep in SUBJECTS or child.dep in SKIPPED or child.dep == "conj":
                continue
            self._argument(token, node, child)
        return node

    def _frame(self, token: Token) -> str:
        if token.lemma == "ought" or (token.lemma == "have" and self._must(token)):
            return "recommend-01" if token.lemma == "ought" else "obligate-01"
        particle = self._child(token, "prt")
        lemma = token.lemma
        if particle is not None:
            both = f"{lemma}-{particle.lemma}"
            return say.PARTICLE_VERBS.get(both, f"{both}-02")
        if lemma in say.LOOKING and self._child(token, "acomp", "oprd") and lemma == "look":
            return "look-02"
        return say.VERBS.get(lemma, f"{lemma}-01")

    def _must(self, token: Token) -> bool:
        """ "has to go", not "has a plan to go"."""
        done = self._child(token, "xcomp")
        return (
            done is not None
            and not self._child(token, "dobj")
            and any(aux.lemma == "to" for aux in self._children(done, "aux"))
        )

    def _is_passive(self, token: Token) -> bool:
        if self._children(token, "auxpass", "nsubjpass"):
            return True
        if token.tag not in {"VBN", "VBD"} or self._children(token, "aux", *SUBJECTS):
            return False
        if token.dep == "conj" and self._head(token).pos == "VERB":
            return self._is_passive(self._head(token))
        return token.tag == "VBN" and token.dep in {"acl", "advcl"}

    def _subject_role(self, token: Token) -> str:
        if self._is_passive(token):
            return (
                "ARG2"
                if token.lemma in say.OBJECT_THEN_ARG2
                and self._child(token, "ccomp", "xcomp")
                and token.lemma in say.TELLING
                else "ARG1"
            )
        undergoes = token.lemma in say.UNACCUSATIVE and token.lemma not in say.AGENTIVE
        return "ARG1" if undergoes and not self._child(token, "dobj", "ccomp") else "ARG0"

    def _subject_of(self, token: Token, node: int) -> None:
        """Its own subject, or the one that it shares with the verb above."""
        own = self._child(token, *SUBJECTS)
        if own is not None:
            if (
                own.lemma in {"that", "which", "who", "whom"}
                and self._antecedent(token) is not None
            ):
                target = self._antecedent(token)
            else:
                target = self._phrase(own)
        elif token.dep == "relcl":
            return
        else:
            target = self._shared_subject(token)
        self._relate(node, self._subject_role(token), target)

    def _antecedent(self, token: Token) -> int | None:
        """The noun that a relative clause with this verb says something of."""
        while token.dep == "conj":
            token = self._head(token)
        if token.dep == "relcl":
            return self._inner.get(token.head)
        return None

    def _shared_subject(self, token: Token, steps: int = 6) -> int | None:
        """The subject of the verb above, for coordination, control and participles."""
        if not steps or token.head == token.index:
            return None
        above = self._head(token)
        if token.dep == "xcomp":
            other = self._child(above, "dobj", "dative")
            if other is not None:
                return self._phrase(other)
        elif token.dep not in {"conj", "advcl", "pcomp"}:
            return None
        if token.dep == "pcomp":
            above = self._head(above)
        subject = self._child(above, *SUBJECTS)
        if subject is None or above.pos not in {"VERB", "AUX", "ADJ", "NOUN"}:
            return self._shared_subject(above, steps - 1)
        if subject.lemma in say.RELATIVE_PRONOUNS and self._antecedent(above) is not None:
            return self._antecedent(above)
        return self._phrase(subject)

    def _argument(self, token: Token, node: int, child: Token) -> None:
        handler = self._HANDLERS.get(child.dep)
        if handler is not None:
            handler(self, token, node, child)
        elif not child.is_punct:
            self._relate(node, "mod", self._phrase(child))

    def _object(self, token: Token, node: int, child: Token) -> None:
        role = "ARG1"
        if token.lemma in say.TELLING and (
            self._child(token, "ccomp", "xcomp") or self._child(token, "dative")
        ):
            role = "ARG1" if self._child(token, "dative") else "ARG2"
        if child.lemma in say.RELATIVE_PRONOUNS and self._antecedent(token) is not None:
            self._relate(node, role, self._antecedent(token))
            return
        self._relate(node, role, self._phrase(child))

    def _receiver(self, token: Token, node: int, child: Token) -> None:
        inside = self._child(child, "pobj") if child.pos == "ADP" else child
        if inside is not None:
            self._relate(node, "ARG2", self._phrase(inside))

    def _agent(self, token: Token, node: int, child: Token) -> None:
        inside = self._child(child, "pobj", "pcomp")
        if inside is not None:
            self._relate(node, "ARG0", self._phrase(inside))

    def _complement(self, token: Token, node: int, child: Token) -> None:
        """What is said, thought, wanted, begun."""
        role = "ARG1"
        if token.lemma == "have" and self._must(token):
            role = "ARG2"
        if (
            child.dep == "xcomp"
            and self._child(token, "dobj")
            and (token.lemma in say.OBJECT_THEN_ARG2)
        ):
            role = "ARG2"
        if token.lemma == "ask" and child.dep == "ccomp":
            role = "ARG1"
        self._relate(node, role, self._phrase(child))

    def _adverbial(self, token: Token, node: int, child: Token) -> None:
        """A clause that says when, why, under which condition."""
        mark = self._child(child, "mark")
        when = self._child(child, "advmod")
        word = mark.lemma if mark else when.lemma if when and when.tag == "WRB" else ""
        inner = self._phrase(child)
        if inner is None:
            return
        if word in say.CAUSAL_MARKS:
            cause = self._node("cause-01", [mark] if mark else [])
            self._relate(cause, "ARG0", inner)
            self._relate(cause, "ARG1", node)
        elif word in say.TIME_AS_CONCEPTS and mark is not None:
            relation = self._node(word, [mark])
            self._relate(relation, "op1", inner)
            self._relate(node, "time", relation)
        elif word in say.CLAUSE_ROLES:
            self._relate(node, say.CLAUSE_ROLES[word], inner)
        elif any(aux.lemma == "to" for aux in self._children(child, "aux")):
            self._relate(node, "purpose", inner)
        elif child.dep == "advcl" and child.tag == "VBG":
            self._relate(node, "manner", inner)
        elif token.lemma in say.SAYING and child.pos in {"VERB", "AUX"} and not mark:
            self._relate(node, "ARG1", inner)
        else:
            self._relate(node, "mod", inner)

    def _prepositional(self, token: Token, node: int, child: Token) -> None:
        inside = self._inside(child)
        antecedent = self._antecedent(token)
        if inside is None:
            further = self._child(child, "prep")
            if further is not None:
                self._prepositional(token, node, further)
            elif child.dep == "prep" and antecedent is not None:
                self._relate(node, self._preposition_role(token, child, None), antecedent)
            else:
                self._relate(node, "direction", self._phrase(child))
            return
        role = self._preposition_role(token, child, inside)
        if inside.lemma in say.RELATIVE_PRONOUNS and antecedent is not None:
            self._relate(node, role, antecedent)
            return
        thing = self._phrase(inside)
        if thing is not None:
            self._by_preposition(node, child, role, thing, inside)

    def _by_preposition(
        self, node: int, preposition: Token, role: str, thing: int, inside: Token
    ) -> None:
        """Relate a verb and the object of its preposition, some through a node of its own."""
        lemma = preposition.lemma
        if lemma == "for" and inside.lemma in {"example", "instance"}:
            self._relate(self._node("exemplify-01", [preposition, inside]), "ARG0", node)
        elif lemma == "like":
            likeness = self._node("resemble-01", [preposition])
            self._relate(likeness, "ARG1", node)
            self._relate(likeness, "ARG2", thing)
        elif lemma == "because":
            cause = self._node("cause-01", [preposition])
            self._relate(cause, "ARG0", thing)
            self._relate(cause, "ARG1", node)
        elif lemma in say.KEPT_PREPOSITIONS.get(role, ()):
            place = self._node(lemma, [preposition])
            self._relate(place, "op1", thing)
            self._relate(node, role, place)
        else:
            if lemma == "without":
                self._attribute(thing, "polarity", "-", [preposition])
            self._relate(node, role, thing)

    def _inside(self, preposition: Token) -> Token | None:
        """The object of a preposition, or of one that it goes together with ("because of")."""
        inside = self._child(preposition, "pobj") or self._child(preposition, "pcomp")
        if inside is not None and inside.pos == "ADP":
            return self._child(inside, "pobj", "pcomp") or inside
        further = self._child(preposition, "prep")
        if (
            inside is None
            and further is not None
            and preposition.lemma in say.COMPOUND_PREPOSITIONS
        ):
            return self._child(further, "pobj", "pcomp")
        return inside

    def _preposition_role(self, token: Token, preposition: Token, inside: Token | None) -> str:
        lemma = preposition.lemma
        known = say.VERB_PREPOSITIONS.get((token.lemma, lemma))
        if known:
            return known
        if inside is not None and inside.lemma in say.TIME_NOUNS:
            return "duration" if lemma == "for" else "time"
        if lemma in say.PLACE_PREPOSITIONS:
            return "location"
        if lemma == "to" and token.pos in {"VERB", "AUX"}:
            return "ARG2"
        if lemma in {"after", "before"}:
            return "time"
        return say.PREPOSITION_ROLES.get(lemma, "mod")

    def _adverb(self, token: Token, node: int, child: Token) -> None:
        lemma = child.lemma
        if child.tag == "WRB" or (lemma in say.QUESTION_WORDS and child.pos in {"ADV", "SCONJ"}):
            self._question_adverb(token, node, child)
            return
        if lemma in {"n't", "not"}:
            self._attribute(node, "polarity", "-", [child])
            return
        if lemma == "never":
            self._attribute(node, "polarity", "-", [child])
            ever = self._node("ever", [child])
            self._relate(node, "time", ever)
            return
        if lemma in say.CAUSAL_ADVERBS or lemma == "however":
            return  # of the whole clause: see _wrapped
        adverb = self._phrase(child)
        if adverb is None:
            return
        concept = self._concepts[adverb]
        if concept in say.ADVERB_FRAMES.values():
            self._relate(adverb, "ARG1", node)
            return
        role = say.ADVERB_ROLES.get(lemma)
        if role is None:
            role = "manner" if lemma.endswith("ly") else "mod"
        self._relate(node, role, adverb)

    def _question_adverb(self, token: Token, node: int, child: Token) -> None:
        if self._asks(token):
            unknown = self._node("amr-unknown", [child])
            if child.lemma == "why":
                cause = self._node("cause-01", [child])
                self._relate(cause, "ARG0", unknown)
                self._relate(cause, "ARG1", node)
            else:
                self._relate(node, say.UNKNOWN_ROLES.get(child.lemma, "mod"), unknown)
            return
        antecedent = self._antecedent(token)
        if antecedent is not None:
            self._relate(node, say.UNKNOWN_ROLES.get(child.lemma, "location"), antecedent)

    def _asks(self, token: Token) -> bool:
        """Is the clause a question, by its own?"""
        return (
            self._tokens[-1].text in {"?", '"', "'"}
            and any(t.text == "?" for t in self._tokens)
            and token.dep in {"ROOT", "ccomp", "conj", "parataxis"}
        )

    def _temporal_noun(self, token: Token, node: int, child: Token) -> None:
        role = "time" if child.lemma in say.TIME_NOUNS else "extent"
        self._relate(node, role, self._phrase(child))

    def _nothing(self, token: Token, node: int, child: Token) -> None:
        """Verbs that say nothing themselves."""

    def _negation(self, token: Token, node: int, child: Token) -> None:
        if child.lemma == "never":
            self._adverb(token, node, child)
        elif (child.lemma == "no" and token.pos in {"NOUN", "PROPN"}) or not self._modal(token):
            self._attribute(node, "polarity", "-", [child])

    def _modal(self, token: Token) -> Token | None:
        return next(
            (
                aux
                for aux in self._children(token, "aux")
                if aux.text.lower() in say.AUXILIARY_MODALS
            ),
            None,
        )

    def _predicative(self, token: Token, node: int, child: Token) -> None:
        """An adjective or noun that a verb gives its subject or object: "made him happy"."""
        inner = self._phrase(child)
        if inner is None:
            return
        other = self._child(token, "dobj") or self._child(token, *SUBJECTS)
        if other is not None:
            described = self._phrase(other)
            if described is not None:
                self._describe(child, inner, described)
        role = "ARG1"
        if token.lemma in {"make", "turn", "become", "call", "name", "consider", "find"}:
            role = "ARG2" if token.lemma != "make" else "ARG1"
        if token.lemma == "make":
            self._relations = [r for r in self._relations if not (r[0] == node and r[1] == "ARG1")]
        elif token.lemma in say.LOOKING and other is not None:
            described = self._phrase(other)
            self._relations = [
                r for r in self._relations if not (r[0] == node and r[2] == described)
            ]
        self._relate(node, role, inner)

    _HANDLERS: ClassVar[Mapping[str, Callable[["Verbs", Token, int, Token], None]]] = {
        "dobj": _object,
        "attr": _predicative,
        "acomp": _predicative,
        "oprd": _predicative,
        "dative": _receiver,
        "agent": _agent,
        "ccomp": _complement,
        "xcomp": _complement,
        "parataxis": _complement,
        "advcl": _adverbial,
        "prep": _prepositional,
        "advmod": _adverb,
        "npadvmod": _temporal_noun,
        "neg": _negation,
        "dep": _nothing,
        "meta": _nothing,
        "conj": _nothing,
        "relcl": _nothing,
    }


# Forms of "be": what they say of their subject is the predicate.


class Copulas(Verbs):
    """The rules for clauses whose verb says nothing itself."""

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
