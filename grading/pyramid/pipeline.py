"""The whole story: references to a pyramid, a pyramid and summaries to scores."""

import gc
import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from grading.pyramid.config import CORE_VERSION
from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import Json
from grading.pyramid.formats.segmented_text import (
    SEGMENTED_FORMAT,
    segmented_text_from_json,
    segmented_text_to_json,
)
from grading.pyramid.idea_similarity import ScuParts
from grading.pyramid.language import ENGLISH, language_of
from grading.pyramid.matchers.text_facts import FACTS_FORMAT, TextFacts, facts_about
from grading.pyramid.parsing import Parser, SpacyParser
from grading.pyramid.registry import DEFAULT_METHOD, Matcher, Method, get_method
from grading.pyramid.scores import score
from grading.pyramid.segment_graph import link_segments
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.similarity import Matrix, Similarity, lexical_recall
from grading.pyramid.structures import (
    Pyramid,
    ReadTexts,
    ScoreReport,
    SegmentedText,
    Text,
    Unit,
)

Scorer = Callable[[SegmentedText], ScoreReport]
Probabilities = Callable[[SegmentedText], dict[int, float]]  # by the uid of the idea
Progress = Callable[[str, int, int], None]  # what is being done, how many are done, of how many

_REMEMBERED_REFERENCES = 256
_references: dict[str, OrderedDict[Text, SegmentedText]] = {}  # by what reads them

_COLLECTED_AFTER = (50_000, 20, 100)  # new objects; collections of these; collections of those
_BATCH = 16  # summaries parsed at a time: enough to be fast, few enough to tell of progress
READ_AHEAD = 64  # texts whose words are read together: more sentences of one length


def no_progress(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A method with the models that it needs, loaded."""

    parser: Parser
    similarity: Similarity
    method: Method

    @property
    def signature(self) -> str:
        """Names the method, its options and models; every number made with them carries it."""
        return self.method.config.signature(self.parser.name, self.similarity.name)

    @property
    def reader(self) -> str:
        """Names all that a reading depends on: a change makes new readings."""
        memory = self.similarity.memory
        most = self.method.config.max_segmentations
        form = f"core {CORE_VERSION}, format {SEGMENTED_FORMAT}"
        names = (self.parser.name, f"{most} ways", memory.name if memory else "no vectors", form)
        return hashlib.sha256("|".join(names).encode()).hexdigest()

    @property
    def judge(self) -> str:
        """Names all that facts about a text depend on: a change finds them anew."""
        names = (self.reader, self.similarity.name, f"facts {FACTS_FORMAT}")
        return hashlib.sha256("|".join(names).encode()).hexdigest()

    def facts_about(self, text: SegmentedText) -> TextFacts:
        """What matching found out about a text, in this process or in another."""
        return facts_about(text, self.similarity.name)


@dataclass(frozen=True, slots=True)
class KeptReading:
    """What was read of a text, to be kept: its segments as JSON, its words' vectors as bytes."""

    segments: Json
    vectors: bytes


def make_engine(
    method_name: str = DEFAULT_METHOD,
    *,
    minilm: bool = True,
    remembered: int = 0,
    encoder_dir: Path | None = None,
) -> Engine:
    """Load what a method needs: this takes seconds, and memory. Less without MiniLM.

    ``remembered`` texts can be scored again at once after an edit of the pyramid. The encoder in
    ``encoder_dir`` takes the place of MiniLM where a method compares words in context.
    """
    _spare_the_collector()
    method = get_method(method_name)
    if not minilm and method.name == DEFAULT_METHOD:
        return Engine(SpacyParser(), lexical_recall(remembered), method)
    return Engine(SpacyParser(), method.similarity(remembered, encoder_dir), method)


@cache
def _spare_the_collector() -> None:
    """Have Python look for garbage in cycles less often.

    Parses and readings are many small objects without cycles, of which none is found there: going
    through them took a sixth of the time of a first effect, and a third of the next one.
    """
    gc.freeze()
    gc.set_threshold(*_COLLECTED_AFTER)


def build_pyramid(
    references: Sequence[Text], engine: Engine, *, progress: Progress = no_progress
) -> Pyramid:
    """The pyramid of the references; their order makes no difference."""
    check_references(references)
    progress("Reading the references", 0, len(references))
    texts = read_summaries(references, engine)
    config = engine.method.config
    for text in texts:
        sentences = (text.text.words_at((sentence.span,)) for sentence in text.sentences)
        if not any(config.counts(words) for words in sentences):
            raise InputError(
                f"The reference “{text.text.name}” has no sentence of "
                f"at least {config.min_words} words."
            )

    def compare(units: Sequence[Unit]) -> Matrix:
        progress("Comparing ideas", 0, len(units))
        return engine.similarity.among(units)

    graph = link_segments(texts, compare, engine.method.config)
    progress("Building the pyramid", 0, 1)
    pyramid = engine.method.builder(graph, engine.method.config)
    return replace(pyramid, signature=engine.signature)


def read_ahead(texts: Sequence[Text], engine: Engine) -> None:
    """Read the words of texts that are scored next, at most READ_AHEAD, which is quicker."""
    if engine.similarity.memory:
        engine.similarity.memory.read_ahead([text.content for text in texts])


def read_summaries(texts: Sequence[Text], engine: Engine) -> list[SegmentedText]:
    """Parse texts and cut them into segments; the result for a text does not depend on others."""
    read_ahead(texts, engine)
    most = engine.method.config.max_segmentations
    return [segment(parsed, max_segmentations=most) for parsed in engine.parser.parse(texts)]


def keep_reading(text: SegmentedText, engine: Engine) -> KeptReading:
    """What spares the text from being read again, in whatever process."""
    memory = engine.similarity.memory
    vectors = memory.keep(text.text.content) if memory else b""
    return KeptReading(segmented_text_to_json(text), vectors)


def take_reading(text: Text, kept: KeptReading, engine: Engine) -> SegmentedText:
    """The text as it was read, by the same reader. InputError where what was kept is damaged."""
    segmented = segmented_text_from_json(kept.segments, text)
    if engine.similarity.memory:
        engine.similarity.memory.give_back(text.content, kept.vectors)
    return segmented


def has_new_facts(text: SegmentedText, engine: Engine) -> bool:
    """Are there enough new facts about a text to keep them?"""
    from grading.pyramid.matchers.kept_facts import has_news  # noqa: PLC0415 - see the registry

    return has_news(engine.facts_about(text))


def keep_text_facts(text: SegmentedText, engine: Engine) -> bytes:
    """The facts about a text as bytes, for any process with the same judge."""
    from grading.pyramid.matchers.kept_facts import keep_facts  # noqa: PLC0415

    return keep_facts(engine.facts_about(text), text.text.content)


def take_text_facts(text: SegmentedText, kept: bytes, engine: Engine) -> None:
    """Add facts that the same judge kept. InputError where they are damaged."""
    from grading.pyramid.matchers.kept_facts import give_back_facts  # noqa: PLC0415

    give_back_facts(engine.facts_about(text), text.text.content, kept)


def prepare_matcher(pyramid: Pyramid, engine: Engine, read: ReadTexts | None = None) -> Matcher:
    """What finds the ideas that count in texts.

    ``read`` reads references and labels, if the method needs them; else ``read_references`` does.
    """
    method = engine.method
    return method.matcher(
        pyramid.counted(),
        engine.similarity,
        method.config,
        read or (lambda texts: read_references(texts, engine)),
    )


def texts_of_pyramid(pyramid: Pyramid) -> list[Text]:
    """The references, and the labels that texts are compared with."""
    labels = (unit.text for unit in ScuParts.of(pyramid.counted()).units)
    return [*dict.fromkeys((*pyramid.references, *labels))]


def known_references(texts: Sequence[Text], engine: Engine) -> dict[Text, SegmentedText]:
    """Those of the texts that need not be read any more."""
    known: Mapping[Text, SegmentedText] = _references.get(engine.reader, {})
    return {text: known[text] for text in texts if text in known}


def remember_references(texts: Iterable[SegmentedText], engine: Engine) -> None:
    """Spare these texts from being read, as long as not too many others are."""
    known = _references.setdefault(engine.reader, OrderedDict())
    for text in texts:
        known[text.text] = text
        known.move_to_end(text.text)
    while len(known) > _REMEMBERED_REFERENCES:
        known.popitem(last=False)


def read_references(texts: Sequence[Text], engine: Engine) -> list[SegmentedText]:
    """The same as ``read_summaries``; what was read last is remembered, as it is often edited."""
    known = known_references(texts, engine)
    unknown = [text for text in dict.fromkeys(texts) if text not in known]
    known.update(zip(unknown, read_summaries(unknown, engine), strict=True))
    read = [known[text] for text in texts]
    remember_references(read, engine)
    return read


def prepare_probabilities(pyramid: Pyramid, engine: Engine) -> Probabilities:
    """How probable each idea is in a text, before anything was learnt from people's marks."""
    config = replace(engine.method.config, match_probability=None, learnt_curve=None)
    method = replace(engine.method, config=config)
    return prepare_matcher(pyramid, replace(engine, method=method)).strengths


def prepare_scorer(
    pyramid: Pyramid, engine: Engine, read: ReadTexts | None = None, *, explained: bool = True
) -> Scorer:
    """What scores any number of texts with one pyramid; ``read`` as for ``prepare_matcher``.

    Reports that are not ``explained`` have the same evidence and numbers, and no words.
    """
    counted, signature = pyramid.counted(), engine.signature
    points = engine.method.config.points
    matcher = prepare_matcher(pyramid, engine, read)

    def scored(text: SegmentedText) -> ScoreReport:
        evidence = matcher.match(text)
        report = score(counted, evidence, signature, points=points, explained=explained)
        return replace(report, remarks=language_remarks(text.text)) if explained else report

    return scored


def score_read(
    pyramid: Pyramid, texts: Iterable[SegmentedText], engine: Engine
) -> Iterator[ScoreReport]:
    """Reports of texts that were read before: after an edit nobody is parsed again."""
    yield from map(prepare_scorer(pyramid, engine), texts)


def score_summaries(
    pyramid: Pyramid, summaries: Sequence[Text], engine: Engine, *, progress: Progress = no_progress
) -> Iterator[ScoreReport]:
    """A report for each summary, in order, as it is made; none depends on the others."""
    progress("Reading the pyramid", 0, len(summaries))

    def read() -> Iterator[SegmentedText]:
        for start in range(0, len(summaries), _BATCH):
            progress("Scoring the summaries", start, len(summaries))
            if start % READ_AHEAD == 0:
                read_ahead(summaries[start : start + READ_AHEAD], engine)
            yield from read_summaries(summaries[start : start + _BATCH], engine)

    return score_read(pyramid, read(), engine)


def score_summary(pyramid: Pyramid, summary: Text, engine: Engine) -> ScoreReport:
    """The report of one summary."""
    return next(score_summaries(pyramid, [summary], engine))


def language_remarks(text: Text) -> tuple[str, ...]:
    """What to say of a text that seems to be in another language; nothing of an English one."""
    language = language_of(text.content)
    if language in {None, ENGLISH}:
        return ()
    return (f"This text seems to be in {language.name}. Only English can be scored.",)


def check_references(references: Sequence[Text]) -> None:
    """InputError where there is none, two share a name, or one is in another language."""
    if not references:
        raise InputError("There is no reference summary to build a pyramid from.")
    for name, count in Counter(text.name for text in references).items():
        if count > 1:
            raise InputError(f"{count} references are named “{name}”. Give each a name of its own.")
    for text in references:
        language = language_of(text.content)
        if language not in {None, ENGLISH}:
            raise InputError(
                f"The reference “{text.name}” seems to be in {language.name}. "
                "Only English can be read."
            )
