"""Log-ins by a platform: begun with a state and a nonce, and good for one launch by one browser.

The browser that began proves itself by a cookie or, where a browser blocks cookies in frames, by
what its script has kept in the platform's own storage. That a value of the storage was compared is
believed of our own page only (``is_from_our_page``): nobody else's page can send it from there.
"""

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from secrets import token_urlsafe
from typing import Final
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from grading.lti.cookies import set_frame_cookie
from grading.lti.messages import LaunchRefusedError
from grading.models import LtiLogin, LtiPlatform

GOOD_FOR: Final = timedelta(minutes=10)
PARENT: Final = "_parent"
_SENT_BY_PLATFORMS: Final = (
    "iss",
    "client_id",
    "login_hint",
    "lti_message_hint",
    "target_link_uri",
    "lti_deployment_id",
)
_LONGEST: Final = 8_000


def site_address(name: str, **kwargs: object) -> str:
    """The whole address of a page, as platforms know it."""
    return f"{settings.SITE_URL}{reverse(name, kwargs=kwargs or None)}"


def login_begin(sent: Mapping[str, str]) -> tuple[LtiLogin, str]:
    """The log-in that a platform asks for, with its state, which is kept nowhere else."""
    sent = {name: value for name, value in sent.items() if value.isprintable()}
    issuer, client = sent.get("iss", ""), sent.get("client_id", "")
    platforms = LtiPlatform.objects.filter(is_active=True, issuer=issuer)
    if client:
        platforms = platforms.filter(client_id=client)
    candidates = list(platforms[:2])
    if len(candidates) != 1:
        raise LaunchRefusedError(
            "This LMS is not registered here. Ask the administrator of this site to register it."
        )
    if not sent.get("login_hint"):
        raise LaunchRefusedError("Your LMS didn't say who you are. Launch again from the course.")
    parameters = {name: sent[name][:_LONGEST] for name in _SENT_BY_PLATFORMS if name in sent}
    state = token_urlsafe(32)
    login = LtiLogin.objects.create(
        platform=candidates[0],
        state_hash=_hash(state),
        nonce=token_urlsafe(32),
        storage_target=sent.get("lti_storage_target", "")[:200],
        parameters=parameters,
    )
    return login, state


def authorization_address(login: LtiLogin, state: str) -> str:
    """Where the browser goes to fetch the launch."""
    sent = login.parameters
    query = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": login.platform.client_id,
        "redirect_uri": site_address("lti_launch"),
        "login_hint": sent["login_hint"],
        "state": state,
        "nonce": login.nonce,
    }
    if "lti_message_hint" in sent:
        query["lti_message_hint"] = sent["lti_message_hint"]
    parts = urlsplit(login.platform.authorization_url)
    joined = "&".join(filter(None, [parts.query, urlencode(query)]))
    return urlunsplit(parts._replace(query=joined, fragment=""))


def login_find(state: str) -> LtiLogin:
    """The log-in of a state, while it is good. It is still to be used."""
    login = (
        LtiLogin.objects.select_related("platform")
        .filter(state_hash=_hash(state), created_at__gt=timezone.now() - GOOD_FOR)
        .first()
    )
    if login is None or not login.platform.is_active:
        raise LaunchRefusedError("This launch didn't start here, or it has expired. Launch again.")
    return login


def login_use(login: LtiLogin) -> None:
    """Of any number of launches that come with one state, one goes on."""
    used = LtiLogin.objects.filter(pk=login.pk, used_at=None).update(used_at=timezone.now())
    if not used:
        raise LaunchRefusedError("This launch has already been used. Launch again from the course.")


def logins_forget() -> int:
    """Delete those that are no longer good."""
    return LtiLogin.objects.filter(created_at__lt=timezone.now() - 2 * GOOD_FOR).delete()[0]


# --- is it the browser that began? ---


def remember_in_cookie(response: HttpResponse, state: str) -> None:
    set_frame_cookie(response, _cookie_name(state), state, seconds=int(GOOD_FOR.total_seconds()))


def is_remembered_in_cookie(request: HttpRequest, state: str) -> bool:
    return constant_time_compare(request.COOKIES.get(_cookie_name(state), ""), state)


def storage_value(state: str) -> str:
    """What our script keeps in the platform's storage."""
    return salted_hmac("grading.lti.storage", state, algorithm="sha256").hexdigest()


def storage_name(state: str) -> str:
    return f"pyreval-{_hash(state)[:16]}"


def is_from_our_page(request: HttpRequest) -> bool:
    """Browsers say with every form from whose page it was sent, and no page can say otherwise."""
    own = urlsplit(settings.SITE_URL)
    return request.headers.get("Origin") in {
        f"{own.scheme}://{own.netloc}",
        f"{request.scheme}://{request.get_host()}",
    }


def storage_origin(platform: LtiPlatform) -> str:
    """The only one whose messages our script believes."""
    parts = urlsplit(platform.authorization_url)
    return f"{parts.scheme}://{parts.netloc}"


def _cookie_name(state: str) -> str:
    return f"__Host-lti-{_hash(state)[:16]}"


def _hash(state: str) -> str:
    return hashlib.sha256(state.encode()).hexdigest()
