"""What is compared by "than": a quality, and the two sides."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from grading.pyramid.contradictions.denials import Predicate
from grading.pyramid.contradictions.tree import SUBJECTS, Tree
from grading.pyramid.contradictions.vocabulary import PRO_FORMS

_FAR = 8  # words between the quality and "than"
_CLAUSES = frozenset(("relcl", "advcl", "acl", "ccomp", "appos"))
_NAMING = ("NOUN", "PROPN", "ADJ", "NUM", "VERB")


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left`` has more of the ``quality`` than ``right``; ``sign`` -1 denies it, 0 is open.

    ``degree`` is the word that compares ("more", "hotter", "less"), ``clause`` its verb.
    """

    quality: int
    degree: int
    clause: int
    left: frozenset[int]
    right: frozenset[int]
    sign: int

    def within(self, content: Collection[int]) -> "Comparison":
        """Only words that differ between the sides, and are among these."""
        left, right = self.left & frozenset(content), self.right & frozenset(content)
        return replace(self, left=left, right=right)


def comparisons_of(tree: Tree, predicates: Mapping[int, Predicate]) -> Iterator[Comparison]:
    """Comparisons of a sentence, in its order."""
    places = [place for place, word in enumerate(tree.words) if word in ("than", "as")]
    for than in places:
        degree = _degree(tree, than)
        clause = None if degree is None else _clause(tree, degree, predicates)
        if degree is not None and clause is not None:
            yield from _comparison(tree, than, degree, clause, predicates[clause].sign)


def _comparison(tree: Tree, than: int, degree: int, clause: int, sign: int) -> Iterator[Comparison]:
    left, right = _sides(tree, than, clause)
    quality = _quality(tree, degree)
    if tree.words[than] == "as":
        if sign >= 0:
            return  # "as hot as" says that neither has more
        left, right, sign = right, left, 1
    elif tree.words[degree] in ("less", "fewer") and quality != degree:
        left, right = right, left
    if left and right:
        yield Comparison(quality, degree, clause, left, right, sign)


def _clause(tree: Tree, degree: int, predicates: Mapping[int, Predicate]) -> int | None:
    """The verb of the clause that compares."""
    place = degree
    while place not in predicates or tree.tokens[place].pos not in ("VERB", "AUX"):
        if tree.head(place) == place:
            return place if place in predicates else None
        place = tree.head(place)
    return place


def _degree(tree: Tree, than: int) -> int | None:
    """The word that compares, before "than"."""
    for place in range(than - 1, max(than - 1 - _FAR, -1), -1):
        if tree.words[than] == "as":
            if tree.words[place] == "as":
                return place
        elif tree.tokens[place].tag in ("JJR", "RBR"):
            return place
    return None


def _quality(tree: Tree, degree: int) -> int:
    """The adjective or adverb after "more", "less" or "as", if there is one."""
    head = tree.head(degree)
    follows = head > degree and tree.tokens[head].pos in ("ADJ", "ADV", "NOUN")
    return head if tree.words[degree] in ("more", "less", "fewer", "as") and follows else degree


def _sides(tree: Tree, than: int, clause: int) -> tuple[frozenset[int], frozenset[int]]:
    """What differs between the sides."""
    right = _right(tree, than)
    left = _left(tree, clause, than)
    # "Rich neighbourhoods … poor ones": the noun is on both sides, so it tells nothing.
    if any(tree.words[place] in PRO_FORMS for place in right):
        left -= {place for place in left if tree.dep(place) in SUBJECTS}
    shared = {tree.lemma(place) for place in left} & {tree.lemma(place) for place in right}
    different = (
        frozenset(place for place in left if tree.lemma(place) not in shared),
        frozenset(place for place in right if tree.lemma(place) not in shared),
    )
    if all(any(tree.tokens[p].pos in _NAMING for p in side) for side in different):
        return different
    # "The land around a city … the city": what is compared are the heads.
    return frozenset(subjects_of(tree, clause)), frozenset(tree.children[than])


def _right(tree: Tree, than: int) -> frozenset[int]:
    head = tree.head(than)
    if tree.dep(than) in ("mark", "advmod") and head > than:
        subjects = list(tree.with_dep(head, SUBJECTS))
        roots = subjects or [head]
    else:
        roots = [child for child in tree.children[than] if child > than]
    return frozenset(p for root in roots for p in tree.subtree(root, _CLAUSES) if p > than)


def _left(tree: Tree, clause: int, than: int) -> frozenset[int]:
    """The subject, and what stands in the clause with a preposition before "than"."""
    subjects = list(subjects_of(tree, clause))
    if any(_is_pronoun(tree, subject) for subject in subjects) and tree.head(clause) != clause:
        subjects += subjects_of(tree, tree.head(clause))
    phrases = [child for child in tree.with_dep(clause, frozenset(("prep",))) if child < than]
    return frozenset(
        p for root in (*subjects, *phrases) for p in tree.subtree(root, _CLAUSES) if p < than
    )


def _is_pronoun(tree: Tree, noun: int) -> bool:
    """ "They", or "their streets": its noun is probably the subject of the clause above."""
    return tree.tokens[noun].pos == "PRON" or any(
        tree.tokens[child].tag == "PRP$" for child in tree.children[noun]
    )


def subjects_of(tree: Tree, clause: int) -> Iterator[int]:
    """The subject of a clause; where it has none, that of the clause it depends on."""
    place = clause
    while True:
        subjects = list(tree.with_dep(place, SUBJECTS))
        if subjects and tree.tokens[subjects[0]].tag in ("WDT", "WP"):
            yield tree.head(place)  # "soldiers who built"
            return
        if subjects or tree.head(place) == place or tree.dep(place) not in ("xcomp", "conj"):
            yield from subjects
            return
        place = tree.head(place)
