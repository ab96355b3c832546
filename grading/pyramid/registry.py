"""The methods by name. A new method is a row here, made of parts that fit together.

``METHODS`` build pyramids of clauses, which people can edit, and find their ideas in summaries: one
of them is an assignment's main method. ``CONTENT_METHODS`` are the sister systems, with units,
models of content and scores of their own (``content.py``): they give second opinions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from grading.pyramid.builders import edua_complete, edua_greedy, mutual_links
from grading.pyramid.calibration import Calibration, Priors
from grading.pyramid.config import Config
from grading.pyramid.content import (
    Column,
    ContentMeasure,
    ContentMethod,
    LoadMeasure,
    Need,
    Option,
    Options,
    PlugIn,
    PlugIns,
)
from grading.pyramid.encoders import encoder_files
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.encoders.wtmf import WtmfEncoder
from grading.pyramid.errors import InputError
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.matchers import exact, wmin
from grading.pyramid.segment_graph import SegmentGraph
from grading.pyramid.similarity import (
    Blend,
    CosineSimilarity,
    Similarity,
    lexical_recall,
    token_recall,
)
from grading.pyramid.structures import Evidence, Points, Pyramid, ReadTexts, SegmentedText


class Matcher(Protocol):
    """Ready for one pyramid."""

    @property
    def threshold(self) -> float:
        """The strength from which on a content unit counts as matched."""

    def match(self, text: SegmentedText) -> Evidence:
        """What a text tells of the pyramid, and where."""

    def strengths(self, text: SegmentedText) -> dict[int, float]:
        """For each content unit, by its uid, how strongly the text as a whole tells it (0 to 1)."""


Builder = Callable[[SegmentGraph, Config], Pyramid]
MakeMatcher = Callable[[Pyramid, Similarity, Config, ReadTexts], Matcher]
# How many texts it shall remember, and the directory of an encoder (None: the packaged one).
LoadSimilarity = Callable[[int, Path | None], Similarity]


@dataclass(frozen=True, slots=True)
class Method:
    """What a pyramid is made of, and what a summary is matched with, under one name."""

    name: str
    description: str
    config: Config
    builder: Builder
    matcher: MakeMatcher
    similarity: LoadSimilarity
    knows_probabilities: bool = False  # of matches, so that their threshold can be moved
    compares_in_context: bool = False  # words, so that the encoder makes a difference


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """What can be chosen each time that a pyramid is built."""

    builder: str  # a name of BUILDERS
    edge_percentile: float | None  # None: as the length of the texts calls for
    beta: float


def _wtmf(remembered: int, encoder: Path | None) -> Similarity:
    del remembered, encoder  # sentence vectors are made as fast as they are looked up
    return CosineSimilarity(WtmfEncoder())


def _best_recall(remembered: int, encoder: Path | None) -> Similarity:
    """Of words in context where there is an encoder, else of stems."""
    if encoder or encoder_files.is_installed():
        return token_recall(OnnxEncoder(remembered, encoder), remembered)
    return lexical_recall(remembered)


def _both_recalls(remembered: int, encoder: Path | None) -> Similarity:
    in_context = token_recall(OnnxEncoder(remembered, encoder), remembered)
    return Blend(
        in_context,
        lexical_recall(remembered),
        priors=Priors(
            similarity=Calibration(slope=6.8, threshold=0.593),
            idea=Calibration(slope=5.8, threshold=0.532),
            statement=Calibration(slope=5.7, threshold=0.536),
        ),
    )


def _match_classroom(
    pyramid: Pyramid, similarity: Similarity, config: Config, read: ReadTexts
) -> Matcher:
    """Imported where texts are scored: what it judges by is a third of the core."""
    from grading.pyramid.matchers.classroom import ClassroomMatcher  # noqa: PLC0415

    return ClassroomMatcher(pyramid, similarity, config, read)


BUILDERS: Mapping[str, Builder] = MappingProxyType(
    {
        "mutual": mutual_links.build,
        "edua-g": edua_greedy.build,
        "edua-c-shaped": edua_complete.build_from(edua_greedy.allocate, in_shape=True),
        "edua-c": edua_complete.build_from(edua_greedy.allocate),
    }
)
# Into each other reference, on average: docs/methods.md says why.
_MUTUAL_EDGES = 2.0
_EDGES = 5.0  # cliques need more: all of their links must be edges
_PAPER = Config(match_threshold=0.5)  # as the paper's program has it
_READABLE = Config(
    method="classroom", edges_per_segment=_MUTUAL_EDGES, ideas_only=True, whole_labels=True
)

_ROWS = (
    Method(
        name="classroom",
        description=(
            "Parts of the references that are closest to each other, by words in context, make an "
            "idea. A match is one that a person would probably make. A part of a sentence may "
            "express several ideas."
        ),
        config=_READABLE,
        builder=BUILDERS["mutual"],
        matcher=_match_classroom,
        similarity=_best_recall,
        knows_probabilities=True,
        compares_in_context=True,
    ),
    Method(
        name="classroom-blend",
        description=(
            "As `classroom`, but words are compared by their stems as well as in context. It asks "
            "more for the experts' own words."
        ),
        config=replace(_READABLE, method="classroom-blend"),
        builder=BUILDERS["mutual"],
        matcher=_match_classroom,
        similarity=_both_recalls,
        knows_probabilities=True,
        compares_in_context=True,
    ),
    Method(
        name="pyreval",
        description=(
            "The method of the PyrEval paper: clauses, EDUA-G over WTMF cosines, and WMIN matching."
        ),
        config=replace(_PAPER, method="pyreval"),
        builder=BUILDERS["edua-g"],
        matcher=wmin.prepare,
        similarity=_wtmf,
    ),
    Method(
        name="pyreval-exact",
        description=(
            "The paper's other builder, EDUA-C, with proof that no pyramid holds together better. "
            "It makes the best choice of matches. It is for research, as it shares one idea of "
            "each weight."
        ),
        config=replace(_PAPER, method="pyreval-exact"),
        builder=BUILDERS["edua-c"],
        matcher=exact.prepare,
        similarity=_wtmf,
    ),
    Method(
        name="pyreval-shaped",
        description=(
            "As many ideas of each weight as EDUA-G finds, put together as well as possible, with "
            "proof. It makes the best choice of matches."
        ),
        config=replace(_PAPER, method="pyreval-shaped"),
        builder=BUILDERS["edua-c-shaped"],
        matcher=exact.prepare,
        similarity=_wtmf,
    ),
)

METHODS: Mapping[str, Method] = MappingProxyType({row.name: row for row in _ROWS})
DEFAULT_METHOD = "classroom"


def _later(module: str, name: str) -> LoadMeasure:
    """What loads a measure. Its module is imported then, as few processes use a sister system."""

    def load(options: Options, plug_ins: PlugIns) -> ContentMeasure:
        load_measure: LoadMeasure = getattr(import_module(f"grading.pyramid.{module}"), name)
        return load_measure(options, plug_ins)

    return load


_RECALL = frozenset(
    {Column.UNITS, Column.RAW, Column.QUALITY, Column.COVERAGE, Column.COMPREHENSIVE}
)
_ROUGE_SCORE = (
    "Recall (coverage), precision (quality) and F1 (comprehensive), the mean over the references."
)
_ROUGE_LIMITS = (
    "Only the references' own words count. A paraphrase earns nothing; the same words in another "
    "order or denied earn all. Longer summaries recall more."
)

# The mean is what the figures of docs/methods.md are; the best is rouge-score's ``score_multi``.
_ROUGE_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {"matching": Option(("stem", "identity")), "references": Option(("mean", "best"))}
)

_ROUGE_ROWS = (
    ContentMethod(
        name="rouge-1",
        description="The share of the references' words that the summary has (ROUGE-1).",
        units="Single words.",
        worth="As often as a reference has the word.",
        match="The same stem (or, by option, the same word).",
        score=_ROUGE_SCORE,
        limits=_ROUGE_LIMITS,
        columns=_RECALL,
        headline=Column.COVERAGE,
        load=_later("rouge", "load_1"),
        options=_ROUGE_OPTIONS,
    ),
    ContentMethod(
        name="rouge-2",
        description="The share of the references' word pairs that the summary has (ROUGE-2).",
        units="Two words in a row.",
        worth="As often as a reference has the pair.",
        match="The same stems (or, by option, the same words).",
        score=_ROUGE_SCORE,
        limits=_ROUGE_LIMITS,
        columns=_RECALL,
        headline=Column.COVERAGE,
        load=_later("rouge", "load_2"),
        options=_ROUGE_OPTIONS,
    ),
    ContentMethod(
        name="rouge-l",
        description=(
            "The share of a reference's words that the summary has in the same order (ROUGE-L)."
        ),
        units="The text as one sequence of words.",
        worth="Each word of a reference is one point.",
        match="The longest sequence of stems (or words) that both texts have in this order.",
        score=_ROUGE_SCORE,
        limits=_ROUGE_LIMITS,
        columns=_RECALL,
        headline=Column.COVERAGE,
        load=_later("rouge", "load_l"),
        options=_ROUGE_OPTIONS,
    ),
    ContentMethod(
        name="rouge-su4",
        description=(
            "The share of the references' words and word pairs that the summary has (ROUGE-SU4). "
            "The two words of a pair are up to four words apart."
        ),
        units="Single words, and pairs in their order with at most four words between them.",
        worth="As often as a reference has the word or pair.",
        match="The same stems (or, by option, the same words).",
        score=_ROUGE_SCORE,
        limits=_ROUGE_LIMITS,
        columns=_RECALL,
        headline=Column.COVERAGE,
        load=_later("rouge", "load_su4"),
        options=_ROUGE_OPTIONS,
    ),
)

_BE_WORTH = "One point for each reference that has it."
_BE_SCORE = (
    "The points of all matches (raw), and their share of all points (coverage). Quality is their "
    "share of the points that an ideal summary with as many units has."
)

_BE_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {"matching": Option(("lemma", "identity", "synonym"))}
)

_BASIC_ELEMENTS_ROWS = (
    ContentMethod(
        name="be-hm",
        description=(
            "The share of the references' pairs of head and modifier that the summary has (Basic "
            "Elements)."
        ),
        units="Pairs of a head and a modifier: a verb and its subject, a noun and its adjective.",
        worth=_BE_WORTH,
        match="The same two lemmas (by option the same words, or synonyms of WordNet).",
        score=_BE_SCORE,
        limits=(
            "A paraphrase in other words or another construction earns nothing. Pronouns are not "
            "resolved. Denied words earn as much as others."
        ),
        columns=_RECALL,
        headline=Column.RAW,
        load=_later("basic_elements.measure", "load_hm"),
        options=_BE_OPTIONS,
    ),
    ContentMethod(
        name="be-hmr",
        description=(
            "As `be-hm`, but the relation of the two words counts as well (Basic Elements, head, "
            "modifier and relation)."
        ),
        units="Triples of a head, a modifier and their relation.",
        worth=_BE_WORTH,
        match="The same two lemmas in the same relation (by option the same words, or synonyms).",
        score=_BE_SCORE,
        limits=("As `be-hm`. Another preposition or an error of the parser also loses the match."),
        columns=_RECALL,
        headline=Column.RAW,
        load=_later("basic_elements.measure", "load_hmr"),
        options=_BE_OPTIONS,
    ),
    ContentMethod(
        name="be-heads",
        description=(
            "The words that head a phrase both in the references and in the summary. This is the "
            "control for `be-hm`."
        ),
        units="Heads of noun, verb, adjective and adverb phrases.",
        worth=_BE_WORTH,
        match="The same lemma (by option the same word, or a synonym of WordNet).",
        score=_BE_SCORE,
        limits="Words alone: it sees no links between words, and no denials.",
        columns=_RECALL,
        headline=Column.RAW,
        load=_later("basic_elements.measure", "load_heads"),
        options=_BE_OPTIONS,
    ),
)


_PEAK_ROWS = (
    ContentMethod(
        name="peak",
        description=(
            "PEAK reads each sentence as subject, predicate and objects. An idea is a triple that "
            "other references share, by the senses of its words."
        ),
        units="Triples of a subject, a predicate and its objects.",
        worth="How many references have a triple that shares two elements with the unit's anchor.",
        match="The triples' words have similar senses in WordNet (ADW, .4 or more), one to one.",
        score="The sum of the weights of the units that the summary's triples are assigned to.",
        limits=(
            "Words that no dictionary relates stay apart, so it misses free paraphrases. It does "
            "not check denials, or who does what to whom. Texts in no sentences have no triples."
        ),
        columns=frozenset({Column.UNITS, Column.RAW}),
        headline=Column.RAW,
        load=_later("peak", "load"),
        plug_ins=frozenset({PlugIn.TRIPLES}),
        options=MappingProxyType({"similarity": Option(("adw", "lemmas"))}),
    ),
)


_EDU_UNITS = "Elementary discourse units of the source text, which are much like clauses."
_EDU_MATCH = (
    "A unit of the summary has at least .55 of the stems of the pyramid's unit in their order. "
    "Matches are one to one, so that the sum is highest."
)
_EDU_SCORE = (
    "The sum of the weights (raw). Coverage is its share of the best sum of a text as long as a "
    "reference."
)
_EDU_LIMITS = (
    "It needs the source, and sees only the source's words. References and summaries that "
    "paraphrase freely lose nearly all. Denied words earn as much as others."
)
_EDU_COLUMNS = frozenset({Column.UNITS, Column.RAW, Column.COVERAGE})

_EDU_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "matching": Option(("stem", "identity")),
        "threshold": Option(default="0.55", least=0.05, most=1),
    }
)
_EDU_ORACLE_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {**_EDU_OPTIONS, "sentence-cost": Option(("1", "0"))}
)

_EDU_ROWS = (
    ContentMethod(
        name="edu-alignment",
        description=(
            "The share of the source's parts, aligned with the references, that a summary has "
            "(EDU pyramid by alignment)."
        ),
        units=_EDU_UNITS,
        worth="The number of references that the unit is aligned with.",
        match=_EDU_MATCH,
        score=_EDU_SCORE,
        limits=_EDU_LIMITS,
        columns=_EDU_COLUMNS,
        headline=Column.COVERAGE,
        load=_later("edus.measure", "load_alignment"),
        needs=frozenset({Need.SOURCE}),
        plug_ins=frozenset({PlugIn.EDUS}),
        options=_EDU_OPTIONS,
    ),
    ContentMethod(
        name="edu-oracle-rouge",
        description=(
            "As `edu-alignment`, with the parts of the source that have most of a reference's word "
            "pairs. It is the EDU pyramid by ROUGE-2 oracles."
        ),
        units=_EDU_UNITS,
        worth="The number of references whose ROUGE-2 oracle has the unit.",
        match=_EDU_MATCH,
        score=_EDU_SCORE,
        limits=_EDU_LIMITS,
        columns=_EDU_COLUMNS,
        headline=Column.COVERAGE,
        load=_later("edus.measure", "load_oracle_rouge"),
        needs=frozenset({Need.SOURCE}),
        plug_ins=frozenset({PlugIn.EDUS}),
        options=_EDU_ORACLE_OPTIONS,
    ),
    ContentMethod(
        name="edu-oracle-be",
        description=(
            "As `edu-alignment`, with the parts of the source that have most of a reference's "
            "Basic Elements. It is the EDU pyramid by BE oracles."
        ),
        units=_EDU_UNITS,
        worth="The number of references whose Basic Elements oracle has the unit.",
        match=_EDU_MATCH,
        score=_EDU_SCORE,
        limits=_EDU_LIMITS,
        columns=_EDU_COLUMNS,
        headline=Column.COVERAGE,
        load=_later("edus.measure", "load_oracle_be"),
        needs=frozenset({Need.SOURCE}),
        plug_ins=frozenset({PlugIn.EDUS}),
        options=_EDU_ORACLE_OPTIONS,
    ),
)


_APE_LIMITS = (
    "It needs a pyramid whose SCUs have words in the references. Most of a mention's triples must "
    "be in one sentence. So it misses an SCU that a summary spreads over two sentences, or "
    "expresses in other words. Errors of the parser cost triples on both sides."
)
_APE_UNITS = "AMR triples of each mention of an SCU, cut out of the AMR of its sentence."
_APE_WORTH = "The weight of the SCU; an SCU counts once."
_APE_MATCH = (
    "More than .75 of one mention's triples agree with those of one sentence, under the best "
    "mapping of variables, proven. By option, more than .75 of its lemmas are there."
)

_APE_OPTIONS: Mapping[str, Option] = MappingProxyType({"compare": Option(("triples", "lemmas"))})
# alpha of the paper, section 5: blind, and the best on TAC 2009.
_APE_SU4_OPTIONS: Mapping[str, Option] = MappingProxyType(
    {**_APE_OPTIONS, "alpha": Option(("0.5", "0.2"))}
)

_APE_ROWS = (
    ContentMethod(
        name="ape",
        description=(
            "The weight of the SCUs whose meaning, as a graph, is mostly in a sentence of the "
            "summary (APE)."
        ),
        units=_APE_UNITS,
        worth=_APE_WORTH,
        match=_APE_MATCH,
        score="The sum of the weights, by the best sum for an average reference (coverage).",
        limits=_APE_LIMITS,
        columns=frozenset({Column.UNITS, Column.RAW, Column.COVERAGE}),
        headline=Column.COVERAGE,
        load=_later("ape", "load_ape"),
        needs=frozenset({Need.PYRAMID}),
        plug_ins=frozenset({PlugIn.AMR}),
        options=_APE_OPTIONS,
    ),
    ContentMethod(
        name="ape+su4",
        description="APE and the recall of ROUGE-SU4 in one number (APE + ROUGE-SU4).",
        units=_APE_UNITS,
        worth=_APE_WORTH,
        match=_APE_MATCH,
        score=(
            "The paper's \u03b1 times APE and 1 - \u03b1 times the recall of ROUGE-SU4 "
            "(comprehensive). \u03b1 is the blind .5 or, by option, the .2 of TAC 2009."
        ),
        limits=_APE_LIMITS,
        columns=frozenset({Column.UNITS, Column.RAW, Column.COVERAGE, Column.COMPREHENSIVE}),
        headline=Column.COMPREHENSIVE,
        load=_later("ape", "load_ape_su4"),
        needs=frozenset({Need.PYRAMID}),
        plug_ins=frozenset({PlugIn.AMR}),
        options=_APE_SU4_OPTIONS,
    ),
)


CONTENT_METHODS: Mapping[str, ContentMethod] = MappingProxyType(
    {
        row.name: row
        for row in (
            *_ROUGE_ROWS,
            *_BASIC_ELEMENTS_ROWS,
            *_PEAK_ROWS,
            *_EDU_ROWS,
            *_APE_ROWS,
        )
    }
)


def get_method(name: str) -> Method:
    """The method of that name; an InputError lists the names if there is none."""
    if name in CONTENT_METHODS:
        raise InputError(
            f"The method “{name}” builds no pyramid of ideas. The methods that do are: "
            f"{', '.join(METHODS)}."
        )
    try:
        return METHODS[name]
    except KeyError:
        raise _unknown(name) from None


def check_encoder(method_name: str, encoder_dir: Path | None) -> None:
    """InputError where an encoder is given to a method that has no use for it."""
    if encoder_dir and not get_method(method_name).compares_in_context:
        raise InputError(
            f"The method “{method_name}” does not compare words in context. Leave out the encoder."
        )


def get_content_method(name: str) -> ContentMethod:
    """The sister system of that name; an InputError lists the names if there is none."""
    if name in METHODS:
        raise InputError(
            f"The method “{name}” builds pyramids of ideas. The methods with models of content of "
            f"their own are: {', '.join(CONTENT_METHODS)}."
        )
    try:
        return CONTENT_METHODS[name]
    except KeyError:
        raise _unknown(name) from None


def _unknown(name: str) -> InputError:
    known = ", ".join((*METHODS, *CONTENT_METHODS))
    return InputError(f"There is no method “{name}”. The methods are: {known}.")


def settings_of(method: Method) -> BuildSettings:
    """How the method builds unless somebody chooses otherwise."""
    config = method.config
    return BuildSettings(
        builder=next(name for name, builder in BUILDERS.items() if builder is method.builder),
        edge_percentile=config.edge_percentile if config.edges_per_segment is None else None,
        beta=config.beta,
    )


def with_settings(method: Method, settings: BuildSettings) -> Method:
    """The method, building otherwise; its name and options, and so the signature, tell of it."""
    if settings.builder not in BUILDERS:
        known = ", ".join(BUILDERS)
        raise InputError(f"There is no builder “{settings.builder}”. The builders are: {known}.")
    builder, config = BUILDERS[settings.builder], method.config
    config = replace(
        config,
        method=method.name if builder is method.builder else f"{method.name}-{settings.builder}",
        beta=settings.beta,
    )
    if settings.edge_percentile is None:
        edges = _MUTUAL_EDGES if settings.builder == "mutual" else _EDGES
        config = replace(config, edges_per_segment=edges)
    else:
        config = replace(config, edge_percentile=settings.edge_percentile, edges_per_segment=None)
    return replace(method, config=config, builder=builder)


def with_points(method: Method, points: Points) -> Method:
    """The method, counting such points; a method that knows no probabilities stays as it is."""
    if not method.knows_probabilities:
        return method
    return replace(method, config=replace(method.config, points=points))


def with_match_probability(method: Method, cut: float | None) -> Method:
    """The method, matching from this probability on; a method that knows none stays as it is."""
    if cut is None or not method.knows_probabilities:
        return method
    return replace(method, config=replace(method.config, match_probability=cut))


def with_match_threshold(method: Method, threshold: float | None) -> Method:
    """The method, matching from this similarity on; None: one learnt from each pyramid.

    A method that matches by probability refuses: there the similarity is only a step on the way.
    """
    if method.knows_probabilities:
        raise InputError(
            f"The method “{method.name}” matches by probability, not by similarity: it has no "
            "match threshold."
        )
    return replace(method, config=replace(method.config, match_threshold=threshold))


def with_learnt_curve(method: Method, curve: LearntCurve | None) -> Method:
    """The method with what was learnt from people's marks; one without probabilities stays."""
    if curve is None or not method.knows_probabilities:
        return method
    return replace(method, config=replace(method.config, learnt_curve=curve))
