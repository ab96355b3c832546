"""What a grader chooses of the queue, and by what it is sorted: all of it stands in the address."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from django import forms
from django.http import QueryDict

from grading.models import User
from grading.pyramid.signs.flags import FlagKind
from grading.queue.queries import AllAttempts, QueueRow, QueueState

LONGEST_QUERY = 500  # characters; what a saved view can hold
_LONGEST_READ = 8 * LONGEST_QUERY  # of an address, where letters of some scripts take nine

_UNKNOWN = -1.0  # sorts before everything that is known
SortKey = Callable[[QueueRow], Any]
DOUBT = "doubt"


def doubt(row: QueueRow) -> tuple[Any, ...]:
    """The order *Needs review first*, see docs/methods.md.

    Not reviewed before reviewed; then what failed, what is held, what contradicts the experts, what
    is flagged (by most flags), and what has most unsure matches, the least certain first; then
    second looks; then by time.
    """
    confidence = row.score.confidence if row.score else None
    return (
        row.is_done,
        row.state != QueueState.FAILED,
        row.state != QueueState.HELD,
        -(row.score.contradicted if row.score else 0),
        -len(row.flags),
        -row.doubtful,
        1.0 if confidence is None else confidence,
        -row.looks,
        *_when(row),
    )


def _when(row: QueueRow) -> tuple[Any, ...]:
    return (row.submission.submitted_at.timestamp(), row.submission.pk) if row.submission else ()


def _number(name: str) -> SortKey:
    return lambda row: getattr(row.numbers, name) if row.numbers else _UNKNOWN


def _sureness(row: QueueRow) -> tuple[float, float]:
    known = row.score.confidence if row.score else None
    return row.doubtful, _UNKNOWN if known is None else -known


_STATES = list(QueueState)
SORTS: dict[str, SortKey] = {
    DOUBT: doubt,
    "name": lambda row: row.student.sort_key,
    "state": lambda row: _STATES.index(row.state),
    "attempt": lambda row: row.submission.attempt if row.submission else 0,
    "handed": _when,
    "words": lambda row: row.submission.words if row.submission else 0,
    "comprehensive": _number("comprehensive"),
    "quality": _number("quality"),
    "coverage": _number("coverage"),
    "sureness": _sureness,
    "flags": lambda row: (len(row.flags), row.looks),
    "held": lambda row: row.holder.sort_key if row.holder else ("", ""),
}
# Which way a column goes that is chosen for the first time: high numbers of what is to look at.
DOWN_FIRST = frozenset({"handed", "sureness", "flags", "held"})


class QueueForm(forms.Form):
    """Every field may be left out: then nothing is chosen by it."""

    TODO = "todo"

    show = forms.ChoiceField(
        label="Show",
        required=False,
        choices=[
            (AllAttempts.COUNTING.value, "One a student: the attempt that counts"),
            (AllAttempts.ALL.value, "All attempts"),
            (AllAttempts.ABSENT.value, "Who has not handed in"),
        ],
    )
    state = forms.ChoiceField(
        label="State",
        required=False,
        choices=[
            ("", "Any"),
            (TODO, "Not looked through yet"),
            *((one.value, one.label) for one in _STATES if one != QueueState.ABSENT),
        ],
    )
    flag = forms.ChoiceField(
        label="Flag",
        required=False,
        choices=[
            ("", "Any or none"),
            ("any", "Any flag"),
            *((one.value, one.label) for one in FlagKind),
            ("none", "No flag"),
        ],
    )
    doubtful = forms.ChoiceField(
        label="Unsure matches", required=False, choices=[("", "Some or none"), ("yes", "Some")]
    )
    looks = forms.ChoiceField(
        label="Second looks", required=False, choices=[("", "Any"), ("yes", "Waiting")]
    )
    late = forms.ChoiceField(
        label="Late", required=False, choices=[("", "Any"), ("yes", "Late"), ("no", "In time")]
    )
    held = forms.ChoiceField(
        label="Claimed by",
        required=False,
        choices=[
            ("", "Anyone or nobody"),
            ("me", "Me"),
            ("nobody", "Nobody"),
            ("others", "Others"),
        ],
    )
    section = forms.CharField(label="Section", required=False, max_length=200)
    q = forms.CharField(label="Search", required=False, max_length=100)
    sort = forms.ChoiceField(
        required=False, choices=[(name, name) for name in SORTS], widget=forms.HiddenInput
    )
    dir = forms.ChoiceField(
        required=False, choices=[("", ""), ("up", "up"), ("down", "down")], widget=forms.HiddenInput
    )

    @classmethod
    def of_query(cls, query: str) -> Self:
        return cls(QueryDict(query[:_LONGEST_READ]))

    def said(self, name: str) -> str:
        """What is chosen; what is no choice chooses nothing."""
        self.is_valid()
        return str(self.cleaned_data.get(name) or "")

    @property
    def show_value(self) -> AllAttempts:
        return AllAttempts(self.said("show"))

    @property
    def sort_name(self) -> str:
        return self.said("sort") or DOUBT

    @property
    def is_descending(self) -> bool:
        return self.said("dir") == "down"

    @property
    def query(self) -> str:
        """As short as it can be said; the same for the same choice."""
        told = QueryDict(mutable=True)
        for name in self.fields:
            value = self.said(name)
            if value and (name, value) != ("sort", DOUBT):
                told[name] = value
        return told.urlencode()

    def sorted_by(self, name: str) -> str:
        """The address of the same choice by another column, or by this one the other way round."""
        told = QueryDict(self.query, mutable=True)
        down = not self.is_descending if name == self.sort_name else name in DOWN_FIRST
        told["sort"], told["dir"] = name, "down" if down else "up"
        return told.urlencode()

    @property
    def is_narrowed(self) -> bool:
        return self.narrowings > 0

    @property
    def narrowings(self) -> int:
        """By how many fields rows are left out, the search not counted."""
        return sum(bool(self.said(name)) for name in _CHOOSES) + bool(self.said("section"))

    def chosen(
        self, rows: Iterable[QueueRow], viewer: User, holding_words: frozenset[int]
    ) -> list[QueueRow]:
        """In the order that is asked for; ``holding_words`` are the texts with the words of q."""
        kept = [row for row in rows if self._keeps(row, viewer, holding_words)]
        return self.ordered(kept)

    def ordered(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        by_name = sorted(rows, key=lambda row: (row.student.sort_key, *_when(row)))
        return sorted(by_name, key=SORTS[self.sort_name], reverse=self.is_descending)

    def _keeps(self, row: QueueRow, viewer: User, holding_words: frozenset[int]) -> bool:
        for name, keeps in _CHOOSES.items():
            value = self.said(name)
            if value and not keeps(row, value, viewer):
                return False
        section, words = self.said("section"), self.said("q")
        if section and row.membership.section != section:
            return False
        return not words or _tells(row, words) or _pk(row) in holding_words


def _pk(row: QueueRow) -> int:
    return row.submission.pk if row.submission else 0


def _tells(row: QueueRow, words: str) -> bool:
    """Is this who is searched for? Where names are hidden, the pseudonym is all there is."""
    member, student = row.membership, row.student
    told = (student.name, student.username, student.email, member.student_number, member.lms_login)
    return words.casefold() in "\n".join(told).casefold()


def _of_state(row: QueueRow, value: str, viewer: User) -> bool:
    del viewer
    return not row.is_done if value == QueueForm.TODO else row.state == value


def _of_flag(row: QueueRow, value: str, viewer: User) -> bool:
    del viewer
    if value in {"any", "none"}:
        return bool(row.flags) == (value == "any")
    return any(flag.kind == value for flag in row.flags)


def _of_late(row: QueueRow, value: str, viewer: User) -> bool:
    del viewer
    return row.submission is not None and row.submission.late == (value == "yes")


def _of_held(row: QueueRow, value: str, viewer: User) -> bool:
    holder = row.holder
    if value == "me":
        return holder == viewer
    return holder is None if value == "nobody" else holder is not None and holder != viewer


_CHOOSES: dict[str, Callable[[QueueRow, str, User], bool]] = {
    "state": _of_state,
    "flag": _of_flag,
    "doubtful": lambda row, *_: row.doubtful > 0,
    "looks": lambda row, *_: row.looks > 0,
    "late": _of_late,
    "held": _of_held,
}

BUILT_IN: Sequence[tuple[str, str]] = (
    ("Needs review first", ""),
    ("Flagged", "flag=any"),
    ("Contradicts the experts", "flag=contradicts"),
    ("Held", "state=held"),
    ("Not looked at yet", "state=todo"),
    ("Mine", "held=me"),
    ("Second looks", "looks=yes"),
)


class QueueDoForm(forms.Form):
    """What to do with the rows that are ticked."""

    what = forms.ChoiceField(
        choices=[
            ("claim", "Claim"),
            ("release", "Release the claim"),
            ("looked", "Mark as looked through"),
            ("not_looked", "Not looked through"),
        ],
        error_messages={"required": "Choose what to do with the submissions that are ticked."},
    )
    submissions = forms.TypedMultipleChoiceField(
        coerce=int,
        error_messages={
            "required": "Nothing is ticked. Tick the submissions, and try again.",
            "invalid_choice": "One of the submissions is not there any more. Look at the list.",
        },
    )
    queue = forms.CharField(required=False, max_length=_LONGEST_READ)

    def __init__(self, *args: Any, submissions: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["submissions"].choices = [(pk, pk) for pk in submissions]  # type: ignore[attr-defined]

    @property
    def reason(self) -> str:
        """Why nothing is done."""
        return " ".join(str(error) for errors in self.errors.values() for error in errors)


class SavedViewForm(forms.Form):
    name = forms.CharField(
        label="Name of the view",
        max_length=60,
        error_messages={"required": "Give the view a name."},
    )
    queue = forms.CharField(required=False, max_length=_LONGEST_READ)
