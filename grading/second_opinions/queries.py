"""Which methods an assignment can have, and how far their opinions are calculated. Read-only."""

from collections import Counter
from collections.abc import Sequence

from grading.models import Assignment, SecondOpinion, Submission
from grading.pyramid.content import Need
from grading.pyramid.registry import CONTENT_METHODS
from grading.scoring.second_opinions import signatures_of


def unavailable_methods(assignment: Assignment) -> dict[str, str]:
    """The methods that the assignment cannot have, with the reason."""
    has_references = assignment.references.exists()
    reasons = {}
    for name, method in CONTENT_METHODS.items():
        if Need.SOURCE in method.needs and not assignment.source_text:
            reasons[name] = "It needs the source text, and this assignment has none."
        elif Need.PYRAMID not in method.needs and not has_references:
            reasons[name] = "It needs expert summaries, and this assignment has none."
    return reasons


def calculated_counts(assignment: Assignment, methods: Sequence[str]) -> Counter[str]:
    """By method, how many submissions have a current opinion."""
    signatures = signatures_of(assignment, methods)
    rows = SecondOpinion.objects.filter(submission__assignment=assignment, method__in=methods)
    return Counter(
        method
        for method, signature in rows.values_list("method", "signature")
        if signature == signatures.get(method)
    )


def opinions_of(submission: Submission, methods: Sequence[str]) -> dict[str, SecondOpinion]:
    """By method the current opinions of a submission."""
    signatures = signatures_of(submission.assignment, methods)
    rows = SecondOpinion.objects.filter(submission=submission, method__in=methods)
    return {row.method: row for row in rows if row.signature == signatures.get(row.method)}
