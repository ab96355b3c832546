"""A plan as graders see it: rows with people, under pseudonyms where the assignment hides names."""

from collections.abc import Iterable
from dataclasses import dataclass

from grading.access.hidden_names import displayed_student
from grading.bulk_import.actions import default_handed_in_at, import_choices, import_plan
from grading.models import Membership, Role, User, WorkImport
from grading.pyramid.formats.bulk_people import KnownBy
from grading.pyramid.formats.bulk_plan import PlanRow, RowState

_WORDS_SHOWN = 14
_SURE = frozenset({KnownBy.LMS_ID, KnownBy.STUDENT_NUMBER, KnownBy.LOGIN, KnownBy.EMAIL})


@dataclass(frozen=True, slots=True)
class ShownRow:
    """``path`` is empty where it would tell the name that is hidden."""

    row: PlanRow
    student: User | None
    others: tuple[User, ...]
    path: str
    ticked: bool
    chosen: str  # of the list of students

    @property
    def beginning(self) -> str:
        words = self.row.file.text.split(None, _WORDS_SHOWN + 1)
        more = " …" if len(words) > _WORDS_SHOWN else ""
        return " ".join(words[:_WORDS_SHOWN]) + more

    @property
    def by(self) -> str:
        """Nothing where an id says it."""
        return "" if self.row.by in _SURE else str(self.row.by)


class ShownPlan:
    """All that the page of an upload shows of it."""

    def __init__(self, found: WorkImport) -> None:
        self.plan = import_plan(work_import=found)
        self.choices = import_choices(work_import=found)
        self.handed_in_at = self.choices.handed_in_at or default_handed_in_at(found)
        self.platform = found.document.get("platform", "")
        self.left_out = found.document.get("left_out", 0)
        self.names_hidden = found.assignment.names_hidden
        students = found.assignment.course.memberships.filter(role=Role.STUDENT)
        memberships = list(students.select_related("user"))
        self._people = {
            one.user_id: displayed_student(found.assignment, one.user) for one in memberships
        }
        self.labels = {f"{one.name} ({one.username})": pk for pk, one in self._people.items()}
        self.said = self.labels if self.names_hidden else self._ids(memberships) | self.labels
        self._labels = {pk: label for label, pk in self.labels.items()}
        self._rows = sorted(map(self._shown, self.plan.rows), key=_order)
        new = [row for row in self._rows if row.row.state == RowState.NEW]
        self.sure = [row for row in new if row.row.is_sure]
        self.to_decide = [row for row in new if not row.row.is_sure]
        self.open = self._of(RowState.OPEN)
        self.same = self._of(RowState.SAME)
        self.unreadable = self._of(RowState.UNREADABLE)
        self.without = sorted(
            (self._people[pk] for pk in self.plan.without), key=lambda one: one.sort_key
        )
        self.undecided = len(self.to_decide) + len(self.open)
        self.ticked = sum(row.ticked for row in new)

    @property
    def students(self) -> list[str]:
        """For the list to choose from; pseudonyms help nobody to find an owner."""
        return [] if self.names_hidden else sorted(self.labels, key=str.casefold)

    def _ids(self, memberships: Iterable[Membership]) -> dict[str, int]:
        """What says who a student is without the name: the student number, or the login."""
        numbers = {one.student_number: one.user_id for one in memberships if one.student_number}
        return numbers | {one.username: pk for pk, one in self._people.items()}

    def named(self, rows: Iterable[PlanRow]) -> list[str]:
        """The students of these rows, each once."""
        people = dict.fromkeys(row.person for row in rows if row.person is not None)
        return [self._people[person].name for person in people]

    def _of(self, state: RowState) -> list[ShownRow]:
        return [row for row in self._rows if row.row.state == state]

    def _shown(self, row: PlanRow) -> ShownRow:
        number = row.file.number
        ticks = self.choices.ticks or {}
        hidden = self.names_hidden and bool(row.people)
        return ShownRow(
            row=row,
            student=self._people.get(row.person or 0),
            others=tuple(self._people[one] for one in row.people if one in self._people),
            path="" if hidden else row.file.named.path,
            ticked=ticks.get(number, row.ticked),
            chosen=self._labels.get(self.choices.given.get(number, 0), ""),
        )


def _order(shown: ShownRow) -> tuple[tuple[str, str], int]:
    """By student; under pseudonyms the order of files would tell names."""
    key = shown.student.sort_key if shown.student else ("", "")
    return key, shown.row.file.number
