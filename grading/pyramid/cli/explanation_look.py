"""What explanations share: colours of a terminal, and the page that goes without other files."""

from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Protocol

from grading.pyramid.cli.tables import Table

HEAVIEST = 5  # weights that have a colour of their own
COLOURS = {1: 37, 2: 36, 3: 34, 4: 35, 5: 33}  # of a terminal, by weight
BOLD, FAINT = 1, 2


class Explanation(Protocol):
    """What a method found in one text, to be shown in three ways."""

    def table(self) -> Table:
        """A row for each match."""

    def lines(self, in_colour: bool) -> Iterator[str]:
        """For a terminal, which may have colours."""

    def page(self) -> str:
        """A page of HTML."""


def in_colours(is_wanted: bool) -> Callable[[str, int], str]:
    """What gives words a colour of the terminal, or leaves them as they are."""
    return lambda words, code: f"\x1b[{code}m{words}\x1b[0m" if is_wanted else words


def printable(words: str) -> str:
    """Without what would steer a terminal: a text is a student's."""
    return "".join(word if word.isprintable() or word == "\n" else " " for word in words)


def page(title: str, parts: Iterable[str]) -> str:
    """A page of HTML; parts are escaped already, and empty ones are left out."""
    name = escape(title)
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{name}: what was matched</title>\n<style>{_STYLE}</style>\n</head>",
            f"<body>\n<main>\n<h1>{name}</h1>",
            *filter(None, parts),
            "</main>\n</body>\n</html>\n",
        )
    )


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
