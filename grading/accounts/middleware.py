"""What holds on every page for those who are logged in: sessions, idle time, a second factor."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress

from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, user_logged_in
from django.contrib.sessions import middleware as sessions
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from grading.models import Role, User
from grading.outages import DATABASE_OUTAGES

logger = logging.getLogger(__name__)

OK = 200
SAFE = frozenset({"GET", "HEAD"})

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


class SessionMiddleware(sessions.SessionMiddleware):
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
