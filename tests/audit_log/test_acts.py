"""What instructors do, and what of students' work is downloaded, stands in the audit log."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import AuditKind, AuditRecord, User
from tests.scenes import Scene
from tests.url_table import ROWS

Ask = Callable[[User | None], Client]

# Rows of tests/url_table.py: what each of these posts leaves in the log.
POSTED = {
    ("course_code", "course"): AuditKind.CODE_CHANGED,
    ("member_role", "member"): AuditKind.ROLE_CHANGED,
    ("member_delete", "member"): AuditKind.MEMBER_REMOVED,
    ("member_link", "roster member"): AuditKind.INVITED,
    ("member_links", "course"): AuditKind.INVITED,
    ("draft_publish", "draft"): AuditKind.PYRAMID_PUBLISHED,
    ("calibration_learning_set", "assignment"): None,  # nothing was tried: nothing is set
    ("queue_names", "assignment"): AuditKind.NAMES_HIDDEN,
    ("course_exports", "course"): AuditKind.EXPORTED,
    ("course_archive", "course"): AuditKind.COURSE_ARCHIVED,
    ("assignment_archive", "assignment"): AuditKind.COURSE_ARCHIVED,
    ("course_delete", "course"): AuditKind.DELETION_STARTED,
    ("assignment_delete", "assignment"): AuditKind.DELETION_STARTED,
    ("student_delete", "student's data"): AuditKind.DELETION_STARTED,
    ("deletion_bring_back", "deletion"): AuditKind.DELETION_ENDED,
}


@pytest.mark.parametrize(("row", "kind"), POSTED.items(), ids=str)
def test_an_instructor_s_acts_are_recorded(
    row: tuple[str, str], kind: AuditKind | None, scene: Scene, client_of: Ask
) -> None:
    posted = next(r for r in ROWS if (r.name, r.about, r.method) == (*row, "post"))
    if row == ("course_exports", "course"):
        scene.cast.course.jobs.all().delete()
    client = client_of(scene.cast.instructor)
    before = AuditRecord.objects.count()

    client.post(scene.url(posted), posted.data)

    new = list(AuditRecord.objects.order_by("pk")[before:])
    assert [row.kind for row in new] == ([kind] if kind else [])
    assert all(row.actor == scene.cast.instructor.pk for row in new)
    assert all(row.course == scene.cast.course.pk for row in new)


DOWNLOADS = [
    ("course_file", "export"),
    ("gradebook_exported_file", "gradebook export"),
    ("annotations_file", "assignment"),
    ("own_data_file", ""),
]


@pytest.mark.parametrize("row", DOWNLOADS, ids=lambda row: row[0])
def test_downloads_of_students_work_are_recorded(
    row: tuple[str, str], scene: Scene, client_of: Ask
) -> None:
    name, about = row
    client = client_of(scene.cast.instructor)
    before = AuditRecord.objects.count()

    answer = client.get(reverse(name, kwargs=scene.kwargs[about]))

    assert answer.status_code == 200
    entry = AuditRecord.objects.order_by("pk")[before]
    assert (entry.kind, entry.actor) == (AuditKind.EXPORTED, scene.cast.instructor.pk)
