"""EDU pyramids: where units begin, agreement on topics that have a source, and time.

The corpus of EDUs is evaluation and training data that stays beside the project
(../shared/data/README.md); its test part is kept aside, and dev.jsonl is what choices were made by.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
    prepare_content_scorer,
)
from grading.pyramid.correlations import pearson
from grading.pyramid.edus.segmenter import shipped_segmenter
from grading.pyramid.edus.training import (
    Boundaries,
    MarkedText,
    boundaries,
    read_documents,
    together,
)
from grading.pyramid.edus.units import SegmentedUnits
from grading.pyramid.parsing import ParsedText, SpacyParser
from grading.pyramid.structures import Text
from tests.bench import realsumm
from tests.bench.sisters import weighted_lemmas
from tests.bench.statistics import Numbers, Rows, over_rounds, with_spread
from tests.bench.table import Reach, Row, Table
from tests.bench.timing import Remembered, seconds
from tests.bench.topics import Topic

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "gum_edu"
NAMES = ("edu-alignment", "edu-oracle-rouge", "edu-oracle-be")
COMPARED = ("be-hm", "rouge-2")  # sister systems that need no source
_ROUNDS = 3


def tables(topics: Sequence[Topic]) -> Iterator[Table]:
    parser = SpacyParser()
    if FOLDER.exists():
        yield _units(parser)
    for topic in topics:
        yield _agreement(topic, parser)
    if realsumm.FILE.exists():
        yield _on_news(realsumm.load(), parser)
    yield _times(topics, parser)


def _units(parser: SpacyParser) -> Table:
    documents = read_documents(FOLDER / "dev.jsonl")
    given = [document.tokenised for document in documents]
    running = [document.running for document in documents]
    parsed_given = parser.parse_tokenised([given_text.text for given_text in given])
    parsed_running = parser.parse([running_text.text for running_text in running])
    rows = [
        _f1_row("given sentences", _counts(given, parsed_given), Reach(0.92)),
        _f1_row("own sentences", _counts(running, parsed_running), Reach(0.905)),
        _f1_row("given sentences, starts within them", _within(given, parsed_given), None),
    ]
    return Table(
        f"Where units begin: F1 on dev.jsonl of gum_edu ({len(documents)} documents)",
        "Documents are redrawn. The aims are for the test part, which is kept aside; choices were "
        "made by this part.",
        tuple(rows),
    )


def _counts(marked: Sequence[MarkedText], parsed: Sequence[ParsedText]) -> list[Boundaries]:
    cutter = SegmentedUnits(shipped_segmenter())
    return [
        boundaries(first, (spans[0].start for spans in cutter.spans_of(text)))
        for first, text in zip(marked, parsed, strict=True)
    ]


def _within(marked: Sequence[MarkedText], parsed: Sequence[ParsedText]) -> list[Boundaries]:
    """Without the starts of sentences, which are given."""
    sentences = [len(text.sentences) for text in parsed]
    return [
        Boundaries(first.right - count, first.found - count, first.marked - count)
        for first, count in zip(_counts(marked, parsed), sentences, strict=True)
    ]


def _f1_row(what: str, counts: Sequence[Boundaries], reach: Reach | None) -> Row:
    def f1(rows: Rows) -> float:
        return together(counts[row] for row in rows).f1

    return Row("segmenter", what, with_spread(f1, len(counts)), reach, 3)


def _agreement(topic: Topic, parser: SpacyParser) -> Table:
    """With what people found: the weights of the ideas that a text expresses."""
    weights = {scu.uid: scu.weight for scu in topic.pyramid.scus}
    by_hand = np.array(
        [sum(weights[uid] for uid in topic.gold[text.name].expressed) for text in topic.students],
        dtype=np.float64,
    )
    source = Text("source", topic.source)
    students = parser.parse(topic.students)
    columns: dict[str, Numbers] = {}
    for name in (*NAMES, *COMPARED):
        engine = make_content_engine(name, parser=parser)
        model = build_content_model(topic.references, engine, source=source)
        score = prepare_content_scorer(model, engine)
        points = [score(text).raw or 0.0 for text in students]
        columns[name] = np.array(points, dtype=np.float64)
    columns["plain lemmas"] = weighted_lemmas(parser.parse(topic.references), students)
    return Table(
        f"EDU pyramids, own topic: {topic.name} ({len(topic.students)} texts)",
        "Pearson of the sum of points with the weights of the ideas that a text expresses. "
        "Annotated by one person of the project; references and students paraphrase the source.",
        tuple(_correlation(name, values, by_hand) for name, values in columns.items()),
    )


def _correlation(name: str, values: Numbers, by_hand: Numbers) -> Row:
    def correlation(rows: Rows) -> float:
        return pearson(values[rows], by_hand[rows])

    return Row(name, "r with raw by hand", with_spread(correlation, len(values)), None, 3)


def _on_news(documents: Sequence[realsumm.Document], parser: SpacyParser) -> Table:
    """The articles are not there: the systems' sentences are in their place."""
    truth = [
        np.array([mask.sum() for mask in document.truth], dtype=np.float64)
        for document in documents
    ]
    columns: dict[str, list[Numbers]] = {name: [] for name in (*NAMES, "plain lemmas")}
    engines = {name: make_content_engine(name, parser=parser) for name in NAMES}
    for document in documents:
        summaries = parser.parse(document.summaries)
        sentences = {
            text.text.words_at((sentence.span,)): None
            for text in summaries
            for sentence in text.sentences
        }
        source = Text("source", "\n\n".join(sorted(sentences)))
        for name, engine in engines.items():
            model = build_content_model([document.reference], engine, source=source)
            score = prepare_content_scorer(model, engine)
            points = [score(text).raw or 0.0 for text in summaries]
            columns[name].append(np.array(points, dtype=np.float64))
        lemmas = weighted_lemmas(parser.parse([document.reference]), summaries)
        columns["plain lemmas"].append(lemmas)
    rows = []
    for name, values in columns.items():
        each = np.array([pearson(*pair) for pair in zip(values, truth, strict=True)])
        mean = functools.partial(_mean_of, each)
        rows.append(Row(name, "mean r within a document", with_spread(mean, len(each)), None, 3))
    return Table(
        f"EDU pyramids, REALSumm ({len(documents)} documents, 25 systems), with a stand-in source",
        "Pearson of the sum of points with the number of units that people found, within a "
        "document; one reference. The source is all different sentences of all systems' summaries, "
        "so this is no run of the paper's method; where all points are 0 the document is left out.",
        tuple(rows),
    )


def _mean_of(values: Numbers, rows: Rows) -> float:
    return float(np.nanmean(values[rows]))


def _times(topics: Sequence[Topic], parser: SpacyParser) -> Table:
    """Two topics' articles make one source of about 900 words."""
    both = topics[:2]
    source = Text("source", "\n\n".join(topic.source for topic in both))
    references = [
        Text(f"{topic.name} {text.name}", text.content)
        for topic in both
        for text in topic.references
    ]
    rows = []
    for name in NAMES:
        known = Remembered(parser, [source, *references])
        engine = make_content_engine(name, parser=known)
        rounds = [_build_seconds(source, references, engine) for _ in range(_ROUNDS + 1)]
        reach = Reach(0.1 if name == NAMES[0] else 1.0, most=True)
        rows.append(Row(name, "seconds a reference", over_rounds(rounds[1:]), reach, 3))
    return Table(
        f"Extractive references of a source of {source.word_count} words",
        "CPU after the parse, units and their words included; the first round is left out.",
        tuple(rows),
        ("", "rounds"),
    )


def _build_seconds(source: Text, references: Iterable[Text], engine: ContentEngine) -> float:
    texts = list(references)
    built = functools.partial(build_content_model, texts, engine, source=source)
    return seconds(built).cpu / len(texts)
