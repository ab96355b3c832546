"""A plan as graders see it: rows with people, under pseudonyms where the assignment hides names."""

from collections.abc import Iterable
from dataclasses import dataclass

from grading.access.hidden_names import displayed_student
from grading.bulk_import.queries import default_handed_in_at, import_choices, import_plan
from grading.models import Role, User, WorkImport
from grading.pyramid.formats.bulk_plan import KnownBy, PlanRow, RowState

_WORDS_SHOWN = 14
_SURE = frozenset({KnownBy.LMS_ID, KnownBy.STUDENT_NUMBER, KnownBy.LOGIN, KnownBy.EMAIL})


@dataclass(frozen=True, slots=True)
class ShownRow:
    """``path`` is empty where it would tell the name that is hidden, and so is ``person``."""

    row: PlanRow
    student: User | None
    others: tuple[User, ...]
    path: str
    person: str  # as the file names them
    ticked: bool
    chosen: str  # of the list of students

    @property
    def beginning(self) -> str:
        words = self.row.file.text.split(None, _WORDS_SHOWN + 1)
        more = " …" if len(words) > _WORDS_SHOWN else ""
        return " ".join(words[:_WORDS_SHOWN]) + more

    @property
    def by(self) -> str:
        """What the student is known by; empty where that is an id."""
        return "" if self.row.by in _SURE else str(self.row.by)


class ShownPlan:
    """All that the page of an upload shows of it."""

    def __init__(self, upload: WorkImport) -> None:
        self.assignment = upload.assignment
        self.plan = import_plan(work_import=upload)
        self.choices = import_choices(work_import=upload)
        self.handed_in_at = self.choices.handed_in_at or default_handed_in_at(upload)
        self.platform = upload.document.get("platform", "")
        self.left_out = upload.document.get("left_out", 0)
        self.names_hidden = self.assignment.names_hidden
        students = self.assignment.course.memberships.filter(role=Role.STUDENT)
        memberships = list(students.select_related("user"))
        self._people = {
            member.user_id: displayed_student(self.assignment, member.user)
            for member in memberships
        }
        self.labels = {
            f"{student.name} ({student.username})": pk for pk, student in self._people.items()
        }
        self.typed_labels = self.labels  # what can be typed for a student
        if not self.names_hidden:
            numbers = {
                member.student_number: member.user_id
                for member in memberships
                if member.student_number
            }
            logins = {student.username: pk for pk, student in self._people.items()}
            self.typed_labels = numbers | logins | self.labels
        self._labels = {pk: label for label, pk in self.labels.items()}
        self._rows = sorted(map(self._shown, self.plan.rows), key=_order)
        new = [row for row in self._rows if row.row.state == RowState.NEW]
        self.sure = [row for row in new if row.row.is_sure]
        self.to_decide = [row for row in new if not row.row.is_sure]
        self.open = self._of(RowState.OPEN)
        self.unknown = sum(not row.row.people for row in self.open)
        self.same = self._of(RowState.SAME)
        self.unreadable = self._of(RowState.UNREADABLE)
        without = (self._people[pk] for pk in self.plan.without)
        self.without = sorted(without, key=lambda student: student.sort_key)
        self.undecided = len(self.to_decide) + len(self.open)
        self.ticked = sum(row.ticked for row in new)

    @property
    def students(self) -> list[str]:
        """The list to choose from; pseudonyms help nobody to find an owner."""
        return [] if self.names_hidden else sorted(self.labels, key=str.casefold)

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
            others=tuple(self._people[pk] for pk in row.people if pk in self._people),
            path="" if hidden else row.file.named.path,
            person="" if self.names_hidden else row.file.named.person,
            ticked=ticks.get(number, row.ticked),
            chosen=self._labels.get(self.choices.given.get(number, 0), ""),
        )


def _order(shown: ShownRow) -> tuple[tuple[str, str], int]:
    """By student: under pseudonyms the order of files would give names away."""
    key = shown.student.sort_key if shown.student else ("", "")
    return key, shown.row.file.number
