"""The rules of an assignment, and what is left of them, in a student's words."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from grading.models import Assignment, Membership, Missed
from grading.pyramid.figures import number_of
from grading.scoring.allowances import Allowance

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_MISSED_WORDS = {
    Missed.NOTHING: "nothing",
    Missed.COUNTS: "how many of each weight",
    Missed.HINTS: "key words of each",
    Missed.LABELS: "the ideas themselves",
    Missed.SENTENCES: "the ideas themselves, and how an expert says them",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """Each a sentence or a few; ``elsewhere`` is the due date on the course's clocks."""

    due: str
    left: str
    elsewhere: str
    late: str
    attempts: str
    left_of_attempts: str
    counts: str
    copying: str
    results: str
    missing: str


def rules_of(assignment: Assignment, allowance: Allowance | None, membership: Membership) -> Rules:
    """``allowance`` is a student's; who hands in nothing has none."""
    return Rules(
        due=told_time(assignment.due_at, membership.user.zone) if assignment.due_at else "",
        left=_told_left(assignment),
        elsewhere=_told_elsewhere(assignment, membership.user.zone),
        late=_told_late(assignment),
        attempts=_told_attempts(assignment),
        left_of_attempts=_told_left_of_attempts(assignment, allowance),
        counts=_told_counts(assignment),
        copying=_told_copying(assignment),
        results=_told_results(assignment),
        missing=_told_missing(assignment),
    )


def told_time(moment: datetime, zone: ZoneInfo) -> str:
    """A time by the clocks of a zone, which is named."""
    return f"{date_format(moment.astimezone(zone), 'j F Y, H:i')} ({zone.key})"


def told_span(span: timedelta) -> str:
    """A span of time as one says it: two units at most, one where it is long."""
    if span >= 3 * _DAY:
        return number_of(span // _DAY, "day")
    if span >= _DAY:
        return _two(number_of(span // _DAY, "day"), span % _DAY // _HOUR, "hour")
    if span >= _HOUR:
        return _two(number_of(span // _HOUR, "hour"), span % _HOUR // _MINUTE, "minute")
    return number_of(span // _MINUTE, "minute") if span >= _MINUTE else "less than a minute"


def _two(larger: str, smaller: int, unit: str) -> str:
    return f"{larger} and {number_of(smaller, unit)}" if smaller else larger


def _told_left(assignment: Assignment) -> str:
    if assignment.due_at is None:
        return ""
    left = assignment.due_at - timezone.now()
    if left > timedelta():
        return f"{told_span(left)} left"
    return f"{told_span(-left)} ago"


def _told_elsewhere(assignment: Assignment, zone: ZoneInfo) -> str:
    """Nothing where the clocks of the course show the same as the reader's."""
    if assignment.due_at is None:
        return ""
    there = ZoneInfo(assignment.course.time_zone)
    if (
        assignment.due_at.astimezone(there).utcoffset()
        == assignment.due_at.astimezone(zone).utcoffset()
    ):
        return ""
    return f"{told_time(assignment.due_at, there)}, on the clocks of the course"


def _told_late(assignment: Assignment) -> str:
    if assignment.due_at is None:
        return ""
    if assignment.accepts_late:
        return "After that you can still hand in; it is marked as late."
    return "After that nothing can be handed in."


def _told_attempts(assignment: Assignment) -> str:
    finals = assignment.max_attempts
    if not assignment.max_drafts:
        if finals is None:
            return "You can hand in as often as you like."
        return "You can hand in once." if finals == 1 else f"You can hand in {finals} times."
    drafts = number_of(assignment.max_drafts, "draft")
    told = {None: "finals, as often as you like", 1: "one final"}.get(finals, f"{finals} finals")
    return f"First up to {drafts} for feedback, then {told}. No draft can follow a final."


def _told_left_of_attempts(assignment: Assignment, allowance: Allowance | None) -> str:
    if allowance is None or allowance.is_none:
        return ""
    parts = []
    if assignment.max_drafts and not allowance.finals_in:
        parts.append(number_of(allowance.drafts, "draft") if allowance.drafts else "no draft")
    if assignment.max_attempts is not None:
        parts.append(number_of(allowance.finals, "final" if assignment.max_drafts else "attempt"))
    return f"Left: {' and '.join(parts)}." if parts else ""


def _told_counts(assignment: Assignment) -> str:
    if assignment.max_drafts:
        return "Your newest final; as long as there is none, your newest draft."
    if assignment.max_attempts == 1:
        return "The summary that you hand in."
    return "Your newest attempt. Earlier ones stay for you to read."


def _told_copying(assignment: Assignment) -> str:
    if not assignment.source_text or assignment.copying == Assignment.Copying.ALLOW:
        return ""
    share = f"{assignment.copying_percent} % or more of your words stand in the source in a row"
    if assignment.copying == Assignment.Copying.BLOCK:
        return f"Write in your own words: where {share}, the summary is refused."
    return f"Write in your own words: where {share}, you are warned, and your teacher can see it."


def _told_results(assignment: Assignment) -> str:
    if assignment.release == Assignment.Release.AT_ONCE:
        return "As soon as your summary is scored, usually within minutes."
    if assignment.release == Assignment.Release.BY_HAND:
        return "When your teacher releases them."
    if assignment.due_at is None:
        return "When the assignment is closed."
    return "After the due date."


def _told_missing(assignment: Assignment) -> str:
    """What is told of ideas that a text lacks: now, and once it is over."""
    first = f"You are told {_MISSED_WORDS[Missed(assignment.missed_before)]}"
    if assignment.missed_before == assignment.missed_after:
        return f"{first}."
    when = "once the assignment is closed" if assignment.due_at is None else "after the due date"
    if assignment.due_at and assignment.max_drafts and assignment.accepts_late:
        when = f"{when} (of a draft: once the assignment is closed)"
    return f"{first}; {when}, {_MISSED_WORDS[Missed(assignment.missed_after)]}."
