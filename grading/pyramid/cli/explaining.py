"""One text with each match and its evidence: on a terminal, and as a page in one file."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from grading.pyramid.cli.explaining_content import ContentExplained
from grading.pyramid.cli.explanation_look import (
    BOLD,
    COLOURS,
    FAINT,
    HEAVIEST,
    Explanation,
    in_colours,
    page,
    printable,
)
from grading.pyramid.cli.files import check_target, read_pyramid_file, read_text, staged_files
from grading.pyramid.cli.scoring import calibrated
from grading.pyramid.cli.tables import Cell, Format, Table
from grading.pyramid.cli.tasks import ContentTask, Options, check_out, deliver
from grading.pyramid.content_pipeline import score_content
from grading.pyramid.figures import hundredths, points_as_shown
from grading.pyramid.marked_pieces import cut_at_marks
from grading.pyramid.pipeline import score_summary
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Scu, Text

COLUMNS = (
    "idea", "label", "weight", "probability", "points", "standing", "words", "experts", "remarks",
)  # fmt: skip


class ExplainTask(ContentTask):
    help = "Score one text, and show each match with the words behind it."
    example = "pyreval explain cities.pyr summaries/zoe.txt --html zoe.html"
    out_help = "the explanation as text, or its matches as .csv or .json; by default it is printed"
    makes_table = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "pyramid",
            type=Path,
            metavar="PYRAMID.pyr",
            help="the pyramid, or for a sister system what `score` takes",
        )
        parser.add_argument("text", type=Path, metavar="TEXT.txt")
        super().add_arguments(parser)
        parser.add_argument(
            "--calibration", type=Path, metavar="CURVE.json", help="the curve of calibrate"
        )
        parser.add_argument(
            "--html", type=Path, metavar="FILE", help="also write a page, as one file"
        )
        parser.add_argument(
            "--colour",
            choices=["auto", "always", "never"],
            default="auto",
            help="of the marks in the text; by default on a terminal",
        )

    def run(self, options: Options) -> str:
        check_out(options)
        if options["html"]:
            check_target(options["html"])
        explanation = self._explanation(options)
        if options["html"]:
            with staged_files() as files:
                files.add(options["html"], explanation.page())
        if options["format"] is not Format.TEXT:
            return deliver(explanation.table(), options)
        in_colour = options["colour"] == "always" and options["out"] is None
        content = "\n".join(explanation.lines(in_colour)) + "\n"
        if options["out"] is None:
            return content
        with staged_files() as files:
            files.add(options["out"], content)
        return ""

    def _explanation(self, options: Options) -> Explanation:
        text = read_text(options["text"])
        content = self.content_engine_and_model(options)
        if content:
            engine, model = content
            self.host.progress("Scoring the text", 0, 1)
            [score] = score_content(model, [text], engine)
            return ContentExplained(model, engine.method.name, text, score)
        pyramid = read_pyramid_file(options["pyramid"])
        pyramid_engine = calibrated(self.engine(options), pyramid, options["calibration"])
        self.host.progress("Scoring the text", 0, 1)
        return _Explained(pyramid, text, score_summary(pyramid, text, pyramid_engine))


@dataclass(frozen=True, slots=True)
class _Explained:
    pyramid: Pyramid
    text: Text
    report: ScoreReport

    @property
    def matches(self) -> list[Match]:
        """In the order of the text."""
        return sorted(self.report.evidence.matches, key=lambda match: match.spans)

    @property
    def scores(self) -> list[tuple[str, str]]:
        report = self.report
        shares = {
            "Quality": report.quality,
            "Coverage": report.coverage,
            "Comprehensive": report.comprehensive,
        }
        points = points_as_shown(report.raw)
        return [
            ("Points", points),
            *((name, str(hundredths(share))) for name, share in shares.items()),
        ]

    def number(self, match: Match) -> int:
        return self.pyramid.numbers()[match.scu_uid]

    def idea(self, match: Match) -> Scu:
        """With the weight that counts."""
        return self.pyramid.counted().scu(match.scu_uid)

    def standing(self, match: Match) -> str:
        if match in self.report.evidence.possible:
            return "possible"
        if match.contradicts:
            return "may contradict the experts"
        return "held" if match.held else "matched"

    def experts(self, match: Match) -> list[tuple[str, str]]:
        """Each expert's words for the idea."""
        return [
            (
                contributor.reference,
                self.pyramid.reference(contributor.reference).quoted(contributor.spans),
            )
            for contributor in self.idea(match).contributors
        ]

    def earning(self, match: Match) -> str:
        """“weight 5”, times the share of it that the match earns."""
        weight, credit = self.idea(match).weight, match.credit
        points = points_as_shown(weight * credit)
        return f"weight {weight} \N{MULTIPLICATION SIGN} {hundredths(credit)} = {points} points"

    def remarks(self, match: Match) -> list[str]:
        contradicted = [f"The experts say: {match.contradicts}"] if match.contradicts else []
        return [*match.remarks, *contradicted]

    def table(self) -> Table:
        return Table(COLUMNS, tuple(self._rows()), frozenset({"points"}))

    def lines(self, in_colour: bool) -> Iterator[str]:
        return _lines(self, in_colour)

    def page(self) -> str:
        return _page(self)

    def _rows(self) -> Iterator[tuple[Cell, ...]]:
        for match in (*self.matches, *self.report.evidence.possible):
            idea = self.idea(match)
            yield (
                self.number(match),
                idea.label,
                idea.weight,
                match.probability,
                float(idea.weight * match.credit),
                self.standing(match),
                self.text.quoted(match.spans),
                " | ".join(f"{name}: {words}" for name, words in self.experts(match)),
                " ".join(self.remarks(match)),
            )


# On a terminal.


def _lines(explained: _Explained, in_colour: bool) -> Iterator[str]:
    styled = in_colours(in_colour)
    scores = "   ".join(f"{name} {value}" for name, value in explained.scores)
    yield f"{styled(explained.text.name, BOLD)}   {scores}"
    yield ""
    yield _marked(explained, in_colour)
    yield ""
    for match in explained.matches:
        idea = explained.idea(match)
        colour = COLOURS[min(idea.weight, HEAVIEST)]
        yield styled(f"[{explained.number(match)}] {printable(idea.label)}", colour)
        yield f"    {explained.standing(match)}, {explained.earning(match)}"
        yield f"    text: {printable(explained.text.quoted(match.spans))}"
        for name, words in explained.experts(match):
            yield styled(f"    {printable(name)}: {printable(words)}", FAINT)
        for remark in explained.remarks(match):
            yield f"    {printable(remark)}"
    possible = explained.report.evidence.possible
    if possible:
        yield ""
        yield styled("Possible but unlikely", BOLD)
        for match in possible:
            label = printable(explained.idea(match).label)
            yield f"[{explained.number(match)}] {label} ({explained.earning(match)})"
    yield ""
    yield from (*explained.report.trace, *explained.report.remarks)
    yield styled(explained.report.signature, FAINT)


def _marked(explained: _Explained, in_colour: bool) -> str:
    """The text, with the numbers of its ideas at the ends of their words."""
    written = ""
    for piece in cut_at_marks(
        explained.text.content, ((match.spans, match) for match in explained.matches)
    ):
        words = printable(piece.words)
        if piece.marks and in_colour:
            heaviest = max(explained.idea(match).weight for match in piece.marks)
            words = f"\x1b[4;{COLOURS[min(heaviest, HEAVIEST)]}m{words}\x1b[0m"
        written += words
        written += "".join(f"[{explained.number(match)}]" for match in piece.ending)
    return written.strip()


# As a page.


def _page(explained: _Explained) -> str:
    scores = "".join(
        f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in explained.scores
    )
    lines = (*explained.report.trace, *explained.report.remarks)
    possible = "".join(
        f"<li>Idea {explained.number(match)}: {escape(explained.idea(match).label)} "
        f"({explained.earning(match)})</li>"
        for match in explained.report.evidence.possible
    )
    parts = (
        f"<dl>{scores}</dl>",
        f'<h2>Text</h2>\n<div class="text">{_marked_html(explained)}</div>',
        "<h2>Matched ideas</h2>",
        *(_section(explained, match) for match in explained.matches),
        f"<h2>Possible but unlikely</h2>\n<ul>{possible}</ul>" if possible else "",
        "<h2>Calculation</h2>",
        *(f"<p>{escape(line)}</p>" for line in lines),
        f"<small>{escape(explained.report.signature)}</small>",
    )
    return page(explained.text.name, parts)


def _marked_html(explained: _Explained) -> str:
    written = ""
    marks = ((match.spans, (place, match)) for place, match in enumerate(explained.matches))
    for piece in cut_at_marks(explained.text.content, marks):
        words = escape(piece.words)
        if piece.marks:
            heaviest = max(explained.idea(match).weight for _, match in piece.marks)
            words = f'<mark class="w{min(heaviest, HEAVIEST)}">{words}</mark>'
        written += words
        for place, match in piece.ending:
            number = explained.number(match)
            written += f'<sup><a href="#match-{place}">{number}</a></sup>'
    return written


def _section(explained: _Explained, match: Match) -> str:
    place = explained.matches.index(match)
    idea = explained.idea(match)
    experts = "".join(
        f"<li>{escape(name)}: {escape(words)}</li>" for name, words in explained.experts(match)
    )
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in explained.remarks(match))
    return (
        f'<section id="match-{place}">'
        f"<h3>{explained.number(match)}. {escape(idea.label)}</h3>"
        f"<p>{explained.standing(match)}, {explained.earning(match)}</p>"
        f'<p class="text"><mark class="w{min(idea.weight, HEAVIEST)}">'
        f"{escape(explained.text.quoted(match.spans))}</mark></p>"
        f"<ul>{experts}</ul>{remarks}</section>"
    )
