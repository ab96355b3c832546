"""Topics of our own: references, a gold pyramid, and students whose texts people annotated.

Everything is written for the project, and was annotated before the product read it
(tests/topics/README.md). Reading fails loudly where a file and its annotation disagree.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading.pyramid.structures import Contributor, Pyramid, Scu, Span, Spans, Text

FOLDER = Path(__file__).resolve().parents[1] / "topics"
CATEGORIES = ("excellent", "good", "medium", "mixed", "opposite", "weak")
_STATUSES = ("expressed", "contradicted")


@dataclass(frozen=True)
class Gold:
    """What a person found in a student's text.

    ``expressed`` and ``contradicted`` say for the uid of each idea where; ``other`` are the
    statements that belong to no idea; ``statements`` counts all of them, each once.
    """

    category: str
    expressed: Mapping[int, Spans]
    contradicted: Mapping[int, Spans]
    other: tuple[Spans, ...]
    statements: int


@dataclass(frozen=True)
class Denial:
    """A student's text in which a person denied each idea."""

    student: str
    text: Text


@dataclass(frozen=True)
class Topic:
    """An assignment with its gold annotation; ``gold`` is by the name of the student's text.

    ``rhetoric`` are the words of each reference that are no idea.
    """

    name: str
    source: str
    references: tuple[Text, ...]
    pyramid: Pyramid
    rhetoric: Mapping[str, tuple[Spans, ...]]
    students: tuple[Text, ...]
    gold: Mapping[str, Gold]
    denial: Denial

    def student(self, name: str) -> Text:
        return next(text for text in self.students if text.name == name)


def load_topics() -> tuple[Topic, ...]:
    """All topics in the order of their names."""
    return tuple(load_topic(file.parent) for file in sorted(FOLDER.glob("*/gold.json")))


def load_topic(folder: Path) -> Topic:
    """The topic of a folder; a ValueError names the file and the words that do not fit."""
    data = json.loads((folder / "gold.json").read_text("utf-8"))
    references, students = _texts(folder / "references"), _texts(folder / "students")
    pyramid = _pyramid(folder, data["ideas"], references)
    _require_same(folder / "students", [text.name for text in students], data["students"])
    uids = {scu.uid for scu in pyramid.scus}
    denied = data["denied_by_hand"]
    _require(denied["student"] in data["students"], folder, denied["student"], "no such student")
    return Topic(
        name=folder.name,
        source=(folder / "source.txt").read_text("utf-8"),
        references=references,
        pyramid=pyramid,
        rhetoric={
            text.name: _all_spans(folder / "references", text, data["rhetoric"].get(text.name, []))
            for text in references
        },
        students=students,
        gold={
            text.name: _gold(folder / "students", text, data["students"][text.name], uids)
            for text in students
        },
        denial=Denial(denied["student"], Text(f"{denied['student']}-denied", denied["text"])),
    )


def _texts(folder: Path) -> tuple[Text, ...]:
    files = sorted(folder.glob("*.txt"))
    return tuple(Text(file.stem, file.read_text("utf-8")) for file in files)


def _pyramid(folder: Path, ideas: Sequence[Any], references: Sequence[Text]) -> Pyramid:
    by_name = {text.name: text for text in references}
    scus = []
    for idea in ideas:
        contributors = idea["contributors"]
        for name in contributors:
            _require(name in by_name, folder, name, "no such reference")
        scus.append(
            Scu(
                uid=idea["uid"],
                label=idea["label"],
                contributors=tuple(
                    Contributor(name, _spans(folder / "references", by_name[name], words))
                    for name, words in sorted(contributors.items())
                ),
            )
        )
    uids = [scu.uid for scu in scus]
    _require(len(set(uids)) == len(uids), folder, str(uids), "a uid comes twice")
    return Pyramid(tuple(references), tuple(sorted(scus, key=lambda scu: (-scu.weight, scu.uid))))


def _gold(folder: Path, text: Text, entry: Mapping[str, Any], uids: set[int]) -> Gold:
    _require(entry["quality_rank"] in CATEGORIES, folder, entry["quality_rank"], "no such rank")
    places: dict[str, dict[int, Spans]] = {status: {} for status in _STATUSES}
    seen: set[int] = set()
    for mark in entry["ideas"]:
        uid, status = mark["uid"], mark["status"]
        _require(uid in uids and uid not in seen, folder / text.name, str(mark), "unknown or twice")
        _require(status in _STATUSES, folder / text.name, str(mark), "no such status")
        seen.add(uid)
        places[status][uid] = _spans(folder, text, mark["words"])
    other = _all_spans(folder, text, entry.get("other", []))
    return Gold(
        category=entry["quality_rank"],
        expressed=places["expressed"],
        contradicted=places["contradicted"],
        other=other,
        statements=entry["statements"],
    )


def _all_spans(folder: Path, text: Text, passages: Sequence[str | list[str]]) -> tuple[Spans, ...]:
    return tuple(_spans(folder, text, words) for words in passages)


def _spans(folder: Path, text: Text, words: str | Sequence[str]) -> Spans:
    """The first place of the words; parts are looked for one after the other."""
    parts = [words] if isinstance(words, str) else words
    spans = []
    start = 0
    for part in parts:
        place = text.content.find(part, start)
        _require(bool(part) and place >= 0, folder / f"{text.name}.txt", part, "words not in it")
        start = place + len(part)
        spans.append(Span(place, start))
    return tuple(spans)


def _require_same(folder: Path, names: Sequence[str], annotated: Mapping[str, Any]) -> None:
    different = sorted(set(names) ^ set(annotated))
    _require(not different, folder, ", ".join(different), "a text or its annotation is missing")


def _require(condition: bool, path: Path, words: str, problem: str) -> None:
    if not condition:
        raise ValueError(f"{path}: {problem}: “{words}”")
