"""Anonymous grading: pseudonyms instead of names. Rules only, no table of its own."""

from collections.abc import Iterable
from typing import Protocol

from django.utils.crypto import salted_hmac

from grading.models.assignments import Assignment
from grading.models.courses import CODE_ALPHABET, Membership
from grading.models.users import User

KEY_LENGTH = 32  # hexadecimal digits, as the addresses expect them

_LETTERS = 5  # of two in a class of a thousand one pair in sixty classes is the same


class HasStudent(Protocol):
    student: User


def pseudonym(assignment: Assignment, student: User) -> str:
    """The same in this assignment as long as it is there, another in every other."""
    digest = salted_hmac("grading.hidden_names", f"{assignment.pk} {student.pk}").digest()
    letters = (CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in digest[:_LETTERS])
    return f"Student {''.join(letters)}"


def person_key(assignment: Assignment, user_pk: int) -> str:
    """What addresses and forms of the assignment call a person by, in place of the account's id.

    Lists of the course show ids next to names, so an id would say whose pseudonym it is.
    """
    return salted_hmac("grading.person_key", f"{assignment.pk} {user_pk}").hexdigest()[:KEY_LENGTH]


def displayed_student(assignment: Assignment, student: User) -> User:
    """Return the student, or where the assignment hides names a copy under a pseudonym.

    The copy serves display alone: it cannot be saved, and the account keeps its name.
    """
    if not assignment.names_hidden:
        return student
    name = pseudonym(assignment, student)
    return student.display_copy(name=name, username=name, email="")


def hide_names(assignment: Assignment, rows: Iterable[HasStudent]) -> None:
    """Where the assignment hides names, have these rows lead to copies of their students."""
    for row in rows:
        row.student = displayed_student(assignment, row.student)


def displayed_members(assignment: Assignment, members: Iterable[Membership]) -> list[Membership]:
    """The same for memberships, which hold more that tells who a student is."""
    if not assignment.names_hidden:
        return list(members)
    return [
        member.display_copy(
            user=displayed_student(assignment, member.user),
            student_number="",
            lms_id="",
            lms_login="",
            roster_email="",
        )
        for member in members
    ]
