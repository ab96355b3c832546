"""Fills an empty database with a course: ``python -m tests.load.fill FILE STUDENTS TAS``.

There are two assignments with the same pyramid. At the first the class has submitted and is scored;
at the second nobody has submitted yet. FILE gets what ``locustfile.py`` must know.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import django

django.setup()

from allauth.account.models import EmailAddress  # noqa: E402 - Django is ready only now
from django.contrib.auth.hashers import make_password  # noqa: E402

from grading.jobs.runner import job_run  # noqa: E402
from grading.management.demonstration_course import FOLDER  # noqa: E402
from grading.models import Assignment, Course, Membership, Role, User  # noqa: E402
from grading.pyramids.actions import pyramid_start_build, references_add  # noqa: E402
from grading.scoring.scores import submissions_start_scoring  # noqa: E402
from grading.submissions.actions import submission_submit  # noqa: E402
from tests.bench.made_texts import corpus, made_class  # noqa: E402

PASSWORD = "a-class-of-five-hundred"
WORDS = 150
SEED = 20261120


def fill(students: int, tas: int) -> dict[str, object]:
    course = Course.objects.create(name="Academic writing", term="Autumn 2026")
    # One hash for all: made for each, it would take a minute and a half for 500.
    hashed = make_password(PASSWORD)
    instructor = _accounts(course, Role.INSTRUCTOR, 1, hashed)[0]
    _accounts(course, Role.TA, tas, hashed)
    members = _accounts(course, Role.STUDENT, students, hashed)
    earlier = _assignment(course, "Summary 1", instructor)
    texts = [text.content for text in made_class(2 * students, WORDS, seed=SEED)]
    for student, text in zip(members, texts, strict=False):
        submission_submit(assignment=earlier, student=student, text=text)
    scoring = submissions_start_scoring(assignment=earlier, requested_by=instructor)
    assert scoring is not None
    assert job_run(job_pk=scoring.pk)
    earlier.jobs.filter(state="queued").delete()  # of each text by itself: all are scored
    now = _assignment(course, "Summary 2", instructor)
    return {
        "password": PASSWORD,
        "course": course.pk,
        "earlier": earlier.pk,
        "now": now.pk,
        "texts": texts[students:],
    }


def _accounts(course: Course, role: Role, count: int, hashed: str) -> Sequence[User]:
    users = User.objects.bulk_create(
        User(
            username=f"{role}-{number}",
            email=f"{role}-{number}@example.org",
            name=f"{role.label} {number:03}",
            password=hashed,
        )
        for number in range(count)
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users
    )
    Membership.objects.bulk_create(
        Membership(course=course, user=user, role=role) for user in users
    )
    return users


def _assignment(course: Course, title: str, instructor: User) -> Assignment:
    source_title, _, source = (FOLDER / "source.txt").read_text("utf-8").partition("\n")
    assignment = Assignment.objects.create(
        course=course,
        title=title,
        source_title=source_title.strip(),
        source_text=source.strip(),
        min_words=50,
        max_words=2 * WORDS,
        release=Assignment.Release.AT_ONCE,
        state=Assignment.State.OPEN,
    )
    references_add(assignment=assignment, texts=corpus().references)
    job = pyramid_start_build(assignment=assignment, requested_by=instructor, publish=True)
    assert job_run(job_pk=job.pk)
    return assignment


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(fill(*map(int, sys.argv[2:]))))
