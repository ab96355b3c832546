"""A grade by hand: set, excused, or the rule again, shown before it is kept, and undone."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from grading import access
from grading.access.hidden_names import displayed_members
from grading.grades.actions import (
    HandProspect,
    HandWord,
    hand_grade_prospect,
    hand_grade_set,
)
from grading.grades.forms import HandGradeForm
from grading.models import Assignment, HandGrade, Membership
from grading.pyramid.grade_rules.rules import plain
from grading.scoring.grades import StudentGrade, student_grade
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    render_page,
    render_part,
)

PART, PAGE = "grading/grades/_by_hand.html", "grading/grades/by_hand.html"


@require_http_methods(["GET", "POST"])
def grade_by_hand(request: SignedInRequest, pk: int, student_pk: int) -> HttpResponse:
    assignment, membership, student = access.get_graded_student_for(request.user, pk, student_pk)
    [student] = displayed_members(assignment, [student])
    if request.method == "POST":
        return _say(request, assignment, membership, student)
    prospect = hand_grade_prospect(assignment=assignment, student=student)
    form = HandGradeForm(initial=_initial(prospect.before), possible=prospect.before.possible)
    return render_page(request, PAGE, _context(assignment, membership, student, form, prospect))


def _say(
    request: SignedInRequest, assignment: Assignment, membership: Membership, student: Membership
) -> HttpResponse:
    now = hand_grade_prospect(assignment=assignment, student=student)
    undone = now.undone if request.POST.get("what") == "undo" else None
    form = HandGradeForm(
        None if undone else request.POST,
        possible=now.before.possible,
        saves=request.POST.get("what") == "save",
    )
    word, sound = undone or form.word, undone is not None or form.is_valid()
    asks = sound and request.POST.get("what") in {"save", "undo"}
    if asks and word and _keep(request, assignment, student, word):
        return redirect("grade_by_hand", assignment.pk, student.user_id)
    prospect = hand_grade_prospect(assignment=assignment, student=student, word=word)
    context = _context(assignment, membership, student, form, prospect) | {"overtaken": asks}
    status = CONFLICT if asks else 200 if sound else UNPROCESSABLE
    return render_part(request, PART, PAGE, context, status=status)


def _keep(
    request: SignedInRequest, assignment: Assignment, student: Membership, word: HandWord
) -> bool:
    row = hand_grade_set(
        assignment=assignment,
        student=student,
        word=word,
        author=request.user,
        stamp=request.POST.get("stamp", ""),
    )
    if row is None:
        return False
    said = student_grade(assignment, student).told
    messages.success(request, f"{'Undone' if word.is_undo else 'Kept'}: {said}.")
    return True


def _initial(grade: StudentGrade) -> dict[str, Any]:
    kind = HandGrade.Kind.EXCUSED if grade.excused else HandGrade.Kind.POINTS
    return {"kind": kind, "points": "" if grade.grade is None else plain(grade.grade)}


def _context(
    assignment: Assignment,
    membership: Membership,
    student: Membership,
    form: HandGradeForm,
    prospect: HandProspect,
) -> dict[str, Any]:
    undone = prospect.undone
    return {
        "assignment": assignment,
        "membership": membership,
        "student": student.user,
        "form": form,
        "grade": prospect.before,
        "possible": plain(prospect.before.possible),
        "now": prospect.before.told,
        "after": prospect.after.told if prospect.after else "",
        "is_same": prospect.after is not None and _is_same(prospect),
        "said": list(reversed(prospect.said)),
        "stamp": prospect.stamp,
        "undo": _told_undo(undone) if undone else "",
        "overtaken": False,
    }


def _is_same(prospect: HandProspect) -> bool:
    """Would the grade be the same, for the same reason?"""
    was, now = prospect.before, prospect.after
    return now is not None and (was.grade, was.excused, was.by_hand, was.reason) == (
        now.grade,
        now.excused,
        now.by_hand,
        now.reason,
    )


def _told_undo(word: HandWord) -> str:
    if word.kind == HandGrade.Kind.POINTS:
        return f"back to {plain(word.points)} points by hand" if word.points is not None else ""
    return "excused again" if word.kind == HandGrade.Kind.EXCUSED else "back to what the rule gives"
