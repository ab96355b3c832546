"""References to a model of content, and summaries to scores by it: the story of every row of
``registry.CONTENT_METHODS``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from grading.pyramid.content import (
    ContentMeasure,
    ContentMethod,
    ContentModel,
    ContentScore,
    ContentScorer,
    ContentUnit,
    Material,
    Need,
    Options,
    PlugIns,
    TextUnits,
)
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import ParsedSentence, ParsedText, Parser, SpacyParser
from grading.pyramid.pipeline import (
    Progress,
    check_references,
    language_remarks,
    no_progress,
)
from grading.pyramid.registry import Method, get_content_method
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Pyramid, SegmentedText, Text

_BATCH = 16  # summaries parsed at a time: enough to be fast, few enough to report progress


@dataclass(frozen=True, slots=True)
class ContentEngine:
    """A method of the frame with its options, resources and parser, loaded."""

    parser: Parser
    method: ContentMethod
    measure: ContentMeasure
    options: Options
    plug_ins: PlugIns

    @property
    def signature(self) -> str:
        """Names the method, its options, files and models; every score and model carries it."""
        resources = (self.parser.name, *self.measure.resources)
        return self.method.signature(self.options, self.plug_ins, *resources)


def make_content_engine(
    method_name: str,
    *,
    parser: Parser | None = None,
    options: Options | None = None,
    plug_ins: PlugIns | None = None,
) -> ContentEngine:
    """Load a method of the frame; spaCy's parser too, unless a parser is given."""
    method = get_content_method(method_name)
    chosen, files = method.with_defaults(options or {}), plug_ins or {}
    for plug_in in files:
        if plug_in not in method.plug_ins:
            raise InputError(
                f"The method “{method.name}” takes no {plug_in.value} file. "
                f"Leave out --{plug_in.value}."
            )
    return ContentEngine(parser or SpacyParser(), method, method.load(chosen, files), chosen, files)


def build_content_model(
    references: Sequence[Text],
    engine: ContentEngine,
    *,
    source: Text | None = None,
    pyramid: Pyramid | None = None,
    progress: Progress = no_progress,
) -> ContentModel:
    """The model of the references; their order makes no difference.

    A method that needs a pyramid reads the pyramid's own references, if it has any (a rubric has
    none): its contributors point into them. InputError where the method needs a source or a
    pyramid that is not given.
    """
    is_rubric = False
    if pyramid and Need.PYRAMID in engine.method.needs:
        references = pyramid.references or references
        is_rubric = not references
    if not is_rubric:
        check_references(references)
    check_needs(engine.method, source=source, pyramid=pyramid)
    progress("Reading the references", 0, len(references))
    in_order = sorted(references, key=lambda text: text.name)
    parsed = engine.parser.parse(in_order)
    [parsed_source] = engine.parser.parse([source]) if source else [None]
    bare = [scu for scu in pyramid.scus if not scu.contributors] if pyramid else []
    labels = engine.parser.parse([Text(f"SCU {scu.uid}", scu.label) for scu in bare])
    by_uid = {scu.uid: label for scu, label in zip(bare, labels, strict=True)}
    progress("Building the model of content", 0, 1)
    material = Material(tuple(parsed), parsed_source, pyramid, by_uid)
    model = engine.measure.make_model(material)
    return replace(
        model, method=engine.method.name, options=engine.options, signature=engine.signature
    )


def check_needs(method: ContentMethod, *, source: Text | None, pyramid: Pyramid | None) -> None:
    """InputError that says what is missing for the method."""
    if Need.SOURCE in method.needs and source is None:
        raise InputError(
            f"The method “{method.name}” needs the source text that was summarised: "
            "name its file with --source."
        )
    if Need.PYRAMID in method.needs and pyramid is None:
        raise InputError(
            f"The method “{method.name}” needs a pyramid of ideas. Give a .pyr file instead of "
            "the references."
        )


def prepare_content_scorer(model: ContentModel, engine: ContentEngine) -> ContentScorer:
    """What scores any number of parsed summaries; InputError where the model is another method's.

    Models that were made with other options are refused as well: they would not match.
    """
    if model.method != engine.method.name:
        raise InputError(
            f"This model of content is of the method “{model.method}”, not “{engine.method.name}”."
        )
    for name, value in engine.options.items():
        made_with = model.options.get(name)
        if made_with != value:
            raise InputError(
                f"This model of content was made with {name}={made_with}, not {value}. "
                "Build it again, or choose the same."
            )
    scored, signature = engine.measure.prepare(model), engine.signature

    def score(summary: ParsedText) -> ContentScore:
        content_score = scored(summary)
        remarks = (*content_score.remarks, *language_remarks(summary.text))
        return replace(content_score, signature=signature, remarks=remarks)

    return score


def score_content(
    model: ContentModel,
    summaries: Sequence[Text],
    engine: ContentEngine,
    *,
    progress: Progress = no_progress,
) -> Iterator[ContentScore]:
    """A score for each summary, in order, as it is made; none depends on the others."""
    score = prepare_content_scorer(model, engine)
    for start in range(0, len(summaries), _BATCH):
        progress("Scoring the summaries", start, len(summaries))
        yield from map(score, engine.parser.parse(summaries[start : start + _BATCH]))


ReadUnits = Callable[[ParsedText], tuple[ContentUnit, ...]]


def units_of(text: ParsedText, read: ReadUnits) -> TextUnits:
    """The units of a parsed text with its sentences, as ``read_units`` writes them."""
    return TextUnits(text.text, tuple(sentence.span for sentence in text.sentences), read(text))


def clause_reader(method: Method) -> ReadUnits:
    """The units of PyrEval's own methods: the segments of all segmentations, as kind “clause”."""

    def read(text: ParsedText) -> tuple[ContentUnit, ...]:
        segmented = segment(text, max_segmentations=method.config.max_segmentations)
        return tuple(
            ContentUnit("clause", segment.spans, {"sentence": number, "segmentation": way})
            for number, sentence in enumerate(segmented.sentences)
            for way, segmentation in enumerate(sentence.segmentations)
            for segment in segmentation.segments
        )

    return read


def parsed_again(text: SegmentedText) -> ParsedText:
    """The parse that a kept reading holds, so that a text is parsed once for all methods."""
    return ParsedText(
        text.text,
        tuple(ParsedSentence(sentence.span, sentence.tokens) for sentence in text.sentences),
    )
