"""Statements of sentences, parsed by the real parser."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from grading.pyramid.contradictions.judgement import Judgement, judge
from grading.pyramid.contradictions.statements import Statement, statement_of
from grading.pyramid.encoders.onnx_encoder import OnnxEncoder
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Sentence, Span, Text


class Judge:
    """Judges sentences against experts' sentences, all given as text."""

    def __init__(self, *, vectors: bool = True) -> None:
        self._parser = SpacyParser()
        self._encoder = OnnxEncoder() if vectors else None
        self._statements = lru_cache(maxsize=None)(self._read)

    def statements(self, content: str) -> tuple[Statement, ...]:
        return self._statements(content)

    def __call__(self, experts: Sequence[str], content: str) -> Judgement:
        """The judgement of the text's first sentence that holds, else of its first."""
        idea = [statement for expert in experts for statement in self.statements(expert)]
        judgements = [judge(idea, sentence) for sentence in self.statements(content)]
        return next((judgement for judgement in judgements if judgement.holds), judgements[0])

    def _read(self, content: str) -> tuple[Statement, ...]:
        words = self._encoder.read(content) if self._encoder else None
        (parsed,) = self._parser.parse([Text("", content)])
        return tuple(
            statement_of(
                Sentence(sentence.span, (), sentence.tokens), words, (Span(0, len(content)),)
            )
            for sentence in parsed.sentences
        )


@dataclass(frozen=True)
class Case:
    """A student's sentence for an idea; ``kind`` says how it contradicts, or "agrees"."""

    experts: tuple[str, ...]
    kind: str
    sentence: str


def cases(name: str) -> list[Case]:
    """The sentences of a file beside this one."""
    experts: tuple[str, ...] = ()
    result = []
    for line in (Path(__file__).parent / f"sentences_{name}.txt").read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        kind, words = line.split(": ", 1)
        if kind == "idea":
            experts = tuple(words.split(" | "))
        else:
            result.append(Case(experts, kind, words))
    return result
