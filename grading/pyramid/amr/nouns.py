"""Nouns, names, pronouns and numbers, with what depends on them."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from grading.pyramid.amr import vocabulary as say
from grading.pyramid.amr.drafting import SUBJECTS, is_frame
from grading.pyramid.amr.verbs import Copulas
from grading.pyramid.structures import Token

# What kind of thing a name names: a short list, and what names themselves give away.

_ENDINGS = {
    "inc": "company",
    "inc.": "company",
    "corp": "company",
    "corp.": "company",
    "ltd": "company",
    "company": "company",
    "university": "university",
    "college": "university",
    "school": "school",
    "river": "river",
    "ocean": "ocean",
    "sea": "sea",
    "lake": "lake",
    "mountains": "mountain",
    "island": "island",
    "desert": "desert",
    "street": "road",
    "war": "war",
    "party": "political-party",
    "house": "building",
    "court": "government-organization",
    "congress": "government-organization",
    "parliament": "government-organization",
    "committee": "organization",
    "association": "organization",
    "institute": "organization",
    "times": "newspaper",
    "post": "newspaper",
}


def entity_type(parts: Sequence[str]) -> str:
    """The concept of a name's bearer; a person where nothing says otherwise."""
    whole = " ".join(parts).lower()
    last = parts[-1].lower()
    if last in say.PLANETS:
        return "planet"
    if last in say.CONTINENTS or whole.endswith(" america"):
        return "continent"
    if last in say.COUNTRIES:
        return "country"
    if last in _ENDINGS:
        return _ENDINGS[last]
    if len(parts) == 1 and parts[0].isupper() and len(parts[0]) > 1:
        return "organization"
    return "person"


# Numbers in words or digits.

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")


def number_of(words: str) -> str | None:
    """The number that they say, in digits; None if they say none that is understood."""
    total = current = 0.0
    has_number = False
    for word in words.lower().replace("-", " ").split():
        if word == "and" or not word:
            continue
        if _DIGITS.fullmatch(word):
            current += float(word.replace(",", ""))
        elif word in say.NUMBERS:
            current += say.NUMBERS[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word.rstrip("s") in say.SCALES:
            total += max(current, 1) * say.SCALES[word.rstrip("s")]
            current = 0
        else:
            return None
        has_number = True
    total += current
    if not has_number:
        return None
    return str(int(total)) if total == int(total) else str(total)


class Nouns(Copulas):
    """The rules for noun phrases."""

    def _noun(self, token: Token) -> int | None:
        lemma = token.lemma
        if (token.tag in {"PRP", "PRP$"} and lemma in say.PRONOUNS) or (
            token.text.lower() in say.PRONOUNS and token.pos == "PRON"
        ):
            return self._pronoun(token)
        if token.tag in {"WP", "WDT", "WP$"}:
            return self._question_pronoun(token)
        held = self._contents(token)
        if held is not None:
            node: int | None = held
        elif token.pos == "PROPN" and self._is_name(token):
            node = self._name(token)
        elif token.pos == "NUM" or token.tag == "CD":
            node = self._number_node(token)
        else:
            node = self._common_noun(token)
        if node is not None:
            self._inner.setdefault(token.index, node)
            self._modifiers(token, self._inner[token.index])
        return node

    def _pronoun(self, token: Token) -> int:
        word = say.PRONOUNS.get(token.text.lower(), token.lemma)
        if token.text.lower().endswith(("self", "selves")):
            verb = self._head(token)
            while verb.pos not in {"VERB", "AUX"} and verb.head != verb.index:
                verb = self._head(verb)
            subject = self._child(verb, "nsubj")
            node = self._phrase(subject) if subject is not None else None
            if node is None:
                node = self._shared_subject(verb)
            if node is not None:
                self._inner[token.index] = node
                return node
        owner = self._owner(token, word)
        node = self._pronoun_node(word, [token]) if owner is None else owner
        self._inner[token.index] = node
        for child in self._below[token.index]:
            if child.dep in {"relcl", "acl"}:
                self._relative(token, node, child)
        return node

    def _owner(self, token: Token, word: str) -> int | None:
        """Whom "his", "her", "its" or "their" most probably means: the clause's own subject."""
        if token.dep != "poss" or word not in {"he", "she", "it", "they"}:
            return None
        verb = self._head(token)
        while verb.pos not in {"VERB", "AUX"}:
            if verb.dep in SUBJECTS or verb.head == verb.index:
                return None
            verb = self._head(verb)
        subject = self._child(verb, "nsubj", "nsubjpass")
        if subject is None or subject.pos not in {"NOUN", "PROPN"}:
            return None
        several = subject.tag in {"NNS", "NNPS"} or bool(self._children(subject, "conj"))
        return self._phrase(subject) if several == (word == "they") else None

    def _pronoun_node(self, word: str, tokens: Sequence[Token]) -> int:
        if word not in self._pronouns:
            self._pronouns[word] = self._node(word, tokens)
        return self._pronouns[word]

    def _question_pronoun(self, token: Token) -> int | None:
        antecedent = None
        verb = self._head(token)
        while verb.dep not in {"relcl", "ROOT", "ccomp"} and verb.head != verb.index:
            verb = self._head(verb)
        if verb.dep == "relcl":
            antecedent = self._inner.get(verb.head)
        if antecedent is not None:
            return antecedent
        asks = any(t.text == "?" for t in self._tokens)
        node = self._node(
            "amr-unknown" if asks else "person" if token.lemma.startswith("who") else "thing",
            [token],
        )
        self._inner[token.index] = node
        return node

    def _contents(self, token: Token) -> int | None:
        """What a kind or a number of things is of; the kind becomes a ``mod`` of it."""
        if token.lemma not in say.CONTAINERS:
            return None
        of = next((p for p in self._children(token, "prep") if p.lemma == "of"), None)
        inside = self._child(of, "pobj") if of is not None else None
        node = self._phrase(inside) if inside is not None else None
        if node is None:
            return None
        self._relate(node, "mod", self._node(token.lemma, [token]))
        self._inner[token.index] = node
        return node

    def _is_name(self, token: Token) -> bool:
        """Capitals may be those of a sentence's start, and of nothing else the parser guesses."""
        if token.text.islower():
            return False
        return token.text.lower() not in self._common

    def _name(self, token: Token) -> int:
        parts = [
            *(t for t in self._children(token, "compound", "nmod") if t.pos == "PROPN"),
            token,
        ]
        parts.sort(key=lambda part: part.index)
        node = self._node(entity_type([part.text for part in parts]), parts)
        name = self._node("name", parts)
        self._relate(node, "name", name)
        for number, part in enumerate(parts, 1):
            self._inner[part.index] = node
            self._attribute(name, f"op{number}", part.text, [part])
        return node

    def _number_node(self, token: Token) -> int:
        value = number_of(token.text)
        if token.text.lower() == "one" or value is None:
            node = self._node("one" if value else token.lemma, [token])
        else:
            node = self._node("thing", [token])
            self._attribute(node, "quant", value, [token])
        return node

    def _common_noun(self, token: Token) -> int:
        lemma = token.lemma
        numeral = self._child(token, "nummod")
        if lemma in say.TIME_UNITS and numeral is not None:
            node = self._node("temporal-quantity", [token])
            self._relate(node, "unit", self._node(lemma, [token]))
        elif lemma in say.DAYPERIODS and self._is_time(token):
            node = self._node("date-entity", [token])
            self._relate(node, "dayperiod", self._node(lemma, [token]))
        elif lemma in say.EVENT_NOUNS:
            node = self._node(say.EVENT_NOUNS[lemma][0], [token])
        elif lemma in say.THING_NOUNS:
            frame, role = say.THING_NOUNS[lemma]
            node = self._node("thing", [token])
            event = self._node(frame, [token])
            self._relate(event, role, node)
        elif lemma in say.AGENTS:
            node = self._node("person", [token])
            self._relate(self._node(say.AGENTS[lemma], [token]), "ARG0", node)
        elif lemma in say.RELATIVES and self._child(token, "poss"):
            node = self._node("person", [token])
            role_node = self._node("have-rel-role-91", [token])
            self._relate(role_node, "ARG0", node)
            self._relate(role_node, "ARG2", self._node(lemma, [token]))
        else:
            node = self._node("person" if lemma == "people" else lemma.lower(), [token])
        self._inner[token.index] = node
        return node

    def _is_time(self, token: Token) -> bool:
        return token.dep == "npadvmod" or (
            token.dep == "pobj" and self._head(token).lemma in {"at", "in", "on"}
        )

    def _modifiers(self, token: Token, node: int) -> None:
        for child in self._below[token.index]:
            if child.dep in {"advmod", "neg"}:
                self._argument(token, node, child)
            handler = self._NOUN_HANDLERS.get(child.dep)
            if handler is not None:
                handler(self, token, node, child)

    def _determiner(self, token: Token, node: int, child: Token) -> None:
        lemma = child.lemma
        if lemma in {"this", "that", "these", "those"}:
            word = {"these": "this", "those": "that"}.get(lemma, lemma)
            self._relate(node, "mod", self._node(word, [child]))
        elif lemma in {"all", "some", "every", "each", "any", "both", "such", "another", "half"}:
            self._relate(node, "mod", self._node(lemma, [child]))
        elif lemma == "no":
            self._attribute(node, "polarity", "-", [child])
        elif lemma in {"what", "which"} and any(t.text == "?" for t in self._tokens):
            self._relate(node, "mod", self._node("amr-unknown", [child]))

    def _attributive(self, token: Token, node: int, child: Token) -> None:
        lemma = child.lemma
        if lemma in say.ORDINALS:
            ordinal = self._node("ordinal-entity", [child])
            self._attribute(ordinal, "value", say.ORDINALS[lemma], [child])
            self._relate(node, "ord", ordinal)
            return
        inner = self._phrase(child)
        if inner is None:
            return
        for member in [child, *self._conjuncts(child)]:
            made = self._inner.get(member.index)
            if made is not None:
                self._modify(member, made, node)

    def _modify(self, word: Token, made: int, node: int) -> None:
        if word.lemma in say.QUANTITIES:
            self._relate(node, "quant", made)
        elif is_frame(self._concepts[made]):
            self._describe(word, made, node)
        else:
            self._relate(node, "mod", made)

    def _compound(self, token: Token, node: int, child: Token) -> None:
        if child.index in self._inner:
            return
        self._relate(node, "mod", self._phrase(child))

    def _number(self, token: Token, node: int, child: Token) -> None:
        value = number_of(
            "".join(
                t.text + " "
                for t in sorted(self._subtree(child), key=lambda t: t.index)
                if t.pos == "NUM" or t.tag == "CD" or t.text == "-"
            )
        )
        if value is None:
            self._relate(node, "quant", self._node(child.lemma, [child]))
        else:
            words = [t for t in self._subtree(child) if t.pos == "NUM" or t.tag == "CD"]
            self._attribute(node, "quant", value, words)

    def _possessive(self, token: Token, node: int, child: Token) -> None:
        owner = self._phrase(child)
        if token.lemma in say.PARTS:
            self._relate(owner, "part", node)
        elif token.lemma in say.EVENT_NOUNS:
            self._relate(node, "ARG0", owner)
        elif token.lemma in say.RELATIVES:
            role = next((s for s, r, t in self._relations if r == "ARG0" and t == node), None)
            self._relate(role, "ARG1", owner)
        else:
            self._relate(node, "poss", owner)

    def _noun_preposition(self, token: Token, node: int, child: Token) -> None:
        inside = self._child(child, "pobj", "pcomp")
        if inside is None:
            return
        thing = self._phrase(inside)
        lemma = child.lemma
        if thing is None or thing == node:
            return
        if token.lemma in say.EVENT_NOUNS and lemma == "of":
            self._relate(node, say.EVENT_NOUNS[token.lemma][1], thing)
        elif lemma == "of" and token.lemma in say.PARTS:
            self._relate(thing, "part", node)
        elif lemma == "of":
            role = "mod" if token.lemma in say.CONTAINERS else "poss"
            self._relate(node, role, thing)
        elif lemma == "with":
            self._relate(node, "mod", thing)
        elif lemma in say.PLACES_AS_CONCEPTS:
            place = self._node(lemma, [child])
            self._relate(place, "op1", thing)
            self._relate(node, "location", place)
        elif lemma in say.PLACE_PREPOSITIONS:
            role = "time" if inside.lemma in say.TIME_NOUNS else "location"
            self._relate(node, role, thing)
        elif lemma == "like":
            likeness = self._node("resemble-01", [child])
            self._relate(likeness, "ARG1", node)
            self._relate(likeness, "ARG2", thing)
        else:
            self._relate(node, say.NOUN_PREPOSITION_ROLES.get(lemma, "mod"), thing)

    def _relative(self, token: Token, node: int, child: Token) -> None:
        """A clause that says something of the noun: the noun is one of its arguments."""
        self._inner.setdefault(token.index, node)
        self._phrase(child)
        for verb in [child, *self._conjuncts(child)]:
            made = self._inner.get(verb.index)
            if made is None or made == node:
                continue
            if any({s, t} == {made, node} for s, _, t in self._relations):
                continue
            self._relate(made, self._gap_role(verb, child.dep), node)

    def _gap_role(self, verb: Token, dep: str) -> str:
        """The role of the noun in a clause that does not name it."""
        if dep == "acl" and any(aux.lemma == "to" for aux in self._children(verb, "aux")):
            return "purpose-of"
        if self._is_copula(verb):
            return "location"
        if dep == "acl" and verb.tag == "VBG":
            return self._subject_role(verb)
        has_object = self._child(verb, "dobj") is not None
        if not has_object or (dep == "acl" and verb.tag == "VBN"):
            return "ARG1"
        return "ARG2" if dep == "relcl" else "ARG0"

    def _apposition(self, token: Token, node: int, child: Token) -> None:
        self._relate(node, "mod", self._phrase(child))

    _NOUN_HANDLERS: ClassVar[Mapping[str, Callable[["Nouns", Token, int, Token], None]]] = {
        "det": _determiner,
        "predet": _determiner,
        "amod": _attributive,
        "compound": _compound,
        "nmod": _compound,
        "nummod": _number,
        "poss": _possessive,
        "prep": _noun_preposition,
        "relcl": _relative,
        "acl": _relative,
        "appos": _apposition,
    }
