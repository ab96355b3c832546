"""Adjectives and adverbs: what they become, and how they attach to what they describe."""

from grading.pyramid.amr import vocabulary as say
from grading.pyramid.amr.drafting import SUBJECTS, Draft
from grading.pyramid.structures import Token


def is_frame(concept: str) -> bool:
    """Does it end in the number of a sense?"""
    return concept[-3:-2] == "-" and concept[-2:].isdigit()


class Modifiers(Draft):
    """The rules for words that describe others."""

    def _adjective(self, token: Token) -> int:
        concept = self._adjective_concept(token)
        node = self._inner[token.index] = self._node(concept, [token])
        self._degree_of(token, node)
        for child in self._below[token.index]:
            if child.dep in SUBJECTS:  # "makes people ill"
                described = self._phrase(child)
                if described is not None:
                    self._describe(token, node, described)
            elif child.dep == "prep":
                self._adjective_preposition(node, child)
            elif child.dep in {"xcomp", "ccomp", "advcl"}:
                self._adjective_clause(node, child)
            elif child.dep == "advmod":
                self._adjective_adverb(node, child)
            elif child.dep == "neg":
                self._attribute(node, "polarity", "-", [child])
            elif child.dep == "npadvmod":
                self._relate(node, "extent", self._phrase(child))
        return node

    def _adjective_concept(self, token: Token) -> str:
        lemma = token.lemma
        if lemma in say.ADJECTIVE_FRAMES:
            return say.ADJECTIVE_FRAMES[lemma][0]
        if token.tag in {"VBN", "VBG"} or token.pos == "VERB":
            return say.VERBS.get(lemma, f"{lemma}-01")
        return say.ADJECTIVES.get(lemma, lemma)

    def _degree_of(self, token: Token, node: int) -> None:
        if token.tag in {"JJR", "RBR"} and token.lemma not in {"more", "less"}:
            self._relate(node, "degree", self._node("more", [token]))
        elif token.tag in {"JJS", "RBS"} and token.lemma not in {"most", "least"}:
            self._relate(node, "degree", self._node("most", [token]))

    def _adjective_preposition(self, node: int, child: Token) -> None:
        inside = self._child(child, "pobj", "pcomp")
        thing = self._phrase(inside) if inside is not None else None
        if child.lemma == "than":
            self._relate(node, "compared-to", thing)
        elif is_frame(self._concepts[node]):
            self._relate(node, "ARG2", thing)
        else:
            role = say.PREPOSITION_ROLES.get(child.lemma, "location")
            self._relate(node, "topic" if role == "mod" else role, thing)

    def _adjective_clause(self, node: int, child: Token) -> None:
        inner = self._phrase(child)
        if self._concepts[node] == "possible-01":
            self._relate(node, "ARG1", inner)
        elif is_frame(self._concepts[node]):
            self._relate(node, "ARG2" if child.dep != "advcl" else "ARG1", inner)
        else:
            self._relate(node, "topic", inner)

    def _adjective_adverb(self, node: int, child: Token) -> None:
        if child.lemma == "how" and any(t.text == "?" for t in self._tokens):
            self._relate(node, "degree", self._node("amr-unknown", [child]))
            return
        adverb = self._phrase(child)
        if adverb is None:
            return
        role = say.ADVERB_ROLES.get(child.lemma, "degree")
        if self._concepts[adverb] in say.ADVERB_FRAMES.values():
            self._relate(adverb, "ARG1", node)
        else:
            self._relate(node, role, adverb)

    def _adverb_node(self, token: Token) -> int | None:
        lemma = token.lemma
        if lemma in {"n't", "not"}:
            return None
        if token.tag == "WRB":
            return (
                self._node("amr-unknown", [token])
                if any(t.text == "?" for t in self._tokens)
                else None
            )
        concept = say.ADVERB_FRAMES.get(lemma) or self._adjective_of(lemma)
        node = self._inner[token.index] = self._node(concept, [token])
        self._degree_of(token, node)
        for child in self._below[token.index]:
            if child.dep == "advmod":
                self._adjective_adverb(node, child)
            elif child.dep == "prep":
                self._adjective_preposition(node, child)
            elif child.dep == "npadvmod":
                self._relate(node, "op1", self._phrase(child))
        return node

    def _adjective_of(self, lemma: str) -> str:
        """The adjective that an adverb was made of."""
        if lemma in say.IRREGULAR_ADVERBS:
            return say.IRREGULAR_ADVERBS[lemma]
        if not lemma.endswith("ly") or lemma in say.DERIVED_ADVERB_EXCEPTIONS or len(lemma) < 5:
            return lemma
        stem = lemma[:-2]
        if stem.endswith("i"):
            stem = stem[:-1] + "y"
        elif stem.endswith(("b", "tt")):
            stem += "le"
        elif stem.endswith("ical") and stem[:-2] in {"scientific", "specific", "magnetic"}:
            stem = stem[:-2]
        return say.ADJECTIVES.get(stem, stem)

    def _describe(self, word: Token, node: int, described: int) -> None:
        """Say of a node what an adjective, or a noun, says."""
        lemma = word.lemma
        concept = self._concepts[node]
        if lemma in say.ADJECTIVE_FRAMES and concept == say.ADJECTIVE_FRAMES[lemma][0]:
            self._relate(node, say.ADJECTIVE_FRAMES[lemma][1], described)
        elif is_frame(concept) and word.tag != "VBG":
            self._relate(node, "ARG1", described)
        elif is_frame(concept):
            self._relate(node, "ARG0", described)
        else:
            self._relate(node, "domain", described)
