"""Anonymous grading: pseudonyms in the place of names. Rules only, no table of its own."""

from collections.abc import Iterable

from django.utils.crypto import salted_hmac

from grading.models.assignments import Assignment
from grading.models.courses import CODE_ALPHABET, Membership
from grading.models.users import User

_LETTERS = 5  # of two in a class of a thousand one pair in sixty classes is the same


def pseudonym(assignment: Assignment, student: User) -> str:
    """The same in this assignment as long as it is there, another in every other."""
    digest = salted_hmac("grading.hidden_names", f"{assignment.pk} {student.pk}").digest()
    letters = (CODE_ALPHABET[byte % len(CODE_ALPHABET)] for byte in digest[:_LETTERS])
    return f"Student {''.join(letters)}"


def hide_names(assignment: Assignment, students: Iterable[User]) -> None:
    """Where the assignment hides names, put pseudonyms into these rows, which nobody may save."""
    if not assignment.names_hidden:
        return
    for student in students:
        name = pseudonym(assignment, student)
        student.name, student.username, student.email = name, name, ""


def hide_members(assignment: Assignment, members: Iterable[Membership]) -> None:
    """The same of places in the course, which say besides what else knows a student by."""
    if not assignment.names_hidden:
        return
    for member in members:
        hide_names(assignment, [member.user])
        member.student_number = member.lms_id = member.lms_login = ""
