"""Keys of people, for addresses and forms of an assignment."""

from django import template
from django.urls import reverse

from grading.access import hidden_names
from grading.models import Assignment

register = template.Library()


@register.filter
def person_key(assignment: Assignment, user_pk: int) -> str:
    """``{{ assignment|person_key:student.pk }}``, in place of the account's id."""
    return hidden_names.person_key(assignment, user_pk)


@register.filter
def manual_grade_url(assignment: Assignment, user_pk: int) -> str:
    """``{{ assignment|manual_grade_url:student.pk }}``: where this student's grade is set."""
    return reverse("manual_grade", args=[assignment.pk, person_key(assignment, user_pk)])
