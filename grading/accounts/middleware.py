"""What holds on every page for those who are logged in: idle time, and a second factor."""

import time
from collections.abc import Callable

from allauth.account.signals import authentication_step_completed
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, user_logged_in
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from grading.models import Role, User

USED_AT, BEGAN_AT = "used_at", "began_at"  # in the session
SECONDS_BETWEEN_NOTES = 60
# Where somebody without a second factor may go: to set one up, or to leave.
OPEN_PATHS = ("/accounts/", "/static/", "/healthz")

GetResponse = Callable[[HttpRequest], HttpResponse]


def _note_use(request: HttpRequest, **kwargs: object) -> None:
    del kwargs
    request.session[USED_AT] = int(time.time())


def _note_log_in(request: HttpRequest, **kwargs: object) -> None:
    _note_use(request, **kwargs)
    request.session[BEGAN_AT] = request.session[USED_AT]


user_logged_in.connect(_note_log_in)


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
                sessions = UserSession.objects.filter(session_key=request.session.session_key)
                sessions.update(last_seen_at=timezone.now())
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
