"""What applies on every page to those who are logged in, and where a single sign-on ends."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress

from allauth.account.signals import authentication_step_completed
from allauth.core import ratelimit
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, user_logged_in
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from onelogin.saml2.errors import OneLogin_Saml2_Error

from grading.models import Role, User
from grading.outages import DATABASE_OUTAGES, outage_of

logger = logging.getLogger(__name__)

OK = 200
SAFE = frozenset({"GET", "HEAD"})

USED_AT, BEGAN_AT = "used_at", "began_at"  # in the session
SECONDS_BETWEEN_NOTES = 60
# Where somebody without a second factor may go: to set one up, or to leave.
OPEN_PATHS = ("/accounts/", "/static/", "/healthz")

SIGN_ON_VIEWS = ("saml_", "openid_connect_")
LONGEST_SAML_ANSWER = 100_000  # characters; usual ones have 10,000
SECONDS_OF_SAML_ANSWER = 600  # for which it is kept, until the browser has come back
# What libraries raise over answers that are malformed, and providers that are misconfigured.
UNUSABLE_ANSWERS = (ValueError, KeyError, TypeError, SyntaxError, OneLogin_Saml2_Error)

GetResponse = Callable[[HttpRequest], HttpResponse]


def _note_use(request: HttpRequest, **kwargs: object) -> None:
    del kwargs
    request.session[USED_AT] = int(time.time())


def _note_log_in(request: HttpRequest, **kwargs: object) -> None:
    _note_use(request, **kwargs)
    request.session[BEGAN_AT] = request.session[USED_AT]


user_logged_in.connect(_note_log_in)


class SessionMiddleware(DjangoSessionMiddleware):
    """Django's, which takes each session that cannot be saved for one that was ended (400)."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Where the database is away or full, answer a page that somebody reads; else say so."""
        try:
            return super().process_response(request, response)
        except SessionInterrupted as interrupted:
            outage = _outage_before(interrupted)
            if outage is None:
                raise
            if request.method not in SAFE or response.status_code != OK:
                raise outage from outage.__cause__
            logger.warning("The session cannot be saved; the page is answered without.")
            return response


def _outage_before(error: BaseException | None) -> Error | None:
    """Find the error of the database that was being handled when this one was raised."""
    while error is not None and not isinstance(error, DATABASE_OUTAGES):
        error = error.__context__
    return error


def _begin_new_session(
    request: HttpRequest, reauthenticated: bool = False, **kwargs: object
) -> None:
    """Who knew the session's cookie before the password was typed again knows nothing now."""
    del kwargs
    if reauthenticated:
        before = request.session.session_key
        request.session.cycle_key()
        sessions = UserSession.objects.filter(session_key=before)
        sessions.update(session_key=request.session.session_key)


authentication_step_completed.connect(_begin_new_session)


class IdleSessionMiddleware:
    """End a session that was not used for a while, or is old; note its use once a minute."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            now = time.time()
            used_at = request.session.get(USED_AT, now)
            idle = now - used_at
            if 0 < settings.SESSION_IDLE_MINUTES * 60 < idle:
                logout(request)
                messages.info(request, "You were logged out because you were away. Log in again.")
            elif now - request.session.get(BEGAN_AT, now) > settings.SESSION_COOKIE_AGE:
                logout(request)
                messages.info(request, "You were logged out after two weeks. Log in again.")
            elif idle >= SECONDS_BETWEEN_NOTES or USED_AT not in request.session:
                _note_use(request)
                request.session.setdefault(BEGAN_AT, int(now))
                listed = UserSession.objects.filter(session_key=request.session.session_key)
                with suppress(*DATABASE_OUTAGES):  # on a full disk pages can still be read
                    listed.update(last_seen_at=timezone.now())
        return self.get_response(request)


class SecondFactorMiddleware:
    """Where the operator asks for it, graders and administrators set up a second factor first."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if (
            settings.REQUIRE_SECOND_FACTOR
            and isinstance(user, User)
            and not request.path.startswith(OPEN_PATHS)
            and (
                user.is_staff
                or user.is_superuser
                or user.may_create_courses
                or user.memberships.filter(role__in=[Role.INSTRUCTOR, Role.TA]).exists()
            )
            and not is_mfa_enabled(user)
        ):
            messages.warning(
                request, "Your account needs a second factor before you can see your courses."
            )
            return redirect("mfa_index")
        return self.get_response(request)


class SingleSignOnMiddleware:
    """Whatever comes from a provider, or in its name, makes no error of ours.

    Anybody may send a SAML answer, and allauth keeps it before it looks at it: a small one, and
    not for long.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        del view, args, kwargs
        name = _view_name(request)
        if name.startswith("saml_") and "saml" not in settings.SOCIALACCOUNT_PROVIDERS:
            raise Http404("There is no single sign-on by SAML here.")
        if name != "saml_acs":
            return None
        if not ratelimit.consume(request, action="saml_answer"):
            limited: HttpResponse = ratelimit.respond_429(request)
            return limited
        if len(request.POST.get("SAMLResponse", "")) > LONGEST_SAML_ANSWER:
            return _sign_on_failed(request, status=413)
        # Where allauth keeps the answer: it makes a store of its own if there is none.
        store = SessionStore(request.COOKIES.get("saml-acs-session"))
        store.set_expiry(SECONDS_OF_SAML_ANSWER)
        request.saml_acs_session = store  # type: ignore[attr-defined]
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not _view_name(request).startswith(SIGN_ON_VIEWS) or outage_of(error):
            return None
        if isinstance(error, OSError):  # so are all errors of requests and urllib
            logger.error("The single sign-on doesn't answer.", exc_info=error)
            return _sign_on_failed(request, status=503)
        if isinstance(error, UNUSABLE_ANSWERS):
            logger.warning("An answer of the single sign-on is unusable.", exc_info=error)
            return _sign_on_failed(request, status=400)
        return None


def _view_name(request: HttpRequest) -> str:
    return (request.resolver_match.url_name if request.resolver_match else None) or ""


def _sign_on_failed(request: HttpRequest, *, status: int) -> HttpResponse:
    context = {"is_away": status == 503}
    return render(request, "socialaccount/authentication_error.html", context, status=status)
