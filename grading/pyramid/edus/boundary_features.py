"""What the segmenter looks at before each word: windows, constituents, and then its neighbours."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from grading.pyramid.structures import Token

# A parsed sentence as the segmenter looks at it: constituents by where they begin and end.

SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
_VERBS = ("VERB", "AUX")
_MARKS = frozenset(",.;:-\u2013\u2014()[]\"'?!/")
_FINITE = ("VBZ", "VBD", "VBP", "MD")
_MOST_STEPS = 40  # up a tree: deeper ones are no English, and would take quadratic time
_NOTHING = "_"


def _shape(word: str) -> str:
    """“C” for a word with a capital, “A” for capitals, “X” for a mixture, “c” for small letters."""
    if word.isupper() and len(word) > 1:
        return "A"
    if word[:1].isupper():
        return "C" if len(word) == 1 or word[1:].islower() else "X"
    if word[:1].isdigit():
        return "9"
    return "c" if word[:1].isalpha() else word[:1]


class Tree:
    """The words of a sentence with what the parse says of them, each list by their index.

    ``first`` and ``last`` are the ends of the constituent that a word heads; ``opening`` is the
    head of the largest constituent that begins with a word, ``closing`` of those that end with it,
    the largest first; ``verbs`` counts the verbs before a word.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.size = len(tokens)
        self.words = [token.text.lower() for token in tokens]
        self.shapes = [_shape(token.text) for token in tokens]
        self.lemmas = [token.lemma for token in tokens]
        self.poses = [token.pos for token in tokens]
        self.tags = [token.tag for token in tokens]
        self.deps = [token.dep for token in tokens]
        self.heads = [token.head for token in tokens]
        self.children: list[list[int]] = [[] for _ in tokens]
        for index, head in enumerate(self.heads):
            if head != index:
                self.children[head].append(index)
        self.verbs = [0, *accumulate(pos in _VERBS for pos in self.poses)]
        self._span_constituents()
        self._count_marks()

    def _span_constituents(self) -> None:
        order = [index for index, head in enumerate(self.heads) if head == index]
        depths = [0] * self.size
        for index in order:  # it grows while it is read: each word comes after its head
            for child in self.children[index]:
                depths[child] = depths[index] + 1
            order.extend(self.children[index])
        self.first, self.last = list(range(self.size)), list(range(self.size))
        for index in reversed(order):
            head = self.heads[index]
            self.first[head] = min(self.first[head], self.first[index])
            self.last[head] = max(self.last[head], self.last[index])
        self.opening: list[int | None] = [None] * self.size
        self.closing: list[list[int]] = [[] for _ in self.words]
        for index in sorted(range(self.size), key=lambda index: depths[index]):
            if self.opening[self.first[index]] is None:
                self.opening[self.first[index]] = index
            self.closing[self.last[index]].append(index)

    def _count_marks(self) -> None:
        """How far marks are, how deep brackets, whether a quotation is open, arcs over a place."""
        self.since_mark, self.brackets, self.quoted = [], [], []
        last, depth, is_quoted = -1, 0, False
        for index, word in enumerate(self.words):
            depth = max(0, depth - (word in ")]"))
            self.since_mark.append(index - last)
            self.brackets.append(depth)
            self.quoted.append(is_quoted)
            last = index if word in _MARKS else last
            depth += word in "(["
            is_quoted ^= word == '"' or word in "\u201c\u201d"
        self.until_mark, following = [0] * self.size, self.size
        for index in range(self.size - 1, -1, -1):
            following = index if self.words[index] in _MARKS else following
            self.until_mark[index] = following - index
        steps = [0] * (self.size + 1)
        for index, head in enumerate(self.heads):
            steps[min(index, head) + 1] += 1
            steps[max(index, head) + 1] -= 1
        self.arcs_over = list(accumulate(steps))

    def is_mark(self, index: int) -> bool:
        return self.words[index] in _MARKS

    def child_deps(self, index: int) -> set[str]:
        return {self.deps[child] for child in self.children[index]}

    def has_subject(self, index: int) -> bool:
        return not SUBJECTS.isdisjoint(self.child_deps(index))

    def is_finite(self, index: int) -> bool:
        return self.tags[index] in _FINITE or any(
            self.tags[child] in _FINITE and self.deps[child] in {"aux", "auxpass"}
            for child in self.children[index]
        )

    def is_infinitive(self, index: int) -> bool:
        return any(
            self.tags[child] == "TO" and self.deps[child] == "aux" for child in self.children[index]
        )

    def marker(self, index: int) -> str:
        """The word that marks a clause: “because”, “that”."""
        marks = (self.words[child] for child in self.children[index] if self.deps[child] == "mark")
        return next(marks, _NOTHING)

    def subject(self, index: int) -> str:
        """The subject of a verb, if it is one word of those that stand for a clause or place."""
        subjects = (
            self.words[child] for child in self.children[index] if self.deps[child] in SUBJECTS
        )
        return next((word for word in subjects if word in {"it", "there", "this"}), _NOTHING)

    def fork(self, index: int) -> tuple[int, int | None, int | None, int, int]:
        """Where the paths of a word and the one before it meet.

        The word where they meet, its children on both paths (None: it is the word itself), and the
        lengths of the paths.
        """
        left, right = [index - 1], [index]
        while len(left) < _MOST_STEPS and self.heads[left[-1]] != left[-1]:
            left.append(self.heads[left[-1]])
        places = {node: place for place, node in enumerate(left)}
        while len(right) < _MOST_STEPS and right[-1] not in places:
            if self.heads[right[-1]] == right[-1]:
                break
            right.append(self.heads[right[-1]])
        place = places.get(right[-1], len(left) - 1)
        on_left = left[place - 1] if place else None
        on_right = right[-2] if len(right) > 1 else None
        return right[-1], on_left, on_right, place, len(right) - 1


# What the segmenter looks at before each word: windows, constituents, and then its neighbours.
#
# After Soricut and Marcu (2003), who looked at the lowest node above two words, and Feng and Hirst
# (2014), whose second pass sees what the first found around. A feature is a string; all are on or
# off. The first word of a sentence always begins an EDU, and has none.

Features = list[str]

_OUTSIDE = "_"
_CUTS = (1, 2, 3, 4, 5, 7, 10, 15, 25)
_LENGTHS = (3, 6, 10, 15, 20, 30, 40, 60)
_LIKELY = (0.03, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 0.97)
_BOUNDARY = 0.5
_MAYBE = 0.3
_NEAR = 30  # words on each side whose arcs are counted
_COMPLEMENTS = ("dobj", "attr", "prep", "ccomp", "xcomp", "acomp")


def first_pass(tree: Tree) -> list[Features]:
    """The features of each word but the first."""
    return [
        [
            *_window(tree, at),
            *_opening(tree, at),
            *_closing(tree, at),
            *_fork(tree, at),
            *_place(tree, at),
            *_capitals(tree, at),
        ]
        for at in range(1, tree.size)
    ]


def second_pass(tree: Tree, probabilities: Sequence[float]) -> list[Features]:
    """What the first pass found around each word but the first, by its probabilities for them."""
    likelihoods = [1.0, *probabilities]
    boundaries = [at for at, likely in enumerate(likelihoods) if likely >= _BOUNDARY] + [tree.size]
    features = []
    for at in range(1, tree.size):
        place = bisect_left(boundaries, at)
        before = boundaries[place - 1]
        after = boundaries[place + (boundaries[place] == at)]
        features.append(
            [
                *_neighbours(tree, likelihoods, at, before, after),
                *_unit_before(tree, likelihoods, at, after),
                *_arcs(tree, likelihoods, at, before),
                *_unit_here(tree, likelihoods, at, after),
                *_coordination(tree, likelihoods, at),
            ]
        )
    return features


def _step(number: int, cuts: Sequence[int] = _CUTS) -> int:
    return bisect_left(cuts, number)


def _likely(probability: float) -> int:
    return bisect_left(_LIKELY, probability)


def _reader(values: Sequence[str], at: int) -> Callable[[int], str]:
    def read(offset: int) -> str:
        index = at + offset
        return values[index] if 0 <= index < len(values) else _OUTSIDE

    return read


# --- the first pass ---


def _window(tree: Tree, at: int) -> Iterator[str]:
    tag, word = _reader(tree.tags, at), _reader(tree.words, at)
    dep, lemma = _reader(tree.deps, at), _reader(tree.lemmas, at)
    for offset in range(-3, 4):
        yield f"t{offset}={tag(offset)}"
        if abs(offset) < 3:
            yield f"d{offset}={dep(offset)}"
            yield f"w{offset}={word(offset)}"
        if abs(offset) < 2:
            yield f"l{offset}={lemma(offset)}"
    yield f"tt={tag(-1)},{tag(0)}"
    yield f"ttt={tag(-1)},{tag(0)},{tag(1)}"
    yield f"tt+={tag(0)},{tag(1)}"
    yield f"ttt+={tag(0)},{tag(1)},{tag(2)}"
    yield f"ww={word(-1)},{word(0)}"
    yield f"ww+={word(0)},{word(1)}"
    yield f"wt={word(-1)},{tag(0)}"
    yield f"tw={tag(-1)},{word(0)}"
    yield f"wt+={word(0)},{tag(1)}"
    yield f"dd={dep(-1)},{dep(0)}"
    yield f"wd={word(0)},{dep(0)}"
    head = tree.heads[at]
    is_after = head < at
    yield f"hd={tree.deps[head]},{dep(0)},{is_after}"
    yield f"ht={tree.tags[head]},{dep(0)},{is_after}"
    yield f"hl={tree.lemmas[head]},{dep(0)}"
    yield f"hn={_step(abs(head - at))},{is_after}"


def _opening(tree: Tree, at: int) -> Iterator[str]:
    """Of the largest constituent that begins here."""
    node = tree.opening[at]
    if node is None:
        yield "c=none"
        return
    head, dep, lemma = tree.heads[node], tree.deps[node], tree.lemmas[node]
    verbs = tree.verbs[tree.last[node] + 1] - tree.verbs[at]
    kind = f"{dep},{tree.poses[node]}"
    form = f"{tree.has_subject(node)},{tree.is_finite(node)},{tree.is_infinitive(node)}"
    word, before, tag = tree.words[at], tree.words[at - 1], tree.tags[at - 1]
    governor = tree.lemmas[head]
    yield f"c={kind}"
    yield f"ct={dep},{tree.tags[node]}"
    yield f"cs={kind},{_step(tree.last[node] - at + 1)}"
    yield f"cv={kind},{min(verbs, 3)}"
    yield f"cf={kind},{form}"
    yield f"cft={kind},{form},{tag}"
    yield f"cm={dep},{tree.marker(node)}"
    yield f"ch={dep},{tree.poses[head]},{head < at}"
    yield f"chd={dep},{tree.deps[head]}"
    yield f"chl={dep},{governor}"
    yield f"chw={dep},{governor},{word}"
    yield f"chi={dep},{tree.subject(head)},{governor}"
    yield f"chs={dep},{tree.has_subject(head)},{tree.poses[head]}"
    yield f"cho={dep},{'dobj' in tree.child_deps(head)},{word}"
    yield f"cl={dep},{lemma}"
    yield f"cw={dep},{word}"
    yield f"cb={dep},{before}"
    yield f"cbw={dep},{before},{word}"
    yield f"cbt={dep},{tag},{min(verbs, 2)}"
    yield f"cn={dep},{_step(at - head) if head < at else -1}"
    yield f"cself={node == at},{dep}"
    yield f"crest={dep},{_step(tree.size - 1 - tree.last[node], (0, 1, 2, 4, 8))}"


def _closing(tree: Tree, at: int) -> Iterator[str]:
    """Of the largest constituent that ends before this word."""
    if not tree.closing[at - 1]:
        yield "e=none"
        return
    node = tree.closing[at - 1][0]
    head, dep = tree.heads[node], tree.deps[node]
    yield f"e={dep},{tree.poses[node]}"
    yield f"es={dep},{_step(at - tree.first[node])}"
    yield f"ev={dep},{min(3, tree.verbs[at] - tree.verbs[tree.first[node]])}"
    yield f"eh={dep},{tree.poses[head]},{head >= at}"
    begun = tree.opening[at]
    if begun is not None:
        yield f"ec={dep},{tree.deps[begun]}"
        is_below, is_beside = tree.heads[begun] == node, tree.heads[begun] == head
        yield f"ech={dep},{tree.deps[begun]},{is_below},{is_beside}"


def _fork(tree: Tree, at: int) -> Iterator[str]:
    """Of the lowest word above this one and the one before, and the ways to them."""
    top, left, right, up, down = tree.fork(at)
    left_dep = "self" if left is None else tree.deps[left]
    right_dep = "self" if right is None else tree.deps[right]
    yield f"f={tree.poses[top]},{left_dep},{right_dep}"
    yield f"ft={tree.tags[top]},{right_dep}"
    yield f"fd={tree.deps[top]},{left_dep},{right_dep}"
    yield f"fl={tree.lemmas[top]},{right_dep}"
    yield f"fn={min(up, 5)},{min(down, 5)}"
    yield f"fx={min(tree.arcs_over[at], 6)}"
    if right is not None:
        deps = tree.child_deps(right)
        yield f"fr={right_dep},{tree.tags[right]},{tree.tags[at]}"
        yield f"frl={right_dep},{tree.lemmas[right]}"
        has_subject = not SUBJECTS.isdisjoint(deps)
        yield f"frs={right_dep},{has_subject},{'mark' in deps},{tree.poses[right]}"


def _place(tree: Tree, at: int) -> Iterator[str]:
    """Marks around, and how much of the sentence is on either side."""
    node, before = tree.opening[at], tree.words[at - 1]
    depth, dep = tree.brackets[at], "none" if node is None else tree.deps[node]
    since, until = tree.since_mark[at], tree.until_mark[at]
    verbs_since = min(2, tree.verbs[at] - tree.verbs[at - since + 1])
    verbs_until = min(2, tree.verbs[at + until] - tree.verbs[at])
    last, all_verbs = tree.verbs[at], tree.verbs[-1]
    mark = before if tree.is_mark(at - 1) else _OUTSIDE
    yield f"b={min(depth, 2)},{tree.words[at] in '(['}"
    yield f"bw={min(depth, 1)},{before},{dep}"
    yield f"q={tree.quoted[at]}"
    yield f"qw={tree.quoted[at]},{before}"
    yield f"pn={_step(since)}"
    yield f"nn={_step(until)}"
    yield f"at={_step(at)}"
    yield f"rest={_step(tree.size - at)}"
    yield f"size={_step(tree.size, _LENGTHS)}"
    yield f"v={min(last, 3)},{min(all_verbs - last, 3)}"
    yield f"vm={verbs_since},{verbs_until},{mark}"
    yield f"vw={verbs_until},{tree.words[at]}"


def _capitals(tree: Tree, at: int) -> Iterator[str]:
    """Where the parser has missed the end of a sentence or heading, capitals tell of it."""
    shape, before = _reader(tree.shapes, at), tree.words[at - 1]
    mark = before if tree.is_mark(at - 1) else _OUTSIDE
    yield f"k={shape(0)}"
    yield f"k-={shape(-1)},{shape(0)}"
    yield f"k+={shape(0)},{shape(1)}"
    yield f"k3={shape(-1)},{shape(0)},{shape(1)}"
    yield f"k4={shape(-2)},{shape(-1)},{shape(0)},{shape(1)}"
    yield f"kt={shape(0)},{tree.tags[at]}"
    yield f"kp={shape(0)},{mark},{tree.poses[at]}"
    yield f"kd={shape(0)},{tree.deps[at]}"
    yield f"kw={shape(0)},{tree.words[at]}"
    yield f"ktt={shape(-1)},{tree.tags[at - 1]},{shape(0)},{tree.tags[at]}"
    yield f"kf={tree.shapes[0]},{shape(0)},{shape(-1)}"
    yield f"kb={shape(0)},{before}"
    yield f"kx={shape(0)},{min(tree.arcs_over[at], 4)}"


# --- the second pass ---


def _neighbours(
    tree: Tree, likelihoods: Sequence[float], at: int, before: int, after: int
) -> Iterator[str]:
    """What is likely beside this word, and the units that would part here."""
    near = {
        offset: str(_likely(likelihoods[at + offset])) if 0 <= at + offset < tree.size else _OUTSIDE
        for offset in range(-4, 5)
    }
    for offset, likely in near.items():
        yield f"Q{offset}={likely}"
    yield f"Q1={near[-1]},{near[1]}"
    yield f"Q2={near[-2]},{near[-1]},{near[1]},{near[2]}"
    yield f"Qb={_step(at - before)}"
    yield f"Qa={_step(after - at)}"
    yield f"Qn={_step(at - before)},{_step(after - at)}"
    left = min(2, tree.verbs[at] - tree.verbs[before])
    right = min(2, tree.verbs[after] - tree.verbs[at])
    yield f"Qv={left},{right}"
    yield f"Qvt={left},{right},{tree.tags[at]}"
    yield f"Qvd={left},{right},{tree.deps[at]}"
    yield f"Qbw={tree.words[before]},{left}"
    yield f"Qbd={tree.deps[before]},{tree.tags[before]}"
    yield f"Qbt={tree.deps[before]},{tree.tags[at]},{min(right, 1)}"
    if after < tree.size:
        yield f"Qaw={tree.words[after]}"
        yield f"Qad={tree.deps[after]},{right}"


def _unit_before(tree: Tree, likelihoods: Sequence[float], at: int, after: int) -> Iterator[str]:
    """The embedded unit that ends here, if the first pass saw where it begins."""
    end, mark = at - 1, ""
    while end > 0 and tree.deps[end] == "punct":
        mark = tree.words[end]
        end -= 1
    closing = tree.closing[end] if end == at - 1 else tree.closing[end] + tree.closing[at - 1]
    begun = (
        closing_node
        for closing_node in closing
        if 0 < tree.first[closing_node] < at and likelihoods[tree.first[closing_node]] >= _MAYBE
    )
    node = next(begun, None)
    if node is None:
        yield f"E=none,{mark}"
        return
    start, head, dep = tree.first[node], tree.heads[node], tree.deps[node]
    above = tree.heads[head]
    yield f"E={dep},{mark},{_likely(likelihoods[start])}"
    yield f"Ew={tree.words[start]},{mark}"
    yield f"Eh={dep},{tree.poses[head]},{tree.deps[head]},{head < start}"
    yield f"Ex={dep},{mark},{tree.poses[at]},{tree.deps[at]}"
    yield f"Eu={dep},{tree.deps[head]},{above >= at},{tree.poses[above]}"
    yield f"En={dep},{_step(at - start)}"
    yield f"El={dep},{_step(start)},{tree.last[head] >= at}"
    yield f"Er={dep},{tree.heads[at] < start},{tree.heads[at] >= at},{mark}"
    verbs_after, verbs_before = tree.verbs[after] - tree.verbs[at], tree.verbs[start]
    yield f"Ev={dep},{min(2, verbs_after)},{min(2, verbs_before)},{mark}"


def _arcs(tree: Tree, likelihoods: Sequence[float], at: int, before: int) -> Iterator[str]:
    """How the unit that would end here hangs together with what follows it, and the rest does."""
    heads = tree.heads
    behind = range(at, min(tree.size, at + _NEAR))
    to_unit = min(3, sum(before <= heads[word] < at for word in behind))
    to_rest = min(3, sum(heads[word] < before for word in behind))
    of_rest = min(2, sum(heads[number] >= at for number in range(max(0, before - _NEAR), before)))
    of_unit = min(2, sum(heads[number] >= at for number in range(max(before, at - _NEAR), at)))
    arcs = f"{to_unit},{to_rest},{of_rest},{of_unit}"
    yield f"A={arcs}"
    yield f"Aq={arcs},{_likely(likelihoods[at])}"
    yield f"Ad={to_unit},{tree.deps[at]}"
    yield f"Ar={to_rest},{of_rest},{tree.deps[at]}"


def _unit_here(tree: Tree, likelihoods: Sequence[float], at: int, after: int) -> Iterator[str]:
    """What follows the constituent that begins here, and what its sisters are."""
    node = tree.opening[at]
    if node is None:
        return
    dep, head = tree.deps[node], tree.heads[node]
    following = tree.last[node] + 1
    while following < tree.size and tree.words[following] in ',.;:)]"':
        following += 1
    likely = str(_likely(likelihoods[following])) if following < tree.size else "end"
    yield f"S={dep},{likely}"
    yield f"Sw={dep},{after > tree.last[node]}"
    sisters = (child for child in tree.children[head] if child != node and tree.deps[child] == dep)
    starts = [likelihoods[tree.first[sister]] for sister in sisters if tree.first[sister] > 0]
    if starts:
        yield f"Ss={dep},{_likely(max(starts))}"
    if dep == "conj":
        yield f"Sc={_likely(likelihoods[tree.first[head]])},{tree.poses[node]}"


def _coordination(tree: Tree, likelihoods: Sequence[float], at: int) -> Iterator[str]:
    """Of a conjunction: what it joins."""
    if tree.deps[at] != "cc":
        return
    head = tree.heads[at]
    joined = (child for child in tree.children[head] if tree.deps[child] == "conj" and child > at)
    other = next(joined, None)
    if other is None:
        return
    is_complete = any(
        tree.deps[child] in _COMPLEMENTS for child in tree.children[head] if child < at
    )
    pos = tree.poses[other]
    yield f"C={pos},{tree.deps[head]},{tree.has_subject(other)}"
    yield f"Ct={tree.tags[other]},{tree.tags[head]},{tree.deps[head]}"
    yield f"Cn={pos},{tree.poses[head]},{_step(other - at)}"
    yield f"Cq={_likely(likelihoods[tree.first[head]])},{pos}"
    yield f"Cl={tree.deps[head]},{tree.words[at - 1]},{is_complete},{tree.poses[head]}"
