"""Basic Elements as answers to the frame's four questions (Hovy, Lin and Zhou 2005, section 3).

Units: pairs of head and modifier, with their relation or without it, or heads alone (3.2). Worth: a
point for each reference that has the unit (3.3). Match: the same words, lemmas, or synonyms of
WordNet (3.4). Score: the points of all that matched (3.5), beside two other integrators: the share
of all points, which is weighted recall, and the share of what an ideal summary with as many units
has, which is how the paper tells the pyramid method (2.2).

What the paper leaves open: a unit that a text has several times counts once. Every match is
complete, so that it earns all points. Synonymy is not transitive, and merging whatever matches
would make chains: here a unit joins the first element whose leader it matches, the units that most
references have first. A summary's unit matches one element and an element one unit, identical ones
first, then the heaviest.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grading.pyramid.basic_elements.breaker import BasicElements, Word, break_sentence
from grading.pyramid.basic_elements.lexicon import Lexicon, load_lexicon
from grading.pyramid.content import (
    ContentMatch,
    ContentModel,
    ContentScore,
    ContentScorer,
    ContentUnit,
    Element,
    Material,
    Options,
    Place,
    PlugIns,
)
from grading.pyramid.figures import number_of
from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Spans, join_spans

IDENTITY, SYNONYM = "identity", "synonym"
_VERSION = "be-1"
_MISSED_SHOWN = 5

Key = tuple[str, ...]  # the words as they are compared, then the relation, which may be ""


@dataclass(frozen=True, slots=True)
class BasicElement:
    """One place of a unit: head and modifier with their relation, or a head with neither."""

    words: tuple[Word, ...]
    relation: str
    sentence: int

    @property
    def spans(self) -> Spans:
        return join_spans(span for word in self.words for span in word.spans)

    @property
    def label(self) -> str:
        """As the paper writes it."""
        forms = [word.form for word in self.words]
        return " | ".join([*forms, self.relation] if self.relation else forms)


Cut = Callable[[BasicElements, int], Iterator[BasicElement]]


def heads(broken: BasicElements, sentence: int) -> Iterator[BasicElement]:
    """The heads of the phrases of a sentence."""
    for head in broken.heads:
        yield BasicElement((head,), "", sentence)


def pairs(broken: BasicElements, sentence: int) -> Iterator[BasicElement]:
    """The pairs of head and modifier of a sentence."""
    for pair in broken.pairs:
        yield BasicElement((pair.head, pair.modifier), pair.relation, sentence)


@dataclass(frozen=True, slots=True)
class BasicElementsMeasure:
    """The units that ``cut`` takes, compared with their relations or without."""

    cut: Cut
    with_relations: bool
    matching: str
    lexicon: Lexicon

    @property
    def resources(self) -> tuple[str, ...]:
        return (_VERSION, self.lexicon.name)

    def elements(self, text: ParsedText) -> list[BasicElement]:
        """Every place of every unit, in the order of the text."""
        return [
            element
            for number, sentence in enumerate(text.sentences)
            for element in self.cut(break_sentence(sentence, self.lexicon), number)
        ]

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """Kind “pair” with head, modifier and relation, or kind “head” with its head."""
        return tuple(_unit(element) for element in self.elements(text))

    def key(self, element: BasicElement) -> Key:
        """What is equal where two units match by identity, or by lemma."""
        is_exact = self.matching == IDENTITY
        words = (word.form if is_exact else word.lemma for word in element.words)
        return (*words, element.relation if self.with_relations else "")

    def make_model(self, material: Material) -> ContentModel:
        """An element for each unit, or for those that are synonyms of its leader."""
        places: defaultdict[Key, list[Place]] = defaultdict(list)
        first: dict[Key, BasicElement] = {}
        for text in material.references:
            for element in self.elements(text):
                key = self.key(element)
                places[key].append(Place(text.text.name, element.spans))
                first.setdefault(key, element)
        groups = self._groups(first, places)
        weights = {
            leader: len({place.text for key in members for place in places[key]})
            for leader, members in groups.items()
        }
        order = sorted(groups, key=lambda leader: (-weights[leader], leader))
        elements = tuple(
            Element(
                uid,
                first[leader].label,
                weights[leader],
                tuple(place for key in groups[leader] for place in places[key]),
                {
                    "words": list(leader[:-1]),
                    "relation": leader[-1],
                    "pos": [word.pos for word in first[leader].words],
                    "synonyms": [list(key) for key in groups[leader][1:]],
                },
            )
            for uid, leader in enumerate(order, 1)
        )
        return ContentModel("", {}, material.texts, elements)

    def _groups(
        self, first: Mapping[Key, BasicElement], places: Mapping[Key, Sequence[Place]]
    ) -> dict[Key, list[Key]]:
        """By their leaders, units that count as one; each alone unless synonyms match."""
        if self.matching != SYNONYM:
            return {key: [key] for key in first}
        references = {key: len({place.text for place in places[key]}) for key in first}
        leaders = _Leaders(self.lexicon)
        groups: dict[Key, list[Key]] = {}
        for key in sorted(first, key=lambda key: (-references[key], key)):
            poses = tuple(word.pos for word in first[key].words)
            leader = next(iter(leaders.like(key, poses)), None)
            if leader is None:
                leaders.add(key, poses)
                groups[key] = [key]
            else:
                groups[leader].append(key)
        return groups

    def prepare(self, model: ContentModel) -> ContentScorer:
        """Scores by the elements of the model."""
        elements = {element.uid: element for element in model.elements}
        uids: dict[Key, int] = {}
        leaders = _Leaders(self.lexicon)
        for element in model.elements:
            words, relation = _strings(element.fields["words"]), str(element.fields["relation"])
            uids[*words, relation] = element.uid
            leaders.add((*words, relation), _strings(element.fields["pos"]))
            others: Iterable[object] = element.fields["synonyms"]  # type: ignore[assignment]
            uids |= {_strings(key): element.uid for key in others}
        total = sum(element.weight for element in model.elements)
        heaviest = sorted((element.weight for element in model.elements), reverse=True)

        def score(summary: ParsedText) -> ContentScore:
            by_key: defaultdict[Key, list[BasicElement]] = defaultdict(list)
            for basic_element in self.elements(summary):
                by_key[self.key(basic_element)].append(basic_element)
            matched = self._match(by_key, uids, leaders, elements)
            raw = sum(elements[uid].weight for uid in matched.values())
            ideal = sum(heaviest[: len(by_key)])
            quality, coverage = raw / ideal if ideal else 0.0, raw / total if total else 0.0
            both = quality + coverage
            matches = sorted(
                (
                    ContentMatch(
                        uid,
                        join_spans(
                            span for basic_element in by_key[key] for span in basic_element.spans
                        ),
                        elements[uid].weight,
                    )
                    for key, uid in matched.items()
                ),
                key=lambda match: match.element,
            )
            bare = (
                basic_element.spans
                for key in by_key.keys() - matched.keys()
                for basic_element in by_key[key]
            )
            return ContentScore(
                units=len(by_key),
                raw=raw,
                quality=quality,
                coverage=coverage,
                comprehensive=2 * quality * coverage / both if both else 0.0,
                matches=tuple(matches),
                unmatched=tuple(sorted(bare)),
                explanation=_explained(matches, model, len(by_key), ideal, total),
            )

        return score

    def _match(
        self,
        by_key: Mapping[Key, Sequence[BasicElement]],
        uids: Mapping[Key, int],
        leaders: "_Leaders",
        elements: Mapping[int, Element],
    ) -> dict[Key, int]:
        """The element of each unit that has one; no element twice."""
        matched: dict[Key, int] = {}
        taken: set[int] = set()
        for key in by_key:
            if key in uids and uids[key] not in taken:
                matched[key] = uids[key]
                taken.add(uids[key])
        if self.matching != SYNONYM:
            return matched
        close = [
            (-elements[uids[leader]].weight, uids[leader], key)
            for key, places in by_key.items()
            if key not in matched
            for leader in leaders.like(key, tuple(word.pos for word in places[0].words))
        ]
        for _, uid, key in sorted(close):
            if uid not in taken and key not in matched:
                matched[key] = uid
                taken.add(uid)
        return matched


class _Leaders:
    """Units that stand for an element, to be found by their synonyms."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._by_head: defaultdict[str | int, list[tuple[Key, tuple[str, ...]]]] = defaultdict(list)

    def add(self, key: Key, poses: tuple[str, ...]) -> None:
        for mark in self._marks(key[0], poses[0]):
            self._by_head[mark].append((key, poses))

    def like(self, key: Key, poses: tuple[str, ...]) -> list[Key]:
        """The leaders that the unit matches: all words synonyms, and the same relation."""
        near = {
            leader: other
            for mark in self._marks(key[0], poses[0])
            for leader, other in self._by_head.get(mark, ())
            if leader[-1] == key[-1]
        }
        return [
            leader
            for leader, other in sorted(near.items())
            if all(
                self._lexicon.are_synonyms(*pair)
                for pair in zip(key[:-1], leader[:-1], poses, other, strict=True)
            )
        ]

    def _marks(self, lemma: str, pos: str) -> list[str | int]:
        """The word itself, and its synsets."""
        return [lemma, *self._lexicon.synsets_of(lemma, pos)]


def _unit(element: BasicElement) -> ContentUnit:
    head, *modifier = (word.form for word in element.words)
    if not modifier:
        return ContentUnit("head", element.spans, {"head": head, "sentence": element.sentence})
    fields = {"head": head, "modifier": modifier[0], "relation": element.relation}
    return ContentUnit("pair", element.spans, {**fields, "sentence": element.sentence})


def _strings(value: object) -> tuple[str, ...]:
    """A list of strings out of a model that may have been written by another program."""
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _explained(
    matches: Sequence[ContentMatch], model: ContentModel, units: int, ideal: float, total: float
) -> tuple[str, ...]:
    points = sum(match.points for match in matches)
    matched_uids = {match.element for match in matches}
    missed = [element for element in model.elements if element.uid not in matched_uids]
    heaviest = ", ".join(
        f"“{element.label}” ({element.weight:g})" for element in missed[:_MISSED_SHOWN]
    )
    lines = [
        f"Of {number_of(units, 'unit')} in the summary {len(matches)} match: {points:g} points.",
        f"Coverage: {points:g} of all {total:g} points.",
        f"Quality: {points:g} of the {ideal:g} points that as many of the heaviest elements have.",
    ]
    return (*lines, f"Heaviest elements missed: {heaviest}.") if missed else tuple(lines)


def load_hm(options: Options, _plug_ins: PlugIns) -> BasicElementsMeasure:
    """Head and modifier, whatever their relation."""
    return BasicElementsMeasure(pairs, False, options["matching"], load_lexicon())


def load_hmr(options: Options, _plug_ins: PlugIns) -> BasicElementsMeasure:
    """Head, modifier and relation."""
    return BasicElementsMeasure(pairs, True, options["matching"], load_lexicon())


def load_heads(options: Options, _plug_ins: PlugIns) -> BasicElementsMeasure:
    """Heads alone."""
    return BasicElementsMeasure(heads, False, options["matching"], load_lexicon())
