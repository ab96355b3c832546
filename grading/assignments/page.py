"""What the overview and the settings of an assignment show."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from grading.assignments.forms import (
    CopyingForm,
    MailForm,
    ResultsForm,
    SettingsForm,
    SubmittingForm,
    TaskForm,
)
from grading.models import (
    Assignment,
    Draft,
    Job,
    Membership,
    Role,
    SecondLook,
    StoredPyramid,
    Submission,
)
from grading.pyramid.figures import number_of
from grading.scoring.conversion import is_outdated
from grading.scoring.score_changes import notice_for
from grading.web.assignment_rules import rules_of

ENOUGH_REFERENCES = 2  # for ideas to have different weights


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A step from references to released results. The template has its buttons, by ``name``."""

    name: str
    title: str
    text: str
    is_done: bool
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class SetupProgress:
    """How far an assignment is; rows and counts behind the steps."""

    assignment: Assignment
    references: int
    pyramid: StoredPyramid | None
    draft: Draft | None
    students: int
    submitted: int
    reviewed: int
    second_looks: int
    unreleased: int  # students who don't see the result of the attempt that counts

    def steps(self) -> list[SetupStep]:
        """In order; the first that is not done is the current one."""
        steps = [
            self._references(),
            self._build(),
            self._publish(),
            self._share(),
            self._review(),
            self._release(),
        ]
        current = next((place for place, step in enumerate(steps) if not step.is_done), None)
        return [replace(step, is_current=place == current) for place, step in enumerate(steps)]

    def _references(self) -> SetupStep:
        text = {
            0: "Ask two or more people who know the subject to summarise the source. "
            "Four or five are best.",
            1: "One so far. Add a second to show what matters most.",
        }.get(self.references, f"{self.references} references.")
        enough = self.references >= ENOUGH_REFERENCES
        is_done = enough or self.pyramid is not None or self.draft is not None
        return SetupStep("references", "Add references", text, is_done)

    def _build(self) -> SetupStep:
        is_done = self.pyramid is not None or self.draft is not None
        text = "Built from the references." if is_done else "This takes less than a minute."
        return SetupStep("build", "Build the pyramid", text, is_done)

    def _publish(self) -> SetupStep:
        if self.pyramid is None:
            text = "Check the draft first. Nobody is scored until you publish it."
        else:
            when = date_format(timezone.localtime(self.pyramid.created_at), "j F Y, H:i")
            text = f"Version {self.pyramid.number}, published {when}."
            if self.draft is not None:
                text += f" Draft {self.draft.number} is in progress."
        return SetupStep("publish", "Publish the pyramid", text, self.pyramid is not None)

    def _share(self) -> SetupStep:
        assignment = self.assignment
        is_done = self.submitted > 0 or (not assignment.is_draft and self.students > 0)
        joined = f" {number_of(self.students, 'student')} joined." if self.students else ""
        if assignment.is_draft:
            text = "Students can't see the assignment yet."
        elif not assignment.is_open:
            text = f"Closed: students can't submit.{joined}"
        else:
            text = f"{_who_can_submit(assignment)}{joined}"
        return SetupStep("share", "Open it and share the join link", text, is_done)

    def _review(self) -> SetupStep:
        text = "Nobody has submitted yet."
        if self.submitted:
            text = f"{number_of(self.submitted, 'student')} submitted, {self.reviewed} reviewed."
        if self.second_looks:
            text += f" {number_of(self.second_looks, 'second look')} to answer."
        all_reviewed = self.reviewed >= self.submitted
        is_done = self.submitted > 0 and all_reviewed and not self.second_looks
        return SetupStep("review", "Review submissions", text, is_done)

    def _release(self) -> SetupStep:
        waiting = self.submitted > 0 and self.unreleased > 0
        text = _WHEN_SHOWN[Assignment.Release(self.assignment.release)]
        if waiting:
            text = f"{number_of(self.unreleased, 'student')} can't see a result yet. {text}"
        return SetupStep("release", "Release results", text, self.submitted > 0 and not waiting)


_WHEN_SHOWN = {
    Assignment.Release.AT_ONCE: "Students see results as soon as their text is scored.",
    Assignment.Release.AFTER_DUE: "Students see results after the due date.",
    Assignment.Release.BY_HAND: "Students see results when you release them.",
}


def _who_can_submit(assignment: Assignment) -> str:
    """Of an assignment that is open."""
    if assignment.due_at is None:
        return "Students can submit."
    if assignment.accepts_late:
        return "Students can submit until you close it. After the due date, submissions are late."
    if assignment.is_overdue:
        return "Students can't submit: the due date has passed."
    return "Students can submit until the due date."


def progress_of(assignment: Assignment) -> SetupProgress:
    counting = assignment.submissions.latest_attempts()
    unreleased = counting.filter(visibility=Submission.Visibility.RULE)
    looks = SecondLook.objects.filter(submission__assignment=assignment)
    return SetupProgress(
        assignment=assignment,
        references=assignment.references.count(),
        pyramid=StoredPyramid.objects.newest_of(assignment),
        draft=Draft.objects.open_of(assignment).first(),
        students=assignment.course.memberships.filter(role=Role.STUDENT).count(),
        submitted=counting.count(),
        reviewed=assignment.reviews.exclude(reviewed_at=None).count(),
        second_looks=looks.waiting().count(),
        unreleased=0 if assignment.shows_results else unreleased.count(),
    )


def overview_context(assignment: Assignment, membership: Membership) -> dict[str, Any]:
    job = Job.objects.latest_to_show(assignment)  # first: a worker may end while we look
    progress = progress_of(assignment)
    steps, pyramid = progress.steps(), progress.pyramid
    # Instructors learn that the method changed once all scores are calculated again.
    shows_method = job is None and membership.is_instructor
    return {
        "assignment": assignment,
        "membership": membership,
        "progress": progress,
        "steps": steps,
        "all_done": all(step.is_done for step in steps),
        "outdated": pyramid is not None and is_outdated(pyramid, assignment),
        "rules": rules_of(assignment, None, membership),
        "job": job,
        "method_change": notice_for(assignment, pyramid) if shows_method and pyramid else None,
    }


# --- settings ---


def settings_context(
    assignment: Assignment, membership: Membership, forms: Mapping[str, SettingsForm]
) -> dict[str, Any]:
    """The sections, each with what is set now in a line; one with errors is open."""
    now = {
        TaskForm.section: _task(assignment),
        SubmittingForm.section: _submitting(assignment),
        CopyingForm.section: _copying(assignment),
        ResultsForm.section: _results(assignment),
        MailForm.section: _mails(assignment),
    }
    return {
        "assignment": assignment,
        "membership": membership,
        "sections": [{"form": form, "now": now[name]} for name, form in forms.items()],
    }


def _task(assignment: Assignment) -> str:
    words = len(assignment.source_text.split())
    source = f"Source: {number_of(words, 'word')}." if words else "No source text."
    return f"{source} {'With instructions.' if assignment.instructions else 'No instructions.'}"


def _submitting(assignment: Assignment) -> str:
    due = "no due date"
    if assignment.due_at is not None:
        due = f"due {date_format(timezone.localtime(assignment.due_at), 'j F Y, H:i')}"
    parts = [f"{assignment.min_words} to {assignment.max_words} words", due]
    if assignment.max_drafts:
        parts.append(number_of(assignment.max_drafts, "draft"))
    finals = assignment.max_attempts
    final = "final submission"
    parts.append(f"no limit on {final}s" if finals is None else number_of(finals, final))
    return ", ".join(parts) + "."


def _copying(assignment: Assignment) -> str:
    if not assignment.source_text:
        return "Not checked: there is no source text."
    if assignment.copying == Assignment.Copying.ALLOW:
        return "Accepted."
    share = f"{assignment.copying_percent} % or more of their words"
    verb = "can't submit" if assignment.copying == Assignment.Copying.BLOCK else "are warned"
    return f"Students who copy {share} {verb}."


def _mails(assignment: Assignment) -> str:
    if not assignment.mails_results and not assignment.mails_reminder:
        return "Off."
    if not assignment.mails_reminder:
        return "Results and answers."
    return "Results, answers and reminders." if assignment.mails_results else "Reminders."


def _results(assignment: Assignment) -> str:
    missing = f"Missing ideas: {assignment.get_missed_before_display().lower()}"
    if assignment.missed_after != assignment.missed_before:
        missing += f", later {assignment.get_missed_after_display().lower()}"
    looks = "Second looks are on." if assignment.second_looks else "Second looks are off."
    return f"{_WHEN_SHOWN[Assignment.Release(assignment.release)]} {missing}. {looks}"
