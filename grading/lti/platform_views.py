"""The administrator's pages: which LMSs are registered, and where they are deployed."""

from copy import copy

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading import access
from grading.lti.forms import DeploymentForm, PlatformForm
from grading.lti.page import platform_context, platforms_context
from grading.lti.registration import (
    deployment_add,
    deployment_change,
    invitation_make,
    platform_save,
)
from grading.web.rendering import SignedInRequest, render_form_page, render_page
from grading.web.same_person import needs_password_to_post


@require_safe
def lti_platforms(request: SignedInRequest) -> HttpResponse:
    access.get_operator(request.user)
    return render_page(request, "grading/lti/platforms.html", platforms_context())


@require_POST
@needs_password_to_post
def lti_invitation(request: SignedInRequest) -> HttpResponse:
    """Make a registration link, and show it once."""
    author = access.get_operator(request.user)
    context = platforms_context() | {"link": invitation_make(author=author)}
    return render_page(request, "grading/lti/platforms.html", context)


@require_http_methods(["GET", "POST"])
@needs_password_to_post
def lti_platform_new(request: SignedInRequest) -> HttpResponse:
    author = access.get_operator(request.user)
    form = PlatformForm(request.POST or None)
    if form.is_valid():
        platform = platform_save(platform=form.instance, author=author)
        messages.success(request, f"{platform.name} is registered. Allow its deployments next.")
        return redirect("lti_platform", platform.pk)
    context = platforms_context() | {"form": form}
    return render_form_page(request, "grading/lti/platform_new.html", context)


@require_http_methods(["GET", "POST"])
@needs_password_to_post
def lti_platform(request: SignedInRequest, pk: int) -> HttpResponse:
    platform = access.get_lti_platform_for(request.user, pk)
    form = PlatformForm(request.POST or None, instance=copy(platform))
    if form.is_valid():
        platform_save(platform=form.instance, author=request.user)
        messages.success(request, "Saved.")
        return redirect("lti_platform", pk)
    context = platform_context(platform) | {"form": form, "deployment_form": DeploymentForm()}
    return render_form_page(request, "grading/lti/platform.html", context)


@require_POST
@needs_password_to_post
def lti_deployment_new(request: SignedInRequest, pk: int) -> HttpResponse:
    platform = access.get_lti_platform_for(request.user, pk)
    form = DeploymentForm(request.POST)
    if form.is_valid():
        deployment_id = form.cleaned_data["deployment_id"]
        deployment_add(platform=platform, deployment_id=deployment_id, author=request.user)
        messages.success(request, "The deployment is allowed.")
    else:
        messages.error(request, "Type the deployment ID that the LMS shows.")
    return redirect("lti_platform", pk)


@require_POST
@needs_password_to_post
def lti_deployment(request: SignedInRequest, pk: int) -> HttpResponse:
    """Allow a deployment, or stop it."""
    deployment = access.get_lti_deployment_for(request.user, pk)
    is_allowed = request.POST.get("do") == "allow"
    deployment_change(deployment=deployment, is_allowed=is_allowed, author=request.user)
    messages.success(request, "The deployment is allowed." if is_allowed else "Stopped.")
    return redirect("lti_platform", deployment.platform_id)
