"""The rules of an assignment and what is left of them, in words for students."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from grading.models import Assignment, Job, Membership, Missed, Submission
from grading.models.terms import Terms
from grading.pyramid.figures import number_of
from grading.scoring.allowances import Allowance

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
MISSED_IDEAS = {
    Missed.NOTHING: "nothing",
    Missed.COUNTS: "how many there are",
    Missed.HINTS: "key words of each",
    Missed.LABELS: "the ideas themselves",
    Missed.SENTENCES: "the ideas themselves, and how an expert says them",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """Each field has a sentence or a few, or is empty where there is nothing to say.

    ``elsewhere`` is the due date in the time zone of the course, if that is another one;
    ``extended`` says that an extension applies to the reader.
    """

    due: str
    left: str
    elsewhere: str
    late: str
    extended: str
    attempts: str
    left_of_attempts: str
    counts: str
    copying: str
    results: str
    missing: str


def rules_of(assignment: Assignment, allowance: Allowance | None, membership: Membership) -> Rules:
    """The rules for this reader; ``allowance`` is None for graders, who submit nothing."""
    terms = terms_for(assignment, membership)
    due = left = elsewhere = late = extended = ""
    if terms.due_at is not None:
        zone, course_zone = membership.user.zone, ZoneInfo(assignment.course.time_zone)
        here, there = terms.due_at.astimezone(zone), terms.due_at.astimezone(course_zone)
        remaining = terms.due_at - timezone.now()
        due = format_time(terms.due_at, zone)
        left = (
            f"{format_duration(remaining)} left"
            if remaining > timedelta()
            else f"{format_duration(-remaining)} ago"
        )
        if here.utcoffset() != there.utcoffset():
            elsewhere = f"{format_time(terms.due_at, course_zone)}, in the course's time zone"
        late = (
            "After that you can still submit; it is marked as late."
            if assignment.accepts_late
            else "After that you can't submit."
        )
        if terms.due_at != assignment.due_at:
            extended = "You have an extension: this is your own due date."
    return Rules(
        due=due,
        left=left,
        elsewhere=elsewhere,
        late=late,
        extended=extended,
        attempts=_attempts_rule(assignment, terms),
        left_of_attempts=_attempts_left(assignment, terms, allowance),
        counts=_counting_rule(assignment, terms),
        copying=_copying_rule(assignment),
        results=_results_rule(assignment),
        missing=_missing_ideas_rule(assignment),
    )


def terms_for(assignment: Assignment, membership: Membership) -> Terms:
    """What applies to this reader: a student's own terms, or those of the class for graders."""
    if membership.is_grader:
        return assignment.terms
    return assignment.terms_of(membership.user_id)


def format_time(moment: datetime, zone: ZoneInfo) -> str:
    """A date and time in a time zone, with the name of the zone."""
    return f"{date_format(moment.astimezone(zone), 'j F Y, H:i')} ({zone.key})"


def format_duration(duration: timedelta) -> str:
    """A duration as people say it: in one unit where it is long, else in two at most."""
    if duration >= 3 * DAY:
        return number_of(duration // DAY, "day")
    if duration < MINUTE:
        return "less than a minute"
    if duration < HOUR:
        return number_of(duration // MINUTE, "minute")
    if duration < DAY:
        larger = number_of(duration // HOUR, "hour")
        count, unit = duration % HOUR // MINUTE, "minute"
    else:
        larger = number_of(duration // DAY, "day")
        count, unit = duration % DAY // HOUR, "hour"
    return f"{larger} and {number_of(count, unit)}" if count else larger


def describe_submission(submission: Submission, zone: ZoneInfo) -> str:
    """Confirm what was submitted, and say what happens next.

    Where results are held back, the page itself says so.
    """
    kind = ""
    if submission.assignment.max_drafts:
        kind = ", a final submission" if submission.is_final else ", a draft"
    late = " It's late." if submission.late else ""
    at_work = Job.objects.filter(submission=submission).unfinished()
    if not submission.is_shown:
        following = ""
    elif submission.scores.exists():
        following = "It has been scored."
    elif at_work.exists():
        following = "It's being scored. The result will appear on this page."
    else:
        following = "It will be scored when your instructor publishes the pyramid."
    return (
        f"Submitted: attempt {submission.attempt}{kind}, {number_of(submission.words, 'word')}, "
        f"on {format_time(submission.submitted_at, zone)}.{late} {following}"
    ).rstrip()


def _attempts_rule(assignment: Assignment, terms: Terms) -> str:
    finals = terms.max_attempts
    if not assignment.max_drafts:
        if finals is None:
            return "You can submit as often as you like."
        return "You can submit once." if finals == 1 else f"You can submit {finals} times."
    drafts = number_of(assignment.max_drafts, "draft")
    then = {
        None: "as many final submissions as you like",
        1: "one final submission",
    }.get(finals, f"{finals} final submissions")
    return (
        f"First up to {drafts} for feedback, then {then}. "
        "You can't submit a draft after a final submission."
    )


def _attempts_left(assignment: Assignment, terms: Terms, allowance: Allowance | None) -> str:
    if allowance is None or allowance.is_none:
        return ""
    parts = []
    if assignment.max_drafts and not allowance.finals_in:
        parts.append(number_of(allowance.drafts, "draft") if allowance.drafts else "no drafts")
    if terms.max_attempts is not None:
        attempt = "final submission" if assignment.max_drafts else "attempt"
        parts.append(number_of(allowance.finals, attempt))
    return f"{' and '.join(parts)} left.".capitalize() if parts else ""


def _counting_rule(assignment: Assignment, terms: Terms) -> str:
    if assignment.max_drafts:
        return "Your newest final submission or, until then, your newest draft."
    if terms.max_attempts == 1:
        return "The summary that you submit."
    return "Your newest attempt. You can still read earlier attempts."


def _copying_rule(assignment: Assignment) -> str:
    if not assignment.source_text or assignment.copying == Assignment.Copying.ALLOW:
        return ""
    share = f"If you copy {assignment.copying_percent} % or more of your words from the source"
    if assignment.copying == Assignment.Copying.BLOCK:
        return f"Write in your own words. {share}, the summary is refused."
    return f"Write in your own words. {share}, you are warned and your instructor sees it."


def _results_rule(assignment: Assignment) -> str:
    if assignment.release == Assignment.Release.AT_ONCE:
        return "As soon as your summary is scored, usually within minutes."
    if assignment.release == Assignment.Release.BY_HAND:
        return "When your instructor releases them."
    if assignment.due_at is None:
        return "When the assignment is closed."
    return "After the due date."


def _missing_ideas_rule(assignment: Assignment) -> str:
    first = f"You see {MISSED_IDEAS[Missed(assignment.missed_before)]}"
    if assignment.missed_before == assignment.missed_after:
        return f"{first}."
    when = "once the assignment is closed" if assignment.due_at is None else "after the due date"
    if assignment.due_at and assignment.max_drafts and assignment.accepts_late:
        when = f"{when} (for a draft, once the assignment is closed)"
    return f"{first}; {when}, {MISSED_IDEAS[Missed(assignment.missed_after)]}."
