"""Rows as the API shows them. Names are hidden before they come here."""

from typing import Any

from grading.access.hidden_names import person_key
from grading.marking.queries import Desk
from grading.models import (
    ApiToken,
    Assignment,
    Comment,
    Draft,
    GradebookExport,
    Job,
    MarkingStep,
    Membership,
    Reference,
    SavedComment,
    Score,
    SecondLook,
    StoredGradeRule,
    StoredPyramid,
    Submission,
    User,
    Webhook,
    WebhookDelivery,
)
from grading.models.grade_rules import rule_of
from grading.pyramid.feedback.sureness import confidence_of
from grading.pyramid.formats.grade_rule_json import grade_rule_to_json
from grading.pyramid.formats.pyramid_json import pyramid_to_json, spans_to_json
from grading.pyramid.grade_rules import GradeRule, rule_in_words
from grading.pyramid.structures import Match, Pyramid, Scu, Segment, Text
from grading.scoring.conversion import submission_to_text
from grading.scoring.grades import StudentGrade
from grading.scoring.queue_rows import QueueRow, QueueScore

Json = dict[str, Any]


def fields_of(row: object, names: str) -> Json:
    """The fields that an answer calls by the names that they have in the row."""
    return {name: getattr(row, name) for name in names.split()}


def shown_token(token: ApiToken) -> Json:
    return {
        "name": token.name,
        "user": token.user.username,
        "course": token.course_id,
        "scope": "write" if token.can_write else "read",
        "expires_at": token.expires_at,
    }


def shown_course(membership: Membership) -> Json:
    course = membership.course
    return {
        "id": course.pk,
        "name": course.name,
        "term": course.term,
        "time_zone": course.time_zone,
        "role": membership.role,
        "archived": course.is_archived,
    }


def shown_member(member: Membership) -> Json:
    return {
        "id": member.pk,
        "name": member.user.name,
        "login": member.user.username,
        "role": member.role,
        "section": member.section,
        "student_number": member.student_number,
    }


def shown_student(assignment: Assignment, member: Membership) -> Json:
    """``member`` is a displayed one: without what would tell a hidden name."""
    return {
        "key": person_key(assignment, member.user_id),
        "name": member.user.name,
        "student_number": member.student_number,
        "section": member.section,
    }


def shown_assignment_row(assignment: Assignment) -> Json:
    shown = fields_of(assignment, "id title state due_at created_at")
    return shown | {"course": assignment.course_id, "archived": assignment.is_archived}


def shown_assignment(assignment: Assignment) -> Json:
    """With all of its settings."""
    settings = (
        "instructions source_title source_text min_words max_words accepts_late max_attempts "
        "max_drafts copying copying_percent release missed_before missed_after second_looks "
        "mails_results mails_reminder names_hidden"
    )
    return shown_assignment_row(assignment) | fields_of(assignment, settings)


def shown_reference(reference: Reference) -> Json:
    return fields_of(reference, "id name words text")


def job_progress(job: Job) -> Json:
    """How far a job is, whatever it is about."""
    return fields_of(job, "id kind state error created_at finished_at") | {
        "progress": job.progress_text,
        "done": job.progress_done,
        "total": job.progress_total,
    }


def shown_job(job: Job) -> Json:
    return job_progress(job) | {
        "assignment": job.assignment_id,
        "submission": job.submission_id,
        "draft": job.draft_id,
    }


def shown_draft(draft: Draft) -> Json:
    shown = fields_of(draft, "id number state origin revision created_at edited_at")
    return shown | {"version": draft.published_as_id}


def shown_version(version: StoredPyramid) -> Json:
    shown = fields_of(version, "id number content_hash note created_at")
    return shown | {"method": version.signature}


def shown_pyramid(row: Draft | StoredPyramid, pyramid: Pyramid) -> Json:
    return {
        "id": row.pk,
        "number": row.number,
        "pyramid": pyramid_to_json(pyramid),
        "numbers": pyramid.numbers(),
    }


# --- submissions and results ---


def shown_row(row: QueueRow) -> Json:
    """Of a student who has submitted something."""
    submission, score = row.submission, row.score
    if submission is None:
        raise ValueError("Nothing was submitted.")
    return {
        "id": submission.pk,
        "student": shown_student(row.assignment, row.membership),
        "attempt": submission.attempt,
        "is_final": submission.is_final,
        "counts": row.counts,
        "submitted_at": submission.submitted_at,
        "late": submission.late,
        "words": submission.words,
        "state": row.state.name.lower(),
        "scores": shown_scores(score),
        "confidence": score.confidence if score else None,
        "corrections": score.corrections if score else 0,
        "flags": [{"kind": flag.kind, "reason": flag.reason} for flag in row.flags],
        "claimed_by": _grader(row.assignment, row.claimant),
    }


def _grader(assignment: Assignment, grader: User | None) -> Json | None:
    if grader is None:
        return None
    return {"key": person_key(assignment, grader.pk), "name": grader.name}


def shown_scores(score: Score | QueueScore | None) -> Json | None:
    """A held text has no scores, which are not zeros."""
    if score is None or score.held:
        return None
    return fields_of(score, "quality coverage comprehensive")


def shown_submission(submission: Submission) -> Json:
    assignment = submission.assignment
    return {
        **fields_of(submission, "id attempt is_final submitted_at late words text"),
        "assignment": assignment.pk,
        "student": person_key(assignment, submission.student_id),
        "name": submission.student.name,
        "copied_share": submission.copied,
        "released": submission.is_shown,
    }


def shown_result(submission: Submission, desk: Desk) -> Json:
    """Scores with all of their evidence."""
    report, score, text = desk.report, desk.score, submission_to_text(submission)
    evidence, numbers = report.evidence, desk.pyramid.numbers()
    ideas = {scu.uid: shown_idea(scu, numbers) for scu in desk.pyramid.scus}
    matches = [match for match in evidence.matches if match.scu_uid in ideas]
    matched = {match.scu_uid for match in evidence.credited}
    return {
        "submission": submission.pk,
        "version": score.pyramid_id,
        "method": score.signature,
        "revision": score.revision,
        "corrected": score.is_corrected,
        "held": score.held,
        "held_reason": evidence.held_reason,
        "points": None if score.held else score.raw,
        "scores": shown_scores(score),
        "statements": score.statements,
        "matches": [_match(match, ideas, text) for match in matches],
        "repeated": [
            _place(repeat.segment, text) | {"idea": repeat.scu_uid} for repeat in evidence.repeats
        ],
        "not_matched": [_place(segment, text) for segment in evidence.unmatched],
        "missing": [idea for uid, idea in ideas.items() if uid not in matched],
        "calculation": list(report.trace),
        "remarks": list(report.remarks),
        "stamp": desk.stamp,
    }


def shown_idea(scu: Scu, numbers: dict[int, int]) -> Json:
    return {
        "id": scu.uid,
        "number": numbers[scu.uid],
        "label": scu.label,
        "weight": scu.weight,
    }


def _match(match: Match, ideas: dict[int, Json], text: Text) -> Json:
    return {
        "idea": ideas[match.scu_uid],
        "spans": spans_to_json(match.spans),
        "words": text.words_at(match.spans),
        "probability": match.probability,
        "confidence": confidence_of(match),
        "set_manually": match.by_hand,
        "contradicts": match.contradicts,
        "held": match.held,
        "credit": match.credit,
    }


def _place(segment: Segment, text: Text) -> Json:
    return {"spans": spans_to_json(segment.spans), "words": text.words_at(segment.spans)}


def shown_step(step: MarkingStep) -> Json:
    return {
        "id": step.pk,
        "did": step.did,
        "about": step.about,
        "undoes": step.undoes_id,
        "author": step.author.name if step.author else None,
        "created_at": step.created_at,
    }


def shown_second_look(look: SecondLook) -> Json:
    shown = fields_of(look, "id state reason spans disputes_match created_at answer answered_at")
    return shown | {
        "submission": look.submission_id,
        "version": look.pyramid_id,
        "idea": look.scu_uid,
    }


def shown_comment(comment: Comment, user: User) -> Json:
    shown = fields_of(comment, "id text spans created_at edited_at")
    return shown | {
        "submission": comment.submission_id,
        "audience": "graders" if comment.is_private else "student",
        "version": comment.pyramid_id,
        "idea": comment.scu_uid,
        "author": comment.author.name if comment.author else None,
        "is_mine": comment.author_id == user.pk,
        "deleted": comment.deleted_at is not None,
    }


def shown_saved_comment(saved: SavedComment) -> Json:
    return fields_of(saved, "id key text")


# --- grades, exports, webhooks ---


def shown_grade(assignment: Assignment, grade: StudentGrade) -> Json:
    return {
        "student": shown_student(assignment, grade.result.membership),
        "state": grade.state,
        "points": grade.grade,
        "possible": grade.possible,
        "band": grade.label,
        "passed": grade.passed,
        "set_manually": grade.by_hand,
        "reason": grade.reason,
        "submission": grade.submission.pk if grade.submission else None,
        "days_late": grade.days_late,
        "calculation": list(grade.by_rule.steps) if grade.by_rule else [],
    }


def shown_rule(stored: StoredGradeRule | None) -> Json:
    rule = rule_of(stored)
    return {
        "rule": grade_rule_to_json(rule),
        "in_words": words_of_rule(rule),
        "students_see": bool(stored and stored.students_see),
        "is_default": stored is None,
    }


def words_of_rule(rule: GradeRule) -> list[str]:
    return [f"{about}: {words}" for about, words in rule_in_words(rule)]


def shown_export(export: GradebookExport) -> Json:
    return fields_of(export, "id kind scope file_name sha256 students left_out created_at")


def shown_delivery(delivery: WebhookDelivery) -> Json:
    shown = fields_of(delivery, "id kind state tries problem created_at sent_at")
    return shown | {"submission": delivery.submission_id}


def shown_webhook(webhook: Webhook) -> Json:
    return fields_of(webhook, "id url scored released second_looks is_active created_at")
