"""Cookies that reach us from a frame of the LMS: SameSite=None, and apart for each LMS.

Everywhere else cookies are as pyreval_site/settings.py has them.
"""

from http.cookies import Morsel
from typing import Any, Final, cast

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpResponse

# Python writes this attribute from 3.14 on; browsers keep such a cookie apart for each site that
# frames us, and so do not block it.
_PARTITIONED: Final = "partitioned"
_morsel = cast(Any, Morsel)
_morsel._reserved.setdefault(_PARTITIONED, "Partitioned")  # noqa: SLF001  (as Django did)
_morsel._flags.add(_PARTITIONED)  # noqa: SLF001


def set_frame_cookie(response: HttpResponse, name: str, value: str, *, seconds: int) -> None:
    response.set_cookie(
        name, value, max_age=seconds, path="/", secure=True, httponly=True, samesite="None"
    )
    response.cookies[name][_PARTITIONED] = True


def let_into_frames(response: HttpResponse) -> None:
    """Let the browser send the session of this answer from a frame, and what the next page says
    of what was done."""
    names = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, CookieStorage.cookie_name)
    for name in names:
        if name in response.cookies:
            cookie = response.cookies[name]
            cookie["secure"] = True
            cookie["samesite"] = "None"
            cookie[_PARTITIONED] = True
