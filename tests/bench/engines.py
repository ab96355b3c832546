"""The methods that are measured, loaded once; texts that several methods read, read once."""

from collections.abc import Sequence
from dataclasses import replace

from grading.pyramid.pipeline import Engine, make_engine, read_summaries
from grading.pyramid.registry import METHODS
from grading.pyramid.structures import SegmentedText, Text

WITHOUT_MINILM = "classroom, no MiniLM"
NAMES = (*METHODS, WITHOUT_MINILM)

_Key = tuple[str, int, tuple[Text, ...]]
_read: dict[_Key, list[SegmentedText]] = {}
loaded: dict[str, Engine] = {}


def engine_of(name: str) -> Engine:
    if name not in loaded:
        without = name == WITHOUT_MINILM
        loaded[name] = make_engine("classroom" if without else name, minilm=not without)
    return loaded[name]


def matching_differently(names: Sequence[str]) -> list[str]:
    """Without those that differ from an earlier one in how they build pyramids only."""
    first: dict[object, str] = {}
    for name in names:
        engine = engine_of(name)
        config = replace(engine.method.config, method="")
        first.setdefault((engine.similarity.name, engine.method.matcher, config), name)
    return list(first.values())


def read_once(texts: Sequence[Text], engine: Engine) -> list[SegmentedText]:
    """Parsed and cut: the same for all methods with this parser and as many segmentations."""
    key = engine.parser.name, engine.method.config.max_segmentations, tuple(texts)
    if key not in _read:
        _read[key] = read_summaries(texts, engine)
    return _read[key]


def remembering(name: str, texts: int) -> Engine:
    """A method that keeps what it found out about so many texts, as a worker does."""
    if name == WITHOUT_MINILM:
        return make_engine("classroom", minilm=False, remembered=texts)
    return make_engine(name, remembered=texts)
