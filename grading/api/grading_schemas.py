"""What the API takes and gives of grading: claims, reviews, comments, second looks, grade rules."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, Field

from grading.api.course_schemas import Id, Number
from grading.api.schemas import In, Span, StudentKey, StudentOut, storable
from grading.pyramid.grade_rules import MOST_BANDS, MOST_GRACE, MOST_POINTS

MOST_AT_ONCE = 1_000
Spans = Annotated[list[Span], Field(max_length=20)]
Comment = Annotated[str, Field(min_length=1, max_length=4_000), AfterValidator(storable)]
Answer = Annotated[str, Field(max_length=1_000), AfterValidator(storable)]
Points = Annotated[Decimal, Field(ge=0, le=MOST_POINTS, max_digits=7, decimal_places=2)]
Share = Annotated[Decimal, Field(ge=0, le=1, max_digits=5, decimal_places=4)]
Percent = Annotated[int, Field(ge=0, le=100)]


# --- claims and reviews ---


class ReviewsIn(In):
    """A claim is for you alone. It ends after 30 minutes, unless you claim again."""

    action: Literal["claim", "release", "mark_reviewed", "mark_not_reviewed"]
    submissions: Annotated[list[Id], Field(min_length=1, max_length=MOST_AT_ONCE)]


class ReviewsOut(Schema):
    """``skipped``: claimed by others, or not the attempt that counts."""

    done: int
    skipped: int


class TakeOverIn(In):
    """``holder`` is the key in ``claimed_by`` of the list of submissions."""

    holder: StudentKey


# --- comments ---


class CommentIn(In):
    """To the “student”, or a note for “graders”; about words, an idea, or the whole text."""

    audience: Literal["student", "graders"]
    text: Comment
    spans: Spans = []
    idea: Number | None = None


class RewordIn(In):
    text: Comment


class CommentOut(Schema):
    id: int
    submission: int
    audience: Literal["student", "graders"]
    text: str
    spans: list[Span]
    version: int | None
    idea: int | None
    author: str | None
    is_mine: bool
    deleted: bool
    created_at: datetime
    edited_at: datetime | None


class SavedCommentIn(In):
    key: Annotated[str, Field(min_length=1, max_length=20), AfterValidator(storable)]
    text: Comment


class SavedCommentOut(Schema):
    id: int
    key: str
    text: str


# --- second looks ---


class SecondLookAnswerIn(In):
    """“count” and “decline” answer a request; “remove” and “keep” one that disputes a match."""

    verdict: Literal["count", "decline", "remove", "keep"]
    answer: Answer = ""
    idea: Number | None = None
    spans: Spans = []


# --- grade rules ---


class WeightsIn(In):
    """Percent, 100 together."""

    comprehensive: Percent
    quality: Percent
    coverage: Percent


class LineScaleIn(In):
    floor: Share = Decimal(0)
    ceiling: Share = Decimal(1)
    least: Points = Decimal(0)


class BandsIn(In):
    """Label, lowest score and points of each band."""

    bands: Annotated[
        list[tuple[Annotated[str, Field(pattern=r"^[^|\r\n\x00]{1,20}$")], Share, Points]],
        Field(min_length=1, max_length=MOST_BANDS),
    ]


class LateIn(In):
    amount: Points
    unit: Literal["percent", "points"]
    per_day: bool
    most: Points | None = None
    grace_minutes: Annotated[int, Field(ge=0, le=MOST_GRACE)] = 0


class RuleIn(In):
    """The document that reading the rule answers."""

    format: Literal[1] = 1
    points: Points
    weights: WeightsIn
    scale: LineScaleIn | BandsIn
    rounding: Points
    late: LateIn | None = None
    attempt: Literal["last", "best"] = "last"
    drafts_count: bool = False
    passes_from: Points | None = None


class GradeRuleIn(In):
    rule: RuleIn
    students_see: bool = False


class RuleEffectOut(Schema):
    """A student whose grade by the rule would change. Points are null where there is no grade."""

    student: StudentOut
    before: Decimal | None
    after: Decimal | None


class RulePreviewOut(Schema):
    in_words: list[str]
    students: int
    changes: list[RuleEffectOut]


class GradeRuleOut(Schema):
    """``rule`` is the document that an exported course has, and ``in_words`` what it says."""

    rule: dict[str, Any]
    in_words: list[str]
    students_see: bool
    is_default: bool
