"""What a sister system found in one text: on a terminal, and as a page in one file."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from grading.pyramid.cli.explanation_look import (
    BOLD,
    COLOURS,
    FAINT,
    HEAVIEST,
    in_colours,
    page,
    printable,
)
from grading.pyramid.cli.tables import Cell, Table
from grading.pyramid.content import Column, ContentMatch, ContentModel, ContentScore, Element
from grading.pyramid.figures import hundredths, points_as_shown
from grading.pyramid.marked_pieces import cut_at_marks
from grading.pyramid.structures import Text

COLUMNS = ("element", "label", "weight", "similarity", "points", "words", "places")
_SHARES = (Column.QUALITY, Column.COVERAGE, Column.COMPREHENSIVE)


@dataclass(frozen=True, slots=True)
class ContentExplained:
    """A score by a model of content, with the elements and the words behind each match."""

    model: ContentModel
    method: str
    text: Text
    score: ContentScore

    def table(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for match in self._matches():
            element = self.model.element(match.element)
            words = self.text.quoted(match.spans)
            numbers = element.weight, match.similarity, match.points
            places = " | ".join(f"{name}: {quoted}" for name, quoted in self._places(element))
            rows.append((element.uid, element.label, *numbers, words, places))
        return Table(COLUMNS, tuple(rows), frozenset({"points"}))

    def lines(self, in_colour: bool) -> Iterator[str]:
        styled = in_colours(in_colour)
        scores = "   ".join(f"{name} {value}" for name, value in self._scores())
        yield f"{styled(self.text.name, BOLD)}   {self.method}   {scores}"
        yield ""
        yield "".join(
            styled(printable(words), COLOURS[min(weight, HEAVIEST)]) if weight else printable(words)
            for words, weight in self._marked()
        ).strip()
        yield ""
        for match in self._matches():
            element = self.model.element(match.element)
            colour = COLOURS[min(max(1, round(element.weight)), HEAVIEST)]
            yield styled(f"[{element.uid}] {printable(element.label)}", colour)
            yield f"    {_worth(element, match)}"
            yield f"    text: {printable(self.text.quoted(match.spans))}"
            for name, words in self._places(element):
                yield styled(f"    {printable(name)}: {printable(words)}", FAINT)
        yield ""
        yield from (*self.score.explanation, *self.score.remarks)
        yield styled(self.score.signature, FAINT)

    def page(self) -> str:
        scores = "".join(
            f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in self._scores()
        )
        marked = "".join(
            f'<mark class="w{min(weight, HEAVIEST)}">{escape(words)}</mark>'
            if weight
            else escape(words)
            for words, weight in self._marked()
        )
        lines = (*self.score.explanation, *self.score.remarks)
        parts = (
            f"<dl><div><dt>Method</dt><dd>{escape(self.method)}</dd></div>{scores}</dl>",
            f'<h2>Text</h2>\n<div class="text">{marked}</div>',
            "<h2>Matched elements</h2>",
            *map(self._section, self._matches()),
            "<h2>Calculation</h2>",
            *(f"<p>{escape(line)}</p>" for line in lines),
            f"<small>{escape(self.score.signature)}</small>",
        )
        return page(self.text.name, parts)

    def _section(self, match: ContentMatch) -> str:
        element = self.model.element(match.element)
        places = "".join(
            f"<li>{escape(name)}: {escape(words)}</li>" for name, words in self._places(element)
        )
        words = escape(self.text.quoted(match.spans))
        return (
            f"<section><h3>{element.uid}. {escape(element.label)}</h3>"
            f"<p>{_worth(element, match)}</p>"
            f'<p class="text">{words}</p><ul>{places}</ul></section>'
        )

    def _matches(self) -> list[ContentMatch]:
        """In the order of the text; an element that is nowhere in it comes first."""
        return sorted(self.score.matches, key=lambda match: (match.spans, match.element))

    def _scores(self) -> Iterator[tuple[str, str]]:
        if self.score.raw is not None:
            yield "Points", points_as_shown(self.score.raw)
        for column in _SHARES:
            value = self.score.value(column)
            if value is not None:
                yield column.value.capitalize(), str(hundredths(value))

    def _marked(self) -> Iterator[tuple[str, int]]:
        """Pieces of the text with the weight of the heaviest element that they match, or 0."""
        marks = (
            (match.spans, max(1, round(self.model.element(match.element).weight)))
            for match in self._matches()
        )
        for piece in cut_at_marks(self.text.content, marks):
            yield piece.words, max(piece.marks, default=0)

    def _places(self, element: Element) -> Iterator[tuple[str, str]]:
        """The words of the references, or of the source, that the element is."""
        references = {text.name: text for text in self.model.references}
        for place in element.places:
            text = self.model.source if place.in_source else references.get(place.text)
            if text:
                yield place.text, text.quoted(place.spans)


def _worth(element: Element, match: ContentMatch) -> str:
    weight, points = (points_as_shown(value) for value in (element.weight, match.points))
    noun = "point" if points == "1" else "points"
    return f"weight {weight}, {points} {noun}, similarity {hundredths(match.similarity)}"
