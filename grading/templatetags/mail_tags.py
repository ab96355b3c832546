"""The section *E-mail* on the page of an account, and what other pages say of e-mails."""

from typing import Any

from django import template
from django.template.context import RequestContext

from grading.models import Assignment
from grading.notifications import page

register = template.Library()


@register.inclusion_tag("grading/notifications/_section.html", takes_context=True)
def mail_section(context: RequestContext) -> dict[str, Any]:
    """``{% mail_section %}``: the form with which readers choose their e-mails."""
    request = context["request"]
    return page.mail_section(request.user) | {
        "request": request,
        "csrf_token": context["csrf_token"],
    }


@register.simple_tag
def result_mail_sentence(assignment: Assignment) -> str:
    """Say whether students are e-mailed when their result is ready."""
    return page.result_mail_sentence(assignment)
