"""The frame of every content measure, after Basic Elements (Hovy, Lin and Zhou 2005, section 2.2).

Four questions make a method: which units, what is each worth, when do two match, and how do the
points add up. A ``ContentMeasure`` answers them: ``read_units`` the first, ``make_model`` the
second, ``prepare`` the other two. A ``ContentMethod`` is its row in the registry.

PyrEval's own methods (``registry.Method``) build pyramids of clauses, which people can edit; the
methods of this frame have units, models of content and scores of their own.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from grading.pyramid.config import CORE_VERSION
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedText
from grading.pyramid.structures import Pyramid, Spans, Text

Json = Mapping[str, object]  # what ``json.dumps`` takes: text, numbers, lists and objects of such


class Column(StrEnum):
    """The columns of scores.csv, in their order, that a method may fill."""

    UNITS = "scus"  # how many units the summary has
    RAW = "raw"  # sum of points
    QUALITY = "quality"  # like precision
    COVERAGE = "coverage"  # like recall
    COMPREHENSIVE = "comprehensive"  # both in one number, like F1
    HELD = "held"
    CONTRADICTED = "contradicted"


class Need(StrEnum):
    """What a method needs besides the references."""

    SOURCE = "source"  # the text that everybody summarised
    PYRAMID = "pyramid"  # SCUs with their contributors


class PlugIn(StrEnum):
    """What a better component made elsewhere, to be read instead of the method's own."""

    AMR = "amr"  # graphs in Penman notation
    TRIPLES = "triples"  # extractions as in CaRB's TSV
    EDUS = "edus"  # elementary discourse units


@dataclass(frozen=True, slots=True)
class PluggedFile:
    """A file of a plug-in; its name is for messages."""

    name: str
    data: bytes


# --- the first question: which units ---


@dataclass(frozen=True, slots=True)
class ContentUnit:
    """A unit of a text: its kind, where it is, and whatever else belongs to its kind.

    ``fields`` are written beside kind and spans as they are (docs/formats.md lists them by kind).
    """

    kind: str
    spans: Spans
    fields: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextUnits:
    """A text with its sentences, and its units in the order of the text."""

    text: Text
    sentences: Spans
    units: tuple[ContentUnit, ...]


# --- the second: what is each worth ---


@dataclass(frozen=True, slots=True)
class Material:
    """What a model of content is made of; the references are in the order of their names.

    ``labels`` are those of the pyramid's SCUs without contributors (statements of a rubric), by
    uid: nothing else says in words what they are.
    """

    references: tuple[ParsedText, ...]
    source: ParsedText | None = None
    pyramid: Pyramid | None = None
    labels: Mapping[int, ParsedText] = field(default_factory=dict)

    @property
    def texts(self) -> tuple[Text, ...]:
        """The references as they were written."""
        return tuple(reference.text for reference in self.references)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an element is found: in the reference of that name, or in the source."""

    text: str
    spans: Spans
    in_source: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """A unit of a model of content, with its weight and its places.

    ``fields`` are the method's own: all that it needs to match the element again.
    """

    uid: int
    label: str
    weight: float
    places: tuple[Place, ...] = ()
    fields: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ContentModel:
    """What the references (and the source) say, in the units of one method.

    It can be written as JSON and read back (``formats.content_json``), and a summary is scored by
    nothing but the model. ``fields`` are the method's own, about the model as a whole.
    """

    method: str
    options: Mapping[str, str]
    references: tuple[Text, ...]
    elements: tuple[Element, ...]
    source: Text | None = None
    fields: Json = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # how it was made, in sentences
    signature: str = ""

    def element(self, uid: int) -> Element:
        return next(element for element in self.elements if element.uid == uid)


# --- the third and the fourth: when do two match, how do the points add up ---


@dataclass(frozen=True, slots=True)
class ContentMatch:
    """An element that a summary has, the words that have it, and the points that it earns."""

    element: int  # its uid
    spans: Spans
    points: float
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class ContentScore:
    """What a method says of a summary; a column that it does not have is None.

    ``explanation`` says how the numbers were calculated; ``figures`` are further numbers
    of the method by name, which are in no column.
    """

    units: int | None = None
    raw: float | None = None
    quality: float | None = None
    coverage: float | None = None
    comprehensive: float | None = None
    matches: tuple[ContentMatch, ...] = ()
    unmatched: tuple[Spans, ...] = ()  # the units of the summary that match nothing
    explanation: tuple[str, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    signature: str = ""

    def value(self, column: Column) -> float | None:
        """The number in a column of scores.csv, None where there is none."""
        numbers = {
            Column.UNITS: self.units,
            Column.RAW: self.raw,
            Column.QUALITY: self.quality,
            Column.COVERAGE: self.coverage,
            Column.COMPREHENSIVE: self.comprehensive,
        }
        return numbers.get(column)


ContentScorer = Callable[[ParsedText], ContentScore]


class ContentMeasure(Protocol):
    """A method with its options and resources, loaded: the answers to the four questions.

    All answers are the same for the same texts, in whatever order, process or hash seed.
    """

    @property
    def resources(self) -> tuple[str, ...]:
        """Names and versions of what it loaded, for signatures."""

    def read_units(self, text: ParsedText) -> tuple[ContentUnit, ...]:
        """The units of a text, in its order; they do not depend on other texts."""

    def make_model(self, material: Material) -> ContentModel:
        """What the references are worth; method, options and signature are filled in later."""

    def prepare(self, model: ContentModel) -> ContentScorer:
        """What scores any number of summaries, from the model alone."""


Options = Mapping[str, str]
PlugIns = Mapping[PlugIn, PluggedFile]
LoadMeasure = Callable[[Options, PlugIns], ContentMeasure]


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be chosen, by name; the first choice is the one unless another is named.

    No choices: a number, from ``least`` to ``most``.
    """

    choices: tuple[str, ...] = ()
    default: str = ""
    least: float = 0.0
    most: float = 1.0

    def check(self, method: str, name: str, value: str) -> None:
        """InputError where the value cannot be chosen."""
        if self.choices:
            if value not in self.choices:
                known = ", ".join(self.choices)
                raise InputError(
                    f"The option {name} of “{method}” must be one of {known}, not “{value}”."
                )
            return
        try:
            is_right = self.least <= float(value) <= self.most
        except ValueError:
            is_right = False
        if not is_right:
            raise InputError(
                f"The option {name} of “{method}” must be a number from {self.least:g} to "
                f"{self.most:g}, not “{value}”."
            )


@dataclass(frozen=True, slots=True)
class ContentMethod:
    """A row of the registry: how a method answers the four questions, in words and in code.

    ``units``, ``worth``, ``match`` and ``score`` are the answers for a reader, each a sentence;
    ``limits`` says where the method fails. ``headline`` is the column that compares with people.
    """

    name: str
    description: str
    units: str
    worth: str
    match: str
    score: str
    limits: str
    columns: frozenset[Column]
    headline: Column
    load: LoadMeasure
    needs: frozenset[Need] = frozenset()
    plug_ins: frozenset[PlugIn] = frozenset()
    options: Mapping[str, Option] = field(default_factory=dict)

    def with_defaults(self, chosen: Options) -> dict[str, str]:
        """All options with their values; InputError where one is unknown, or its value wrong."""
        for name, value in chosen.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise InputError(
                    f"The method “{self.name}” has no option “{name}”. Its options: {known}."
                )
            self.options[name].check(self.name, name, value)
        return {
            name: chosen.get(name, option.default or option.choices[0])
            for name, option in sorted(self.options.items())
        }

    def signature(self, options: Options, plug_ins: PlugIns, *resources: str) -> str:
        """A short stable name of method, options, files and resources: ``be-hm-3-3f2a9c1e``."""
        files = {
            name.value: hashlib.sha256(plug_in.data).hexdigest()
            for name, plug_in in plug_ins.items()
        }
        named = json.dumps(
            [self.name, dict(options), files, sorted(resources), CORE_VERSION], sort_keys=True
        )
        digest = hashlib.sha256(named.encode()).hexdigest()[:8]
        return f"{self.name}-{CORE_VERSION}-{digest}"
