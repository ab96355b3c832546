"""Everything that is held about somebody's work, as an archive of files that need no program.

The same work gives the same bytes: nothing in it tells when, or from what, it was written.
"""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grading.pyramid.formats.gradebook import table_csv

SCORE_COLUMNS = (
    "course",
    "assignment",
    "attempt",
    "kind",
    "submitted_at",
    "late",
    "words",
    "quality",
    "coverage",
    "comprehensive",
    "corrected_by_hand",
)
_OLDEST = (1980, 1, 1, 0, 0, 0)  # that an archive can tell

README = """\
Your work in PyrEval Classroom
==============================

This archive holds what is kept about your work and what you may see of its results now. Results
that are not shown to you yet are not in it; download it again when they are. It is for you alone:
nobody is told that you made it.

The files
---------

my-work.json   Everything, for programs to read:
               - your account (login, name, e-mail address, time zone), without the password,
                 which is kept as a scrambled number that cannot be read back;
               - the courses that you are in, and your role;
               - for each assignment what you have typed and not handed in, and every attempt:
                 its text, when it came, whether it was late, a draft or a final, and the share of
                 its words that stand in the source in the same order (0.25 is a quarter);
               - for each result that is shown to you: the three scores; the ideas that were found,
                 with your words (also as places in your text, counted in characters from 0), the
                 weight of the idea, how sure the program is (0 to 1), and whether a person marked
                 it; your words that say one of them again, which counts once; of ideas that were
                 not found as much as your teacher tells;
               - what you asked to be looked at again, and the answers;
               - comments that your teachers wrote for you;
               - what happened when: who scored it, and who corrected what.

scores.csv     The scores that are shown to you, for a spreadsheet. Where a text begins with a
               sign that a spreadsheet would take for a formula, an apostrophe stands before it.

texts/         Each attempt exactly as you handed it in, one file each.

What the three scores mean
--------------------------

quality         How important is what you wrote? 1 would be: only the most important ideas.
coverage        How much of what is important did you write? 1 is as much as an expert's summary.
comprehensive   Both together. It is high only when both are.

What is kept besides
--------------------

- How the program read each text: where it cut it, and a row of numbers for each piece. It is
  worked out from your text, and only keeps it from being read again.
- A list of the work that the program did (“scored, at this time”).
- A few log-ins that failed (login, address of the computer, time) for as long as is needed to
  slow down whoever guesses passwords, and a key for each browser in which you are logged in.
- Earlier scores of the same attempt, where the ideas that are looked for were changed. Those that
  hold are in the file; the comprehensive score of each stands in what happened.

If something about you is wrong, tell your teacher, or whoever runs this site.
"""


@dataclass(frozen=True, slots=True)
class WrittenText:
    """An attempt as a file."""

    name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class MyWork:
    """``scores`` are rows of SCORE_COLUMNS."""

    document: dict[str, Any]
    scores: Sequence[Sequence[str | int | float | None]]
    texts: Sequence[WrittenText]


def my_work_zip(work: MyWork) -> bytes:
    """The archive."""
    out = io.BytesIO()
    newest = max((text.at for text in work.texts), default=None)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        document = json.dumps(work.document, ensure_ascii=False, indent=2) + "\n"
        _write(archive, "README.txt", README, newest)
        _write(archive, "my-work.json", document, newest)
        _write(archive, "scores.csv", table_csv(SCORE_COLUMNS, work.scores), newest)
        for text in work.texts:
            _write(archive, text.name, text.text, text.at)
    return out.getvalue()


def _write(archive: zipfile.ZipFile, name: str, content: str, at: datetime | None) -> None:
    when = at.timetuple()[:6] if at else _OLDEST
    entry = zipfile.ZipInfo(name, max(when, _OLDEST))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)
