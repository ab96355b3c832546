"""What the pages of a class share: the part of the class, its figures, and their wording."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from grading import access
from grading.class_figures.forms import SectionForm
from grading.models import Assignment, Membership
from grading.pyramid.class_figures import (
    FEW,
    ClassIdeas,
    ClassText,
    Discrimination,
    Flag,
    Ground,
    IdeaFigures,
    Limits,
    NeedsHelp,
    Reason,
    ideas_of,
    limits_of,
    needing_help,
)
from grading.pyramid.figures import hundredths, with_minus
from grading.pyramid.intervals import Interval
from grading.pyramid.structures import Pyramid
from grading.scoring.conversion import class_texts, pyramid_from_row
from grading.scoring.results import (
    ClassWork,
    StudentResult,
    class_work,
    credited_ideas,
    scores_before,
)
from grading.web.rendering import SignedInRequest

FOLDER = "grading/class_figures"
_TITLES = {
    "class_figures": "Scores",
    "class_ideas": "Idea by idea",
    "class_missed": "What to teach again",
    "class_help": "Who needs help",
    "class_new_ideas": "New ideas",
    "class_sections": "Sections",
    "class_opinions": "Second opinions",
}


@dataclass(frozen=True, slots=True)
class ClassPage:
    """The class, and the part of it (a section) that the page is about."""

    name: str
    assignment: Assignment
    membership: Membership
    whole: ClassWork
    work: ClassWork
    form: SectionForm

    @property
    def query(self) -> str:
        """The end of an address that keeps the section on another page."""
        return "" if self.form.chosen is None else section_query(self.form.chosen)

    @property
    def results(self) -> dict[int, StudentResult]:
        """Results that count, by submission."""
        counted = self.work.counted
        return {result.submission.pk: result for result in counted if result.submission}

    def texts(self) -> list[ClassText]:
        return class_texts(self.work.counted, {})

    def texts_with_ideas(self) -> list[ClassText]:
        """The same with their ideas, which means reading the documents of all scores."""
        return class_texts(self.work.counted, credited_ideas(self.work.counted))

    def pyramid(self) -> Pyramid:
        """What the class was scored by."""
        version = self.whole.version
        return pyramid_from_row(version).counted() if version else Pyramid((), ())

    def ideas(self) -> ClassIdeas:
        return ideas_of(self.pyramid(), self.texts_with_ideas())

    def needing_help(self) -> tuple[list[NeedsHelp], Limits]:
        """Students who may need help, the most reasons first, and the limits that were applied."""
        texts = self.texts()
        limits = limits_of(texts, min_words=self.assignment.min_words)
        return needing_help(texts, limits, scores_before(self.work)), limits

    def context(self, **more: Any) -> dict[str, Any]:
        work = self.work
        counted = len(work.counted)
        return {
            "assignment": self.assignment,
            "membership": self.membership,
            "version": self.whole.version,
            "page_title": _TITLES[self.name],
            "section_form": self.form,
            "section": self.form.chosen,
            "section_is_gone": not self.form.is_valid(),
            "section_query": self.query,
            "sort_rest": self.query.replace("?", "&", 1),
            "has_sections": any(self.whole.sections),
            "students": len(work.results),
            "handed_in": len(work.results) - len(work.absent),
            "counted": counted,
            "outdated": len(work.outdated),
            "waiting": len(work.waiting),
            "held": len(work.held),
            "few": 0 < counted < FEW,
        } | more


def class_page(request: SignedInRequest, pk: int, name: str) -> ClassPage:
    """For graders; ``name`` is that of the URL."""
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    whole = class_work(assignment)
    form = SectionForm(request.GET, sections=whole.sections)
    work = whole if form.chosen is None else whole.of_section(form.chosen)
    return ClassPage(name, assignment, membership, whole, work, form)


def section_query(section: str) -> str:
    """The end of an address for a section; the empty name is for students who are in none."""
    return f"?{urlencode({'section': SectionForm.value_of(section)})}"


# --- wording ---

DISCRIMINATION_LABELS = {
    Discrimination.CLEARLY: "separates strong from weak",
    Discrimination.LITTLE: "says little",
    Discrimination.AGAINST: "more often in weaker summaries",
    Discrimination.UNKNOWN: "not clear",
    Discrimination.SAME: "nothing to compare",
}
FLAGS = {
    Flag.HEAVY_MISSED: "important, but few students express it",
    Flag.LIGHT_MATCHED: "less important, but nearly everyone expresses it",
    Flag.AGAINST: "weaker summaries express it more often than stronger ones",
}
ADVICE = {
    Flag.HEAVY_MISSED: "Teach it again, or check for words that weren't recognised. The idea may "
    "need another label.",
    Flag.LIGHT_MATCHED: "It may deserve more weight, or be matched wrongly. Check some summaries.",
    Flag.AGAINST: "It may be matched wrongly, or strong writers skip it. Check some summaries.",
}
REASONS = {
    Reason.NOTHING: "No idea was matched",
    Reason.COVERAGE: "Low coverage",
    Reason.QUALITY: "Low quality",
    Reason.FALLING: "Fell since the previous attempt",
    Reason.SHORT: "Short",
}


def percent(share: float) -> str:
    return f"{round(100 * share)}\u00a0%"


def percent_between(interval: Interval) -> str:
    """“44 to 68 %”."""
    return f"{round(100 * interval.low)} to {percent(interval.high)}"


def signed(number: float) -> str:
    """With a minus that is as long as a plus."""
    return with_minus(str(hundredths(number) + 0))


def discrimination_in_words(idea: IdeaFigures) -> str:
    if idea.discrimination is Discrimination.SAME and not idea.missed:
        return "everyone expresses it"
    if idea.discrimination is Discrimination.SAME and not idea.matched:
        return "nobody expresses it"
    return DISCRIMINATION_LABELS[idea.discrimination]


def ground_in_words(ground: Ground) -> str:
    """Say why a student may need help, with the numbers."""
    value, limit = hundredths(ground.value), hundredths(ground.limit)
    return {
        Reason.NOTHING: "No idea was matched.",
        Reason.COVERAGE: f"Coverage {value} (low is below {limit}).",
        Reason.QUALITY: f"Quality {value} (low is below {limit}).",
        Reason.FALLING: f"Fell from {limit} to {value} since the previous attempt.",
        Reason.SHORT: f"{ground.value:.0f} words: short is below {ground.limit:.0f}.",
    }[ground.reason]


def reason_rows(needing: Sequence[NeedsHelp]) -> list[tuple[str, int]]:
    """How many students have each reason; a student may have several."""
    counts = Counter(ground.reason for student in needing for ground in student.grounds)
    return [(REASONS[reason], counts[reason]) for reason in Reason if counts[reason]]
