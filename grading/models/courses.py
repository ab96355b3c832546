"""Courses and who belongs to them in which role."""

import secrets

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from grading.models.display_copies import DisplayCopyMixin
from grading.models.users import User, check_time_zone

# No letters or digits that are mistaken for each other when a code is read aloud or copied.
CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 7


def new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Role(models.TextChoices):
    INSTRUCTOR = "instructor", "Instructor"
    TA = "ta", "Teaching assistant"
    STUDENT = "student", "Student"


class CourseQuerySet(models.QuerySet["Course"]):
    def with_code(self, code: str) -> "CourseQuerySet":
        """The course that a student means who typed this code, with spaces or hyphens or not.

        Nobody joins one that is archived, about to be deleted, or whose code has expired.
        """
        return self.filter(
            models.Q(code_expires_at=None) | models.Q(code_expires_at__gt=timezone.now()),
            code="".join(filter(str.isalnum, code)).upper(),
            archived_at=None,
            leaves_at=None,
        )


class Course(models.Model):
    name = models.CharField(max_length=200)
    term = models.CharField(max_length=60, blank=True)
    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    code_expires_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[check_time_zone])
    sends_mail = models.BooleanField("send e-mails about this course", default=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Membership", related_name="courses"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    archived_at = models.DateTimeField(null=True, editable=False)  # from then on only read
    leaves_at = models.DateTimeField(null=True, editable=False)  # hidden, and then deleted for good

    objects = CourseQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.term})" if self.term else self.name

    @transaction.atomic
    def save_with_instructor(self, instructor: User) -> None:
        """Save a new course with its first instructor: without one nobody could open it."""
        self.save()
        Membership.objects.create(course=self, user=instructor, role=Role.INSTRUCTOR)

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None


class Membership(DisplayCopyMixin):
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)
    # What the course's learning platform knows the member by; text, as leading zeros count.
    section = models.CharField(max_length=200, blank=True)
    student_number = models.CharField(max_length=100, blank=True)  # SIS id, OrgDefinedId, …
    lms_id = models.CharField("number in the LMS", max_length=100, blank=True)
    lms_login = models.CharField("login in the LMS", max_length=254, blank=True)
    # An instructor's word, good in this course only; the account's own address is verified.
    roster_email = models.EmailField("e-mail address in the roster", blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["course", "user"], name="member_of_a_course_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.course}: {self.get_role_display()}"

    @property
    def known_email(self) -> str:
        """The address by which files of the course know the member."""
        return self.roster_email or self.user.verified_email

    @property
    def is_instructor(self) -> bool:
        return self.role == Role.INSTRUCTOR

    @property
    def is_grader(self) -> bool:
        """Instructor or TA: sees the whole class."""
        return self.role in {Role.INSTRUCTOR, Role.TA}

    @property
    def is_student(self) -> bool:
        return self.role == Role.STUDENT


class RemovedMember(models.Model):
    """Somebody whom an instructor took out: no join code lets them in again."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="removed_members")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    removed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["course", "user"], name="removed_from_a_course_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, removed from {self.course}"
