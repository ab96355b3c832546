"""The demonstration course: texts written for it, run through the same road as everyone's."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q

from grading.models import Assignment, Course, Membership, Missed, Role, User
from grading.pyramid.structures import Text
from grading.pyramids.actions import pyramid_start_build
from grading.submissions.actions_summaries import references_add, submission_submit

FOLDER = Path(__file__).resolve().parent.parent / "management" / "demonstration"
DEMONSTRATION_PASSWORD = "pyramid-demo"  # noqa: S105  (printed at the start; local servers only)
LOG_INS = {
    "instructor": "instructor",
    "ta": "teaching assistant",
    "student1": "student",
    "student2": "student",
}


@dataclass(frozen=True, slots=True)
class Demonstration:
    """The folder, read."""

    told: dict[str, Any]

    def has(self, *path: str) -> bool:
        return FOLDER.joinpath(*path).exists()

    def text(self, *path: str) -> str:
        return FOLDER.joinpath(*path).read_text(encoding="utf-8").strip()


def demonstration_log_ins() -> list[tuple[str, str, str]]:
    """Login, password, and what the account is."""
    return [(login, DEMONSTRATION_PASSWORD, what) for login, what in LOG_INS.items()]


@transaction.atomic
def demonstration_load(*, password: str) -> Course:
    """Load what is not there yet. What people changed since is left as it is."""
    demonstration = Demonstration(tomllib.loads((FOLDER / "course.toml").read_text("utf-8")))
    told = demonstration.told
    staff = {person["login"]: _person(person, password) for person in told["staff"]}
    students = {person["login"]: _person(person, password) for person in told["students"]}
    course = Course.objects.filter(name=told["name"], members=staff["instructor"]).first()
    if course is not None:
        return course
    course = Course.objects.create(name=told["name"], term=told["term"])
    for person in told["staff"]:
        Membership.objects.create(course=course, user=staff[person["login"]], role=person["role"])
    for student in students.values():
        Membership.objects.create(course=course, user=student, role=Role.STUDENT)
    assignment = _assignment(course, demonstration)
    pyramid_start_build(assignment=assignment, requested_by=staff["instructor"], publish=True)
    for login, student in students.items():
        for name, is_final in ((f"{login}-draft.txt", False), (f"{login}.txt", True)):
            if demonstration.has("students", name):
                text = demonstration.text("students", name)
                submission_submit(
                    assignment=assignment, student=student, text=text, is_final=is_final
                )
    return course


def _person(told: dict[str, Any], password: str) -> User:
    """The account of this login, or of this address if somebody has changed the login."""
    address = f"{told['login']}@example.org"
    found = User.objects.filter(Q(username=told["login"]) | Q(email=address)).first()
    return found or User.objects.create_user(
        told["login"],
        address,
        password,
        name=told["name"],
        may_create_courses=told.get("role") == Role.INSTRUCTOR,
    )


def _assignment(course: Course, demonstration: Demonstration) -> Assignment:
    told = demonstration.told["assignment"]
    title, _, source = demonstration.text(told["source"]).partition("\n")
    assignment = Assignment.objects.create(
        course=course,
        title=told["title"],
        instructions=told["instructions"],
        source_title=title.strip(),
        source_text=source.strip(),
        min_words=told["min_words"],
        max_words=told["max_words"],
        max_drafts=told["max_drafts"],
        missed_before=Missed[told["missed_before"]],
        missed_after=Missed[told["missed_after"]],
        state=Assignment.State.OPEN,
    )
    references_add(
        assignment=assignment,
        texts=[
            Text(person["author"], demonstration.text(person["file"]))
            for person in demonstration.told["references"]
        ],
    )
    return assignment
