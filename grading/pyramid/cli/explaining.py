"""One text with each match and its evidence: on a terminal, and as a page in one file."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from grading.pyramid.cli.files import check_target, read_pyramid_file, read_text, staged_files
from grading.pyramid.cli.scoring import calibrated
from grading.pyramid.cli.tables import Cell, Format, Table
from grading.pyramid.cli.tasks import MethodTask, Options, check_out, deliver
from grading.pyramid.figures import hundredths, points_as_shown
from grading.pyramid.formats.highlighted_text import cut_at_marks
from grading.pyramid.pipeline import score_summary
from grading.pyramid.structures import Match, Pyramid, ScoreReport, Scu, Text

COLUMNS = (
    "idea", "label", "weight", "probability", "points", "standing", "words", "experts", "remarks",
)  # fmt: skip
_HEAVIEST = 5  # weights that have a colour of their own
_COLOURS = {1: 37, 2: 36, 3: 34, 4: 35, 5: 33}  # of a terminal, by weight
_BOLD, _FAINT = 1, 2


class ExplainTask(MethodTask):
    help = "Score one text, and show each match with the words behind it."
    example = "pyreval explain cities.pyr summaries/zoe.txt --html zoe.html"
    out_help = "the explanation as text, or its matches as .csv or .json; by default it is printed"
    makes_table = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pyramid", type=Path, metavar="PYRAMID.pyr")
        parser.add_argument("text", type=Path, metavar="TEXT.txt")
        super().add_arguments(parser)
        parser.add_argument(
            "--calibration", type=Path, metavar="CURVE.json", help="what calibrate learnt"
        )
        parser.add_argument(
            "--html", type=Path, metavar="FILE", help="also a page of its own, without other files"
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
        pyramid, text = read_pyramid_file(options["pyramid"]), read_text(options["text"])
        engine = calibrated(self.engine(options), pyramid, options["calibration"])
        self.host.progress("Scoring the text", 0, 1)
        explained = _Explained(pyramid, text, score_summary(pyramid, text, engine))
        if options["html"]:
            with staged_files() as files:
                files.add(options["html"], _page(explained))
        if options["format"] is not Format.TEXT:
            points = frozenset({"points"})
            return deliver(Table(COLUMNS, tuple(explained.rows()), points), options)
        in_colour = options["colour"] == "always" and options["out"] is None
        content = "\n".join(_lines(explained, in_colour)) + "\n"
        if options["out"] is None:
            return content
        with staged_files() as files:
            files.add(options["out"], content)
        return ""


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
        return [("Points", points), *((name, str(hundredths(one))) for name, one in shares.items())]

    def number(self, match: Match) -> int:
        return self.pyramid.numbers()[match.scu]

    def idea(self, match: Match) -> Scu:
        """With the weight that counts."""
        return self.pyramid.counted().scu(match.scu)

    def standing(self, match: Match) -> str:
        if match in self.report.evidence.possible:
            return "possible"
        if match.contradicts:
            return "may contradict the experts"
        return "held" if match.held else "matched"

    def experts(self, match: Match) -> list[tuple[str, str]]:
        """Each expert's words for the idea."""
        return [
            (one.reference, self.pyramid.reference(one.reference).quoted(one.spans))
            for one in self.idea(match).contributors
        ]

    def earning(self, match: Match) -> str:
        """“weight 5”, times the share of it that the match earns."""
        weight, credit = self.idea(match).weight, match.credit
        points = points_as_shown(weight * credit)
        return f"weight {weight} \N{MULTIPLICATION SIGN} {hundredths(credit)} = {points} points"

    def remarks(self, match: Match) -> list[str]:
        contradicted = [f"The experts say: {match.contradicts}"] if match.contradicts else []
        return [*match.remarks, *contradicted]

    def rows(self) -> Iterator[tuple[Cell, ...]]:
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
    def styled(words: str, code: int) -> str:
        return f"\x1b[{code}m{words}\x1b[0m" if in_colour else words

    scores = "   ".join(f"{name} {value}" for name, value in explained.scores)
    yield f"{styled(explained.text.name, _BOLD)}   {scores}"
    yield ""
    yield _marked(explained, in_colour)
    yield ""
    for match in explained.matches:
        idea = explained.idea(match)
        colour = _COLOURS[min(idea.weight, _HEAVIEST)]
        yield styled(f"[{explained.number(match)}] {_printable(idea.label)}", colour)
        yield f"    {explained.standing(match)}, {explained.earning(match)}"
        yield f"    text: {_printable(explained.text.quoted(match.spans))}"
        for name, words in explained.experts(match):
            yield styled(f"    {_printable(name)}: {_printable(words)}", _FAINT)
        for remark in explained.remarks(match):
            yield f"    {_printable(remark)}"
    possible = explained.report.evidence.possible
    if possible:
        yield ""
        yield styled("Possible but unlikely", _BOLD)
        for match in possible:
            label = _printable(explained.idea(match).label)
            yield f"[{explained.number(match)}] {label} ({explained.earning(match)})"
    yield ""
    yield from (*explained.report.trace, *explained.report.remarks)
    yield styled(explained.report.signature, _FAINT)


def _marked(explained: _Explained, in_colour: bool) -> str:
    """The text, with the numbers of its ideas at the ends of their words."""
    matches, written = explained.matches, ""
    for piece in cut_at_marks(explained.text.content, [match.spans for match in matches]):
        words = _printable(piece.words)
        if piece.marks and in_colour:
            heaviest = max(explained.idea(matches[mark]).weight for mark in piece.marks)
            words = f"\x1b[4;{_COLOURS[min(heaviest, _HEAVIEST)]}m{words}\x1b[0m"
        written += words
        written += "".join(f"[{explained.number(matches[mark])}]" for mark in piece.ending)
    return written.strip()


def _printable(words: str) -> str:
    """Without what would steer a terminal: a text is a student's."""
    return "".join(one if one.isprintable() or one == "\n" else " " for one in words)


# As a page.

_STYLE = """
body {
  font: 1rem/1.6 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff;
}
h1, h2, h3, dt, dd, sup, small { font-family: system-ui, sans-serif; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
mark { color: inherit; border-bottom: 2px solid #555; padding: 0 1px; }
.w1 { background: #eeeeee; } .w2 { background: #d8eef2; } .w3 { background: #d9e4fb; }
.w4 { background: #ecdcf7; } .w5 { background: #fde9b8; }
a { color: #15599c; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; }
dt { font-size: .85rem; }
dd { margin: 0; font-size: 1.3rem; }
section { border-top: 1px solid #ccc; padding: .6rem 0; }
section:target { outline: 2px solid #15599c; outline-offset: .4rem; }
section h3 { margin: 0; font-size: 1rem; }
section p, section ul { margin: .2rem 0; }
sup { margin: 0 .15em; line-height: 0; }
small { color: #555; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #1b1b1b; }
  small { color: #aaa; }
  mark { border-color: #ccc; }
  a { color: #9cc7f5; }
  .w1 { background: #3a3a3a; } .w2 { background: #1d4049; } .w3 { background: #24365e; }
  .w4 { background: #452a5a; } .w5 { background: #574412; }
}
"""


def _page(explained: _Explained) -> str:
    name = escape(explained.text.name)
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
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}: what was matched</title>\n<style>{_STYLE}</style>\n</head>",
        f"<body>\n<main>\n<h1>{name}</h1>\n<dl>{scores}</dl>",
        f'<h2>Text</h2>\n<div class="text">{_marked_html(explained)}</div>',
        "<h2>Matched ideas</h2>",
        *(_section(explained, match) for match in explained.matches),
        f"<h2>Possible but unlikely</h2>\n<ul>{possible}</ul>" if possible else "",
        "<h2>Calculation</h2>",
        *(f"<p>{escape(line)}</p>" for line in lines),
        f"<small>{escape(explained.report.signature)}</small>\n</main>\n</body>\n</html>",
    )
    return "\n".join(part for part in parts if part) + "\n"


def _marked_html(explained: _Explained) -> str:
    matches, written = explained.matches, ""
    for piece in cut_at_marks(explained.text.content, [match.spans for match in matches]):
        words = escape(piece.words)
        if piece.marks:
            heaviest = max(explained.idea(matches[mark]).weight for mark in piece.marks)
            words = f'<mark class="w{min(heaviest, _HEAVIEST)}">{words}</mark>'
        written += words
        for mark in piece.ending:
            number = explained.number(matches[mark])
            written += f'<sup><a href="#match-{mark}">{number}</a></sup>'
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
        f'<p class="text"><mark class="w{min(idea.weight, _HEAVIEST)}">'
        f"{escape(explained.text.quoted(match.spans))}</mark></p>"
        f"<ul>{experts}</ul>{remarks}</section>"
    )
