"""Forms of the queue. Filters, search and order are all in the address of the page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

from django import forms
from django.http import QueryDict

from grading.models import User
from grading.pyramid.flags.text_flags import FlagKind
from grading.scoring.queue_rows import AllAttempts, QueueRow, QueueState

LONGEST_QUERY = 500  # characters, of a saved view
_LONGEST_READ = 8 * LONGEST_QUERY  # of an address, where a letter may take nine characters

_UNKNOWN = -1.0  # sorts before everything that is known
SortKey = Callable[[QueueRow], Any]
NEEDS_REVIEW = "doubt"  # in addresses


def needs_review_key(row: QueueRow) -> tuple[Any, ...]:
    """Sorts *needs review first*, see docs/methods.md.

    Not reviewed before reviewed; then what failed, what is held, what contradicts the experts, what
    is flagged (by most flags), and what has most unsure matches, the least certain first; then
    second looks; then by time.
    """
    confidence = row.score.confidence if row.score else None
    return (
        row.is_reviewed,
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
    NEEDS_REVIEW: needs_review_key,
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
    "held": lambda row: row.claimant.sort_key if row.claimant else ("", ""),
}
# These columns begin with their highest values; the others with their lowest.
DOWN_FIRST = frozenset({"handed", "sureness", "flags", "held"})


class QueueForm(forms.Form):
    """The filters and the order of a queue. Whatever makes no sense in an address is left out."""

    TODO = "todo"

    show = forms.ChoiceField(
        label="Show",
        required=False,
        choices=[
            (AllAttempts.COUNTING.value, "Each student's attempt that counts"),
            (AllAttempts.ALL.value, "All attempts"),
            (AllAttempts.ABSENT.value, "Students who have not submitted"),
        ],
    )
    state = forms.ChoiceField(
        label="State",
        required=False,
        choices=[
            ("", "Any"),
            (TODO, "Not reviewed yet"),
            *((state.value, state.label) for state in _STATES if state != QueueState.ABSENT),
        ],
    )
    flag = forms.ChoiceField(
        label="Flag",
        required=False,
        choices=[
            ("", "Any or none"),
            ("any", "Any flag"),
            *((kind.value, kind.label) for kind in FlagKind),
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
    held = forms.ChoiceField(  # by its first name, which addresses and saved views have
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

    def value(self, name: str) -> str:
        """The valid value of a field, or an empty string."""
        self.is_valid()
        return str(self.cleaned_data.get(name) or "")

    @property
    def show_value(self) -> AllAttempts:
        return AllAttempts(self.value("show"))

    @property
    def sort_name(self) -> str:
        return self.value("sort") or NEEDS_REVIEW

    @property
    def is_descending(self) -> bool:
        return self.value("dir") == "down"

    @property
    def query(self) -> str:
        """The shortest query string with these values; equal forms have equal query strings."""
        query = QueryDict(mutable=True)
        for name in self.fields:
            value = self.value(name)
            if value and (name, value) != ("sort", NEEDS_REVIEW):
                query[name] = value
        return query.urlencode()

    def sorted_by(self, name: str) -> str:
        """The query string that sorts by a column; by the present one, in the other direction."""
        query = QueryDict(self.query, mutable=True)
        down = not self.is_descending if name == self.sort_name else name in DOWN_FIRST
        query["sort"], query["dir"] = name, "down" if down else "up"
        return query.urlencode()

    @property
    def filter_count(self) -> int:
        """How many filters are set, without the search."""
        return sum(bool(self.value(name)) for name in _FILTERS) + bool(self.value("section"))

    def filtered(
        self, rows: Iterable[QueueRow], viewer: User, with_words: frozenset[int]
    ) -> list[QueueRow]:
        """The rows that pass, in order; ``with_words`` are the submissions with the words of q."""
        values = {name: value for name in _FILTERS if (value := self.value(name))}
        section, words = self.value("section"), self.value("q").casefold()
        return self.ordered(
            row
            for row in rows
            if all(_FILTERS[name](row, value, viewer) for name, value in values.items())
            and (not section or row.membership.section == section)
            and (
                not words
                or words in _names_of(row)
                or (row.submission is not None and row.submission.pk in with_words)
            )
        )

    def ordered(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        by_name = sorted(rows, key=lambda row: (row.student.sort_key, *_when(row)))
        return sorted(by_name, key=SORTS[self.sort_name], reverse=self.is_descending)


def _names_of(row: QueueRow) -> str:
    """What a search by name looks in. Where names are hidden, the pseudonym is all there is."""
    member, student = row.membership, row.student
    ids = (member.known_email, member.student_number, member.lms_login)
    names = (student.name, student.username, *ids)
    return "\n".join(names).casefold()


def _has_state(row: QueueRow, value: str, _: User) -> bool:
    return not row.is_reviewed if value == QueueForm.TODO else row.state == value


def _has_flag(row: QueueRow, value: str, _: User) -> bool:
    if value in {"any", "none"}:
        return bool(row.flags) == (value == "any")
    return any(flag.kind == value for flag in row.flags)


def _is_late(row: QueueRow, value: str, _: User) -> bool:
    return row.submission is not None and row.submission.late == (value == "yes")


def _has_claimant(row: QueueRow, value: str, viewer: User) -> bool:
    claimant = row.claimant
    if value == "me":
        return claimant == viewer
    return claimant is None if value == "nobody" else claimant is not None and claimant != viewer


_FILTERS: dict[str, Callable[[QueueRow, str, User], bool]] = {
    "state": _has_state,
    "flag": _has_flag,
    "doubtful": lambda row, *_: row.doubtful > 0,
    "looks": lambda row, *_: row.looks > 0,
    "late": _is_late,
    "held": _has_claimant,
}

BUILT_IN: Sequence[tuple[str, str]] = (
    ("Needs review first", ""),
    ("Flagged", "flag=any"),
    ("Contradicts the experts", "flag=contradicts"),
    ("Held", "state=held"),
    ("Not reviewed yet", "state=todo"),
    ("Mine", "held=me"),
    ("Second looks", "looks=yes"),
)


class QueueDoForm(forms.Form):
    """What to do with the ticked rows."""

    what = forms.ChoiceField(
        choices=[
            ("claim", "Claim"),
            ("release", "Release the claim"),
            ("looked", "Mark as reviewed"),
            ("not_looked", "Mark as not reviewed"),
        ],
        error_messages={"required": "Choose what to do with the ticked submissions."},
    )
    submissions = forms.TypedMultipleChoiceField(
        coerce=int,
        error_messages={
            "required": "Nothing is ticked. Tick the submissions and try again.",
            "invalid_choice": "One of the submissions no longer exists. Check the list and try "
            "again.",
        },
    )
    queue = forms.CharField(required=False, max_length=_LONGEST_READ)

    def __init__(self, *args: Any, submissions: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["submissions"].choices = [(pk, pk) for pk in submissions]  # type: ignore[attr-defined]

    @property
    def error_text(self) -> str:
        return " ".join(str(error) for errors in self.errors.values() for error in errors)


class SavedViewForm(forms.Form):
    name = forms.CharField(
        label="Name of the view",
        max_length=60,
        error_messages={"required": "Give the view a name."},
    )
    queue = forms.CharField(required=False, max_length=_LONGEST_READ)
