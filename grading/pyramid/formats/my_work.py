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

This archive has everything that is kept about your work, and the results that you may see now.
Results that are hidden until released are not in it. Download it again after their release. Nobody
learns that you downloaded it.

The files
---------

my-work.json   Everything, for programs:
               - your account (login, name, e-mail address, time zone). We keep your password only
                 as a number that nobody can turn into the password;
               - your courses and your role in each;
               - for each assignment, text that you typed and didn't submit;
               - every attempt: its text, the time, whether it was late, a draft or a final. Also
                 the share of its words that repeat the source word for word (0.25 is a quarter);
               - for each result that you may see, the three scores and the matched ideas;
               - for each matched idea your words (also as positions in your text, counted in
                 characters from 0) and the idea's weight. Also how certain the program is (0 to
                 1), and whether a person set it;
               - your words that repeat an idea, which counts once;
               - as much about ideas that were not matched as your instructor shows;
               - your requests for a second look, and the answers;
               - comments that graders wrote to you;
               - a history: who scored it and who corrected what, with the time.

scores.csv     The scores that you may see, for a spreadsheet. An apostrophe comes before text that
               a spreadsheet would run as a formula.

texts/         Each attempt exactly as you submitted it, one file each.

What the three scores mean
--------------------------

quality         How important are your ideas? 1 means only the most important ideas.
coverage        How many of the important ideas did you write? 1 means as many as an expert.
comprehensive   Both together. It is high only when both are.

What else we store
------------------

- How the program read each text: where it cut it, and a row of numbers for each piece. It
  calculates them once from your text, so that it doesn't read the text twice.
- A list of the program's work (“scored, at this time”).
- Counts of recent log-in attempts, to slow down people who guess passwords.
- A key for each browser in which you are logged in.
- A log of actions with the account's number, the computer's address and the time. Nobody can
  change it.
- Earlier scores of the same attempt, if the pyramid has changed. The current ones are in the
  file. The history has the comprehensive score of each.

If something about you is wrong, tell your instructor or the people who run this site.
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
    moment = at.timetuple()[:6] if at else _OLDEST
    entry = zipfile.ZipInfo(name, max(moment, _OLDEST))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)
