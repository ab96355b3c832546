"""The pages of the API: its documentation, one's tokens, and the webhooks of a course."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.api.actions import token_create, token_revoke, webhook_add, webhook_delete
from grading.api.document import objects_of, sections_of
from grading.api.forms import TokenForm, WebhookForm
from grading.api.v1.api import api
from grading.models import WebhookDelivery
from grading.web.rendering import SignedInRequest, render_form_page, render_page
from grading.web.same_person import needs_password_again

DELIVERIES_SHOWN = 20
NEW_TOKEN, NEW_SECRET = "grading/api/new_token.html", "grading/api/new_secret.html"


@login_not_required
@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """Every operation, from the OpenAPI document; nothing is loaded from anywhere else."""
    document = api.get_openapi_schema(path_prefix="/api/v1/")
    context = {
        "sections": sections_of(document),
        "objects": objects_of(document),
        "document": document,
        "site": settings.SITE_URL,
    }
    return render_page(request, "grading/api/docs.html", context)


# --- tokens ---


@require_safe
def api_tokens(request: SignedInRequest) -> HttpResponse:
    tokens = list(request.user.api_tokens.select_related("course"))
    context = {
        "active": [token for token in tokens if token.is_usable],
        "ended": [token for token in tokens if not token.is_usable],
        "can_create": bool(TokenForm(user=request.user).courses),
    }
    return render_page(request, "grading/api/tokens.html", context)


@never_cache
@needs_password_again
@require_http_methods(["GET", "POST"])
def api_token_new(request: SignedInRequest) -> HttpResponse:
    form = TokenForm(request.POST if request.method == "POST" else None, user=request.user)
    if form.is_valid():
        token, secret = token_create(
            user=request.user,
            course=form.chosen_course,
            name=form.cleaned_data["name"],
            can_write=form.can_write,
            days=form.cleaned_data["days"],
        )
        return render_page(request, NEW_TOKEN, {"token": token, "secret": secret})
    return render_form_page(request, "grading/api/token_form.html", {"form": form})


@require_POST
def api_token_revoke(request: SignedInRequest, pk: int) -> HttpResponse:
    token = access.get_own_token_for(request.user, pk)
    if token_revoke(token=token):
        messages.success(request, f"“{token.name}” is revoked. Programs can't use it any more.")
    return redirect("api_tokens")


# --- webhooks ---


@require_http_methods(["GET", "POST"])
def webhooks(request: SignedInRequest, pk: int) -> HttpResponse:
    membership = access.get_instructor_membership_for(request.user, pk)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        webhook, secret = webhook_add(
            course=membership.course,
            url=form.cleaned_data["url"],
            kinds=form.kinds,
            author=request.user,
        )
        context = {"webhook": webhook, "secret": secret, "membership": membership}
        return render_page(request, NEW_SECRET, context | {"course": membership.course})
    course = membership.course
    deliveries = WebhookDelivery.objects.filter(webhook__course=course)
    return render_form_page(
        request,
        "grading/api/webhooks.html",
        {
            "course": course,
            "membership": membership,
            "form": form,
            "webhooks": list(course.webhooks.all()),
            "deliveries": deliveries.select_related("webhook", "assignment")[:DELIVERIES_SHOWN],
        },
    )


@require_POST
def webhook_remove(request: SignedInRequest, pk: int) -> HttpResponse:
    webhook, membership = access.get_webhook_for(request.user, pk)
    webhook_delete(webhook=webhook, author=request.user)
    messages.success(request, "Webhook deleted. Nothing is sent there any more.")
    return redirect("webhooks", membership.course_id)
