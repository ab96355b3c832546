"""Extensions: more time, or more finals, for a student or for a section."""

from collections.abc import Iterable

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone

from grading.models.assignments import MOST_ATTEMPTS, Assignment, StudentExtensions
from grading.models.courses import Membership, Role
from grading.models.users import User

LONGEST_REASON = 500
NOTHING_EXTENDED = "Choose a later due date than the class has, or more attempts."


class ExtensionQuerySet(models.QuerySet["Extension"]):
    def load(self, assignments: Iterable[Assignment]) -> None:
        """Read the extensions of these assignments at once, for ``Assignment.terms_of``.

        Two queries for any number of assignments and students; one where no section has any.
        """
        rows: dict[int, list[Assignment]] = {}
        for assignment in assignments:
            rows.setdefault(assignment.pk, []).append(assignment)
        by_student: dict[int, StudentExtensions] = {pk: {} for pk in rows}
        of_sections: list[Extension] = []
        for extension in self.filter(assignment__in=rows):
            if extension.student_id is None:
                of_sections.append(extension)
            else:
                _add(by_student, extension, extension.student_id)
        if of_sections:
            courses = {same[0].course_id for same in rows.values()}
            members = Membership.objects.filter(
                course__in=courses,
                role=Role.STUDENT,
                section__in={extension.section for extension in of_sections},
            )
            places = list(members.values_list("course", "section", "user"))
            for extension in of_sections:
                course = rows[extension.assignment_id][0].course_id
                for student in [
                    user for *where, user in places if where == [course, extension.section]
                ]:
                    _add(by_student, extension, student)
        for pk, same in rows.items():
            for assignment in same:
                assignment.student_extensions = by_student[pk]


def _add(by_student: dict[int, StudentExtensions], extension: "Extension", student: int) -> None:
    granted = (extension.due_at, extension.max_attempts)
    by_student[extension.assignment_id].setdefault(student, []).append(granted)


class Extension(models.Model):
    """Of a student, or of all students of a section; see ``Assignment.terms_of`` for its effect."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="extensions")
    student = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="extensions"
    )
    section = models.CharField(max_length=200, blank=True)
    due_at = models.DateTimeField("due", null=True, blank=True)
    max_attempts = models.PositiveIntegerField(
        "final attempts",
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ATTEMPTS)],
    )
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ExtensionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(student__isnull=False, section="")
                | (models.Q(student__isnull=True) & ~models.Q(section="")),
                name="extension_of_a_student_or_a_section",
            ),
            models.CheckConstraint(
                condition=models.Q(due_at__isnull=False) | models.Q(max_attempts__isnull=False),
                name="extension_of_something",
                violation_error_message=NOTHING_EXTENDED,
            ),
            models.UniqueConstraint(
                fields=["assignment", "student"],
                condition=models.Q(student__isnull=False),
                name="extension_of_a_student_once",
            ),
            models.UniqueConstraint(
                fields=["assignment", "section"],
                condition=models.Q(student__isnull=True),
                name="extension_of_a_section_once",
            ),
        ]

    def __str__(self) -> str:
        return f"Extension {self.pk}"
