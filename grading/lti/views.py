"""Log-in and launch, as a platform asks for them; what it reads of this site; and registration."""

from urllib.parse import urlencode, urlsplit

from allauth.account.utils import perform_login
from allauth.core import ratelimit
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from grading.lti.deep_links import request_of
from grading.lti.keys import jwks
from grading.lti.launches import launch_enter
from grading.lti.linking_views import DEEP_LINK_ASKED, NEXT_PAGE
from grading.lti.logins import (
    authorization_address,
    is_from_our_page,
    is_remembered_in_cookie,
    login_begin,
    login_find,
    login_use,
    remember_in_cookie,
    storage_name,
    storage_origin,
    storage_value,
)
from grading.lti.messages import CLAIM, LaunchRefusedError, launch_read
from grading.lti.middleware import FRAME_ORIGINS, IN_FRAME_OF
from grading.lti.outgoing import address_problem
from grading.lti.registration import canvas_configuration, invitation_find, register
from grading.lti.rosters import sync_start, wants_sync
from grading.models import LtiLogin
from grading.pyramid.errors import InputError


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "POST"])
def lti_login(request: HttpRequest) -> HttpResponse:
    """An LMS asks us to ask it who is there."""
    if not ratelimit.consume(request, action="lti_login"):
        refused: HttpResponse = ratelimit.respond_429(request)
        return refused
    login, state = login_begin((request.POST if request.method == "POST" else request.GET).dict())
    setattr(request, FRAME_ORIGINS, login.platform.frame_origins)
    address = authorization_address(login, state)
    if login.storage_target:
        context = _storage_context(login, state) | {"address": address}
        response = render(request, "grading/lti/login.html", context)
    else:
        response = redirect(address)
    remember_in_cookie(response, state)
    return response


@csrf_exempt
@login_not_required
@require_POST
def lti_launch(request: HttpRequest) -> HttpResponse:
    """The LMS says who is there, in a form that the browser brings."""
    state = request.POST.get("state", "")
    login = login_find(state)
    setattr(request, FRAME_ORIGINS, login.platform.frame_origins)
    if is_remembered_in_cookie(request, state):
        return _arrive(request, login, in_frame=None)
    if login.storage_target:
        context = _storage_context(login, state) | {
            "state": state,
            "id_token": request.POST.get("id_token", ""),
        }
        return render(request, "grading/lti/stored.html", context)
    again = f"{reverse('lti_login')}?{urlencode(login.parameters)}"
    return render(request, "grading/lti/blocked.html", {"again": again}, status=403)


@csrf_exempt
@login_not_required
@require_POST
def lti_launch_stored(request: HttpRequest) -> HttpResponse:
    """The same in a tab of its own, from our page that compared what the LMS's storage kept."""
    state = request.POST.get("state", "")
    login = login_find(state)
    stored = request.POST.get("stored", "")
    if not (is_from_our_page(request) and login.storage_target and stored == storage_value(state)):
        raise LaunchRefusedError("This launch started in another browser. Launch again.")
    return _arrive(request, login, in_frame=False)


def _storage_context(login: LtiLogin, state: str) -> dict[str, str]:
    return {
        "target": login.storage_target,
        "origin": storage_origin(login.platform),
        "name": storage_name(state),
        "value": storage_value(state),
    }


def _arrive(request: HttpRequest, login: LtiLogin, *, in_frame: bool | None) -> HttpResponse:
    """Check the launch, log its person in, and lead to what they opened in the LMS."""
    if error := request.POST.get("error"):
        raise LaunchRefusedError(f"Your LMS ended the launch: {error[:100]}.")
    login_use(login)
    launch = launch_read(
        token=request.POST.get("id_token", ""), platform=login.platform, nonce=login.nonce
    )
    arrival = launch_enter(launch=launch)
    if arrival.user is None:
        return redirect(arrival.address)
    if in_frame is None:
        # Old browsers send no such header: there the LMS's word is taken.
        opened_in = request.headers.get("Sec-Fetch-Dest")
        if opened_in is not None:
            in_frame = opened_in in {"iframe", "frame"}
        else:
            in_frame = launch.part(f"{CLAIM}launch_presentation").get("document_target") == "iframe"
    # Begin a new session: nothing stays of the person who used this browser before.
    logout(request)
    if in_frame:
        request.session[IN_FRAME_OF] = launch.platform.pk
    if arrival.then:
        request.session[NEXT_PAGE] = arrival.then
    if launch.is_deep_link:
        request.session[DEEP_LINK_ASKED] = request_of(launch) | {"context": arrival.context.pk}
    is_instructor = arrival.membership is not None and arrival.membership.is_instructor
    if is_instructor and wants_sync(arrival.context):
        sync_start(arrival.context)
    # Asks for the second factor of an account that has one; no address needs to be verified.
    response: HttpResponse = perform_login(
        request, arrival.user, email_verification="none", redirect_url=arrival.address
    )
    return response


# --- what a platform reads ---


@login_not_required
@require_safe
def lti_jwks(request: HttpRequest) -> HttpResponse:
    del request
    response = JsonResponse(jwks())
    response["Cache-Control"] = "public, max-age=3600"
    return response


@login_not_required
@require_safe
def lti_canvas(request: HttpRequest) -> HttpResponse:
    """What Canvas imports by its address."""
    del request
    return JsonResponse(canvas_configuration(), json_dumps_params={"indent": 2})


@csrf_exempt  # the address itself is the secret, and a frame of an LMS has no cookie yet
@login_not_required
@require_http_methods(["GET", "POST"])
def lti_register(request: HttpRequest, token: str) -> HttpResponse:
    """An LMS opens the registration link: say who asks, and register on a click."""
    invitation = invitation_find(token)
    sent = request.POST if request.method == "POST" else request.GET
    configuration_url = sent.get("openid_configuration", "")
    if problem := address_problem(configuration_url):
        raise InputError(f"Paste this address into your LMS, where it registers tools. {problem}")
    lms_address = urlsplit(configuration_url)
    setattr(request, FRAME_ORIGINS, [f"{lms_address.scheme}://{lms_address.netloc}"])
    bearer = sent.get("registration_token", "")
    context: dict[str, object] = {
        "host": lms_address.netloc,
        "configuration": configuration_url,
        "bearer": bearer,
    }
    if request.method == "POST":
        context["platform"] = register(
            invitation=invitation, configuration_url=configuration_url, bearer=bearer
        )
    return render(request, "grading/lti/register.html", context)
