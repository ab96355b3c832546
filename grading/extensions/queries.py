"""For whom extensions can be: the students of a course and its sections. Read-only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from grading.access.hidden_names import displayed_members
from grading.models import Assignment, Extension, Membership, Role


@dataclass(frozen=True, slots=True)
class ExtensionRow:
    """An extension as a page lists it: ``name`` is a student's (or pseudonym) or a section's."""

    extension: Extension
    name: str
    students: int  # to whom it applies
    has_effect: bool

    @property
    def is_of_section(self) -> bool:
        return self.extension.student_id is None


@dataclass(frozen=True, slots=True)
class CourseStudents:
    """The students by name, under pseudonyms where names are hidden."""

    members: Sequence[Membership]

    @classmethod
    def of(cls, assignment: Assignment) -> Self:
        rows = Membership.objects.filter(course=assignment.course_id, role=Role.STUDENT)
        members = displayed_members(assignment, rows.select_related("user"))
        return cls(sorted(members, key=lambda member: member.user.sort_key))

    @property
    def sections(self) -> dict[str, int]:
        """How many students are in each section."""
        names = sorted({member.section for member in self.members} - {""}, key=str.casefold)
        return {name: sum(member.section == name for member in self.members) for name in names}

    def with_words(self, words: str) -> list[Membership]:
        """Students whose name, login, address or number contains these words."""
        wanted = words.casefold()
        return [member for member in self.members if wanted in _words_of(member)]


def _words_of(member: Membership) -> str:
    user = member.user
    return f"{user.name}\n{user.username}\n{user.email}\n{member.student_number}".casefold()


def extension_rows(
    assignment: Assignment, students: CourseStudents, words: str = ""
) -> list[ExtensionRow]:
    """Sections first, then students by name. Students who have left the course come last."""
    matching = {member.user_id for member in students.with_words(words)}
    names = {member.user_id: member.user for member in students.members}
    sections = students.sections
    of_sections, of_students = [], []
    for extension in assignment.extensions.select_related("author"):
        if extension.student_id is None:
            if words.casefold() in extension.section.casefold():
                number = sections.get(extension.section, 0)
                row = ExtensionRow(
                    extension, extension.section, number, _has_effect(assignment, extension)
                )
                of_sections.append((extension.section.casefold(), row))
        elif extension.student_id in matching:
            user = names[extension.student_id]
            row = ExtensionRow(extension, user.name, 1, _has_effect(assignment, extension))
            of_students.append((user.sort_key, row))
    of_sections.sort(key=lambda pair: pair[0])
    of_students.sort(key=lambda pair: pair[0])
    return [row for _, row in of_sections] + [row for _, row in of_students]


def _has_effect(assignment: Assignment, extension: Extension) -> bool:
    """Is it more generous than what applies to the class?"""
    own = assignment.terms.extended(due_at=extension.due_at, max_attempts=extension.max_attempts)
    return own != assignment.terms
