"""Copies take along what experts made, and nothing of students."""

from datetime import UTC, datetime

import pytest
from django.db.models import ForeignKey

from grading.housekeeping.copies import CopyRules, assignment_copy, course_copy
from grading.housekeeping.course_tables import TABLES, Table
from grading.jobs.runner import job_run
from grading.models import Assignment, Course, Draft, Job, StoredPyramid, User
from grading.pyramid.pipeline import Engine
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row
from grading.submissions.actions import submission_submit
from tests.conftest import SUMMARY, Cast
from tests.housekeeping.course_scene import fill
from tests.scenes import make_scene


@pytest.fixture
def whole(cast: Cast, assignment: Assignment, engine: Engine) -> Assignment:
    del engine
    fill(make_scene(cast, assignment))
    assignment.due_at = datetime(2026, 3, 20, 17, 0, tzinfo=UTC)
    assignment.instructions = "Be brief."
    assignment.save()
    return assignment


def test_a_copy_scores_as_the_original_does(whole: Assignment, cast: Cast) -> None:
    rules = CopyRules(weeks=None, drafts=True)
    copy = assignment_copy(
        assignment=whole, course=cast.other_course, rules=rules, author=cast.instructor
    )

    assert (copy.course, copy.title, copy.state) == (cast.other_course, whole.title, "draft")
    assert (copy.instructions, copy.due_at, copy.max_words) == ("Be brief.", None, whole.max_words)
    assert [(reference.name, reference.text) for reference in copy.references.all()] == [
        (reference.name, reference.text) for reference in whole.references.all()
    ]
    old, new = whole.pyramids.get(), copy.pyramids.get()
    assert (new.number, new.created_by) == (1, cast.instructor)
    assert new.note == f"Copied from version 1 of “{whole.title}”, Academic Writing (Autumn)"
    assert (new.content_hash, pyramid_from_row(new)) == (old.content_hash, pyramid_from_row(old))
    draft = copy.drafts.get()
    assert (draft.origin, draft.revision, draft.based_on) == (Draft.Origin.COPY, 0, new)
    assert pyramid_from_draft(draft) == pyramid_from_draft(whole.drafts.filter(state="open").get())
    assert not copy.submissions.exists()
    assert not copy.writings.exists()
    assert copy.opinion_setting.methods == whole.opinion_setting.methods == ["rouge-1"]

    copy.state = Assignment.State.OPEN
    copy.save()
    theirs = submission_submit(assignment=copy, student=cast.outsider, text=SUMMARY)
    assert job_run(job_pk=Job.objects.get(submission=theirs).pk)
    assert theirs.scores.get().raw == whole.submissions.get().scores.earliest("pk").raw


def test_due_dates_move_on_the_clocks_of_the_course(whole: Assignment, cast: Cast) -> None:
    Course.objects.update(time_zone="Europe/Madrid")
    whole.refresh_from_db()

    copy = assignment_copy(
        assignment=whole, course=whole.course, rules=CopyRules(weeks=2), author=cast.instructor
    )

    # 18:00 in winter time, and 18:00 again two weeks later in summer time.
    assert copy.due_at == datetime(2026, 4, 3, 16, 0, tzinfo=UTC)
    assert copy.title == f"{whole.title} (copy)"


def test_a_whole_course_goes_on_without_people(whole: Assignment, cast: Cast) -> None:
    Assignment.objects.create(course=cast.course, title="Old", archived_at=whole.created_at)

    made = course_copy(
        course=cast.course, name="Writing", term="Spring", rules=CopyRules(), author=cast.instructor
    )

    assert [assignment.title for assignment in made.assignments.all()] == [whole.title]
    assert made.memberships.get().user == cast.instructor
    assert made.code != cast.course.code
    assert StoredPyramid.objects.filter(assignment__course=made).count() == 1
    assert not Draft.objects.filter(assignment__course=made).exists()


@pytest.mark.parametrize(
    "table", [copied for copied in TABLES if copied.copies], ids=lambda copied: copied.name
)
def test_settings_that_are_copied_lead_to_nothing_else(table: Table) -> None:
    keys = [table.model._meta.get_field(name) for name in table.keys.split()]
    others = [key for key in keys if isinstance(key, ForeignKey) and key.name != "assignment"]

    assert all(other.related_model is User and other.null for other in others)
    assert table.course == "assignment__course"
