"""How a view answers: a page, or the part that htmx asked for. Only reader of request.htmx."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh
from django_htmx.middleware import HtmxDetails

from grading.models import User

FORBIDDEN = 403
UNPROCESSABLE = 422
CONFLICT = 409


class SignedInRequest(HttpRequest):
    """What LoginRequiredMiddleware lets through to every view that is not marked otherwise."""

    user: User
    htmx: HtmxDetails


def render_page(
    request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    return render(request, template, context, status=status)


def render_form_page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The page of a form: 422 where the form was sent and has errors."""
    refused = context["form"].is_bound and not context["form"].is_valid()
    return render(request, template, context, status=UNPROCESSABLE if refused else 200)


def render_part(
    request: SignedInRequest, part: str, page: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The part for htmx, the page around it for a browser without script."""
    return render(request, part if request.htmx else page, context, status=status)


def refresh_page(request: SignedInRequest, otherwise: HttpResponse) -> HttpResponse:
    """Have htmx load the whole page again; without htmx, the other answer."""
    return HttpResponseClientRefresh() if request.htmx else otherwise


def asks_for_parts(request: SignedInRequest) -> bool:
    """Does a script of the page wait for parts of it, and not the browser for a page?"""
    return bool(request.htmx)
