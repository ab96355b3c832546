"""The demonstration course: texts written for it, run through the same road as everyone's."""

import tomllib
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q

from grading.models import Assignment, Course, Membership, Missed, OpinionSetting, Role, User
from grading.pyramid.structures import Text
from grading.pyramids.actions import pyramid_start_build, references_add
from grading.submissions.actions import submission_submit

FOLDER = Path(__file__).resolve().parent / "demonstration"
DEMONSTRATION_PASSWORD = "look-round-freely"  # noqa: S105  (printed at the start; local servers only)
LOG_INS = {
    "instructor": "instructor",
    "ta": "teaching assistant",
    "student1": "student",
    "student2": "student",
}


def demonstration_log_ins() -> list[tuple[str, str, str]]:
    """Login, password, and what the account is."""
    return [(login, DEMONSTRATION_PASSWORD, role) for login, role in LOG_INS.items()]


@transaction.atomic
def demonstration_load(*, password: str) -> Course:
    """Load the course if it is not there yet. What people changed since is left as it is."""
    description = tomllib.loads((FOLDER / "course.toml").read_text("utf-8"))
    staff = {person["login"]: _account(person, password) for person in description["staff"]}
    students = {person["login"]: _account(person, password) for person in description["students"]}
    instructor = staff["instructor"]
    course = Course.objects.filter(name=description["name"], members=instructor).first()
    if course is not None:
        return course
    course = Course.objects.create(name=description["name"], term=description["term"])
    for person in description["staff"]:
        user = staff[person["login"]]
        Membership.objects.create(course=course, user=user, role=person["role"])
    for student in students.values():
        Membership.objects.create(course=course, user=student, role=Role.STUDENT)
    assignment = _create_assignment(course, description)
    pyramid_start_build(assignment=assignment, requested_by=instructor, publish=True)
    for login, student in students.items():
        for name, is_final in ((f"{login}-draft.txt", False), (f"{login}.txt", True)):
            if (FOLDER / "students" / name).exists():
                submission_submit(
                    assignment=assignment,
                    student=student,
                    text=_read(f"students/{name}"),
                    is_final=is_final,
                )
    return course


def _account(person: dict[str, Any], password: str) -> User:
    """The account of this login, or of this address if somebody has changed the login."""
    address = f"{person['login']}@example.org"
    user = User.objects.filter(Q(username=person["login"]) | Q(email=address)).first()
    if user is not None:
        if not user.verified_email and user.pending_email == address:
            user.verify_email(address)  # made before addresses were verified
        return user
    return User.objects.create_user(
        person["login"],
        address,
        password,
        name=person["name"],
        may_create_courses=person.get("role") == Role.INSTRUCTOR,
    )


def _create_assignment(course: Course, description: dict[str, Any]) -> Assignment:
    fields = description["assignment"]
    title, _, source = _read(fields["source"]).partition("\n")
    assignment = Assignment.objects.create(
        course=course,
        title=fields["title"],
        instructions=fields["instructions"],
        source_title=title.strip(),
        source_text=source.strip(),
        min_words=fields["min_words"],
        max_words=fields["max_words"],
        max_drafts=fields["max_drafts"],
        missed_before=Missed[fields["missed_before"]],
        missed_after=Missed[fields["missed_after"]],
        release=Assignment.Release.AT_ONCE,
        state=Assignment.State.OPEN,
    )
    references_add(
        assignment=assignment,
        texts=[
            Text(reference["author"], _read(reference["file"]))
            for reference in description["references"]
        ],
    )
    OpinionSetting.objects.create(assignment=assignment, methods=fields["second_opinions"])
    return assignment


def _read(path: str) -> str:
    return FOLDER.joinpath(path).read_text(encoding="utf-8").strip()
