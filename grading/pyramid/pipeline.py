"""The whole story: references to a pyramid, a pyramid and summaries to scores."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from grading.pyramid.config import Config
from grading.pyramid.encoders import Encoder
from grading.pyramid.errors import InputError
from grading.pyramid.parsing import Parser, SpacyParser
from grading.pyramid.registry import DEFAULT_METHOD, Method, get_method
from grading.pyramid.scores import score
from grading.pyramid.segment_graph import Compare, Matrix, link_segments
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Pyramid, ScoreReport, SegmentedText, Text, Unit

Progress = Callable[[str, int, int], None]  # what is being done, how many are done, of how many

_BATCH = 16  # summaries parsed at a time: enough to be fast, few enough to tell of progress


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A method with the models that it needs, loaded."""

    parser: Parser
    encoder: Encoder
    method: Method

    @property
    def signature(self) -> str:
        """Names the method, its options and models; every number made with them carries it."""
        return self.method.config.signature(self.parser.name, self.encoder.name)


def make_engine(method_name: str = DEFAULT_METHOD) -> Engine:
    """Load what a method needs: this takes seconds, and memory."""
    method = get_method(method_name)
    return Engine(SpacyParser(), method.encoder(), method)


def build_pyramid(
    references: Sequence[Text], engine: Engine, *, progress: Progress = _silent
) -> Pyramid:
    """The pyramid of the references; their order makes no difference."""
    _check_names(references)
    progress("Reading the references", 0, len(references))
    texts = _read(references, engine)
    _check_sentences(texts, engine.method.config)

    def compare(units: Sequence[Unit]) -> Matrix:
        progress("Comparing ideas", 0, len(units))
        vectors = engine.encoder.encode(units)
        return engine.method.similarity(vectors, vectors)

    graph = link_segments(texts, compare, engine.method.config)
    progress("Building the pyramid", 0, 1)
    pyramid = engine.method.builder(graph, engine.method.config)
    return replace(pyramid, signature=engine.signature)


def score_summaries(
    pyramid: Pyramid, summaries: Sequence[Text], engine: Engine, *, progress: Progress = _silent
) -> Iterator[ScoreReport]:
    """A report for each summary, in order, as it is made; none depends on the others."""
    progress("Reading the pyramid", 0, len(summaries))
    match = engine.method.matcher(pyramid, _against(engine), engine.method.config)
    for start in range(0, len(summaries), _BATCH):
        progress("Scoring the summaries", start, len(summaries))
        for text in _read(summaries[start : start + _BATCH], engine):
            yield score(pyramid, match(text), engine.signature)


def score_summary(pyramid: Pyramid, summary: Text, engine: Engine) -> ScoreReport:
    """The report of one summary."""
    return next(score_summaries(pyramid, [summary], engine))


def _read(texts: Sequence[Text], engine: Engine) -> list[SegmentedText]:
    most = engine.method.config.max_segmentations
    return [segment(parsed, max_segmentations=most) for parsed in engine.parser.parse(texts)]


def _against(engine: Engine) -> Callable[[Sequence[Unit]], Compare]:
    """Ready units for comparison, once for all summaries."""

    def ready(units: Sequence[Unit]) -> Compare:
        columns = engine.encoder.encode(units)
        return lambda rows: engine.method.similarity(engine.encoder.encode(rows), columns)

    return ready


def _check_names(references: Sequence[Text]) -> None:
    if not references:
        raise InputError("There is no reference summary to build a pyramid from.")
    for name, count in Counter(text.name for text in references).items():
        if count > 1:
            raise InputError(f"{count} references are named “{name}”. Give each a name of its own.")


def _check_sentences(texts: Sequence[SegmentedText], config: Config) -> None:
    for text in texts:
        sentences = (text.text.words_at((sentence.span,)) for sentence in text.sentences)
        if not any(config.counts(words) for words in sentences):
            raise InputError(
                f"The reference “{text.text.name}” has no sentence of "
                f"at least {config.min_words} words."
            )
