"""The rule from scores to grades: what holds, and what another would do before it is applied."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from grading import access
from grading.access.hidden_names import hide_names
from grading.grades.actions import (
    NewRule,
    RuleProspect,
    expert_scale,
    grade_rule_prospect,
    grade_rule_set,
    proposed_rule,
)
from grading.grades.forms import GradeRuleForm, rule_initial
from grading.grades.page_effects import shown_effect
from grading.models import Assignment, HandGrade, Membership, StoredGradeRule
from grading.models.grade_rules import rule_of
from grading.pyramid.figures import number_of
from grading.pyramid.grade_rules.wording import told_rule
from grading.web.rendering import (
    CONFLICT,
    UNPROCESSABLE,
    SignedInRequest,
    render_page,
    render_part,
)

PART, PAGE = "grading/grades/_effect.html", "grading/grades/rule.html"
HAND_GRADES_SHOWN = 200


@require_http_methods(["GET", "POST"])
def grade_rule(request: SignedInRequest, pk: int) -> HttpResponse:
    if request.method == "POST":
        return _propose(request, pk)
    assignment, membership = access.get_graded_assignment_for(request.user, pk)
    stored = StoredGradeRule.objects.newest_of(assignment)
    rule = stored.rule if stored else proposed_rule(expert_scale(assignment))
    new = NewRule(rule, bool(stored and stored.students_see))
    form = GradeRuleForm(initial=rule_initial(new))
    return render_page(request, PAGE, _context(assignment, membership, form))


def _propose(request: SignedInRequest, pk: int) -> HttpResponse:
    assignment, membership = access.get_editable_assignment_for(request.user, pk)
    form = GradeRuleForm(request.POST)
    if not form.is_valid():
        context = _context(assignment, membership, form)
        return render_part(request, PART, PAGE, context, status=UNPROCESSABLE)
    prospect = grade_rule_prospect(assignment=assignment, new=form.new)
    asks = request.POST.get("what") == "apply"
    if asks and _apply(request, assignment, prospect):
        return redirect("grade_rule", pk)
    shown = {"effect": shown_effect(prospect), "overtaken": asks}
    context = _context(assignment, membership, form) | shown
    return render_part(request, PART, PAGE, context, status=CONFLICT if asks else 200)


def _apply(request: SignedInRequest, assignment: Assignment, prospect: RuleProspect) -> bool:
    stored = grade_rule_set(
        assignment=assignment,
        new=prospect.new,
        author=request.user,
        stamp=request.POST.get("stamp", ""),
    )
    if stored is None:
        return False
    moved = len(prospect.effect.movers)
    said = f"{number_of(moved, 'grade')} changed." if moved else "No grade changed by it."
    messages.success(request, f"The rule holds from now on. {said}")
    return True


def _context(assignment: Assignment, membership: Membership, form: GradeRuleForm) -> dict[str, Any]:
    rules = list(assignment.grade_rules.select_related("author").order_by("-pk"))
    said = assignment.hand_grades.select_related("author", "student").order_by("-pk")
    hand_grades = list(said[:HAND_GRADES_SHOWN])
    hide_names(assignment, hand_grades)
    holds = rules[0] if rules else None
    return {
        "assignment": assignment,
        "membership": membership,
        "form": form,
        "stored": holds,
        "experts": expert_scale(assignment),
        "told": told_rule(rule_of(holds)),
        "earlier": [(row, told_rule(row.rule)) for row in rules[1:]],
        "hand_grades": hand_grades,
        "kinds": HandGrade.Kind,
        "effect": None,
        "overtaken": False,
    }
