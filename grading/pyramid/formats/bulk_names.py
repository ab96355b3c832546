"""Whose work a file is, by its name: the patterns of learning platforms, or a plain name.

The patterns and where they come from: docs/gradebook.md, "Bulk submission zips". Each file is taken
on its own, so that a folder of its own or a second archive around them does no harm.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

MOODLE: Final = "Moodle"
CANVAS: Final = "Canvas"
BLACKBOARD: Final = "Blackboard"
BRIGHTSPACE: Final = "Brightspace"
SAKAI: Final = "Sakai"
PLAIN: Final = ""

_CANVAS: Final = re.compile(
    r"(?:(?P<name>[^A-Z]*?)_)??(?P<late>LATE_)?(?P<id>\d+|anon_[^_]+)_"
    r"(?:(?P<file>\d+)_(?P<rest>.+)|(?P<text>text|link)\.html)"
)
_BLACKBOARD: Final = re.compile(
    r"(?P<before>.+)_attempt_(?P<at>\d{4}(?:-\d\d){5})(?P<rest>_.+)?\.[^.]+", re.DOTALL
)
_BRIGHTSPACE: Final = re.compile(
    r"\d+-\d+ - (?P<name>.+) - (?P<at>\w{3,9}\.? \d{1,2}, \d{4},? \d{1,2}:?\d{2} [AP]M)"
)
_SAKAI: Final = re.compile(r"(?P<name>.+?)\((?P<login>[^()]+)\)(?P<rest>_.*)?")
_SAKAI_WORK: Final = re.compile(
    r"/Submission attachment\(s\)/|_Submission attachment\(s\)_|_submissionText\.html$"
)
_SAKAI_NOISE: Final = re.compile(
    r"(?:^|/)(?:grades\.(?:csv|xlsx?)|timestamp\.txt|comments\.txt|feedbackText\.html|members\.txt)$"
    r"|Feedback Attachment\(s\)"
)
_BRACKETED: Final = re.compile(r"(.+?)\s*\(([^()]+)\)")
_MOODLE_PART: Final = "assignsubmission"
_IS_INFO: Final = re.compile(r"_attempt_\d{4}(?:-\d\d){5}\.txt$")


@dataclass(frozen=True, slots=True)
class NamedFile:
    """What a path says. ``hints`` are words that may be an id or a name, the best first."""

    path: str
    platform: str = PLAIN
    name: str = ""
    lms_id: str = ""
    participant: str = ""  # Moodle's number of somebody in one assignment
    logins: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    late: bool | None = None  # None: the platform does not say
    at: datetime | None = None  # by clocks of the platform
    is_online_text: bool = False
    is_noise: bool = False  # the platform's own, nobody's work
    is_info: bool = False  # Blackboard's receipt, which may hold a text

    @property
    def person(self) -> str:
        """Whose work it is, as the file says: “Ana Ruiz (0007, ana@example.edu)”; may be empty."""
        # Several of Blackboard's are guesses at one login: the shortest comes first.
        logins = self.logins[:1] if self.platform == BLACKBOARD else self.logins
        ids = ", ".join(dict.fromkeys(filter(None, (*logins, self.lms_id))))
        return f"{self.name} ({ids})" if self.name and ids else self.name or ids


def named_files(paths: Sequence[str]) -> list[NamedFile]:
    """Of each path what it says; Canvas's pattern counts where most files have it."""
    files = [_by_platform(path) for path in paths]
    canvas = [
        _canvas(path) if file is None else None for path, file in zip(paths, files, strict=True)
    ]
    open_ones = sum(file is None for file in files)
    is_canvas = 2 * sum(file is not None for file in canvas) > open_ones
    return [
        file or (other if is_canvas else None) or _plain(path)
        for path, file, other in zip(paths, files, canvas, strict=True)
    ]


def platform_of(files: Sequence[NamedFile]) -> str:
    """The one that most files come from."""
    counts = Counter(file.platform for file in files)
    return counts.most_common(1)[0][0] if counts else PLAIN


def _by_platform(path: str) -> NamedFile | None:
    return _moodle(path) or _blackboard(path) or _sakai(path) or _brightspace(path)


def _moodle(path: str) -> NamedFile | None:
    parts = PurePosixPath(path).parts
    part = next((candidate for candidate in parts if f"_{_MOODLE_PART}_" in candidate), None)
    if part is None:
        return None
    tokens = part.split("_")
    place = tokens.index(_MOODLE_PART)
    kind = tokens[place + 1] if len(tokens) > place + 1 else ""
    is_text = kind.startswith("onlinetext")
    name = tokens[0]
    # An older export of a team names the team first: “Team Red-Ada Okoro”.
    hints = (name.partition("-")[2],) if "-" in name else ()
    return NamedFile(
        path,
        MOODLE,
        name=name,
        participant=tokens[place - 1] if tokens[place - 1].isdigit() else "",
        logins=tuple(tokens[1 : place - 1]),
        hints=hints,
        is_online_text=is_text and path.lower().endswith(".html"),
        is_noise=is_text and not path.lower().endswith(".html"),
    )


def _canvas(path: str) -> NamedFile | None:
    hit = _CANVAS.fullmatch(PurePosixPath(path).name)
    if hit is None:
        return None
    is_anonymous = hit["id"].startswith("anon")
    return NamedFile(
        path,
        CANVAS,
        name=hit["name"] or "",
        lms_id="" if is_anonymous else hit["id"],
        late=hit["late"] is not None,
        is_online_text=hit["text"] == "text",
        is_noise=hit["text"] == "link",
    )


def _blackboard(path: str) -> NamedFile | None:
    hit = _BLACKBOARD.fullmatch(PurePosixPath(path).name)
    if hit is None:
        return None
    tokens = hit["before"].split("_")
    # Titles and logins may both hold underscores: any end of what stands before may be the login.
    logins = tuple("_".join(tokens[start:]) for start in reversed(range(len(tokens))))
    return NamedFile(
        path,
        BLACKBOARD,
        logins=logins[:4],
        at=_time(hit["at"], "%Y-%m-%d-%H-%M-%S"),
        is_info=hit["rest"] is None and bool(_IS_INFO.search(path)),
    )


def _sakai(path: str) -> NamedFile | None:
    parts = PurePosixPath(path).parts
    people = [
        sakai_name
        for part in parts
        if (sakai_name := _SAKAI.fullmatch(part))
        and sakai_name["login"] != "s"  # “Submission attachment(s)”
    ]
    if not people or not (_SAKAI_WORK.search(path) or _SAKAI_NOISE.search(path)):
        is_list = _SAKAI_NOISE.search(path) and parts[-1].startswith("grades.") and len(parts) > 1
        return NamedFile(path, SAKAI, is_noise=True) if is_list else None
    return NamedFile(
        path,
        SAKAI,
        name=people[0]["name"],
        logins=(people[0]["login"],),
        is_online_text=path.endswith("_submissionText.html"),
        is_noise=bool(_SAKAI_NOISE.search(path)),
    )


def _brightspace(path: str) -> NamedFile | None:
    parts = PurePosixPath(path).parts
    folder = next((hit for part in parts if (hit := _BRIGHTSPACE.match(part))), None)
    if folder is None:
        return None
    at = folder["at"].replace("Sept", "Sep").replace(".", "").replace(",", "").replace(":", "")
    day, hour, half = at.rsplit(" ", 2)
    moment = f"{day} {hour.zfill(4)} {half}"
    return NamedFile(
        path,
        BRIGHTSPACE,
        name=folder["name"],
        at=_time(moment, "%b %d %Y %I%M %p") or _time(moment, "%B %d %Y %I%M %p"),
        is_online_text=path.lower().endswith((".html", ".htm")),
    )


def _plain(path: str) -> NamedFile:
    """The file's own name first, then the folders around it from within."""
    whole = PurePosixPath(path)
    if whole.name.lower() == "index.html" and len(whole.parts) == 1:
        return NamedFile(path, PLAIN, is_noise=True)
    pieces = [whole.stem, *reversed(whole.parts[:-1])]
    hints: list[str] = []
    for piece in pieces:
        bracketed = _BRACKETED.fullmatch(piece.strip())
        hints += [piece.strip(), *(bracketed.groups() if bracketed else ())]
        hints += [word for word in re.split(r"[_\s]+|\s-\s", piece) if word]
    return NamedFile(
        path,
        PLAIN,
        hints=tuple(dict.fromkeys(hint for hint in hints if hint)),
        is_online_text=path.lower().endswith((".html", ".htm")),
    )


def _time(text: str, shape: str) -> datetime | None:
    try:
        return datetime.strptime(text, shape)  # noqa: DTZ007 - the platform's clocks, not ours
    except ValueError:
        return None
