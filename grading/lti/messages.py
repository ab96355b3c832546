"""What an LMS says when it launches this site: read from a signed token, or refused.

Nothing of a token is believed before its signature is verified with the platform's own key. The
platform is that of the log-in which began here, never one that the token names.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jwt
from django.core.cache import cache
from django.core.exceptions import PermissionDenied

from grading.lti.keys import ALGORITHM
from grading.lti.outgoing import get
from grading.models import LtiPlatform, Role

CLAIM: Final = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/"
NAMES_AND_ROLES: Final = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
GRADE_SERVICE: Final = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
GROUP_SERVICE: Final = "https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice"
RESOURCE_LINK, DEEP_LINK = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"

SECONDS_KEYS_ARE_KEPT: Final = 3600
SECONDS_BETWEEN_FETCHES: Final = 60  # of the keys, for a key that is not among them
LEEWAY: Final = 60  # seconds by which clocks may differ
OLDEST: Final = 600  # seconds since a token was made
LONGEST: Final = 255  # of an id; the standard allows no more

_MEMBERSHIP: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership"
_TEST_USER: Final = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"
# Roles in the course itself; the standard allows these short, and no others. Roles in the
# institution or the system say nothing of this course.
_SHORT: Final = frozenset({"Instructor", "Learner", "Administrator"})
_TA: Final = f"{_MEMBERSHIP}/Instructor#TeachingAssistant"
_OTHER_TA: Final = f"{_MEMBERSHIP}/Instructor#TeachingAssistantSection"


class LaunchRefusedError(PermissionDenied):
    """The launch is not what it should be; the message is for whoever launched."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A verified message. ``claims`` is the whole of it."""

    platform: LtiPlatform
    claims: Mapping[str, Any]

    @property
    def subject(self) -> str:
        return str(self.claims["sub"])

    @property
    def deployment_id(self) -> str:
        return str(self.claims[f"{CLAIM}deployment_id"])

    @property
    def is_deep_link(self) -> bool:
        return bool(self.claims[f"{CLAIM}message_type"] == DEEP_LINK)

    @property
    def context(self) -> Mapping[str, Any]:
        return self.part(f"{CLAIM}context")

    @property
    def resource_link(self) -> Mapping[str, Any]:
        return self.part(f"{CLAIM}resource_link")

    @property
    def custom(self) -> Mapping[str, Any]:
        return self.part(f"{CLAIM}custom")

    @property
    def role(self) -> Role | None:
        return role_of(self.claims.get(f"{CLAIM}roles"))

    @property
    def is_test_user(self) -> bool:
        return _TEST_USER in strings(self.claims.get(f"{CLAIM}roles"))

    def part(self, name: str) -> Mapping[str, Any]:
        """An object of the message; empty where there is none."""
        value = self.claims.get(name)
        return value if isinstance(value, dict) else {}


def strings(value: object) -> list[str]:
    """A list of strings, whatever was sent in its place."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def one_line(value: object, longest: int) -> str:
    """Words of an LMS in one line, without what nobody can see: no database keeps a NUL."""
    text = str(value) if isinstance(value, str | int) else ""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:longest]


def role_of(roles: object) -> Role | None:
    """The role in the course. None for everybody else: observers, designers, administrators of the
    LMS who are not in the course.

    LMSs call teaching assistants instructors as well, so the lesser right is looked for first.
    """
    sent_roles = set(strings(roles))
    if sent_roles & {_TA, _OTHER_TA}:
        return Role.TA
    in_course = {
        role.rpartition("#")[2] for role in sent_roles if role.startswith(f"{_MEMBERSHIP}#")
    }
    in_course |= sent_roles & _SHORT
    if in_course & {"Instructor", "Administrator"}:
        return Role.INSTRUCTOR
    return Role.STUDENT if "Learner" in in_course else None


def launch_read(*, token: str, platform: LtiPlatform, nonce: str) -> Launch:
    """The message in a token, if this platform signed it for us, just now, for this log-in."""
    try:
        claims = jwt.decode(
            token,
            _key(token, platform),
            algorithms=[ALGORITHM],
            audience=platform.client_id,
            issuer=platform.issuer,
            leeway=LEEWAY,
            options={"require": ["iss", "aud", "sub", "exp", "iat", "nonce"]},
        )
    except jwt.PyJWTError as error:
        raise LaunchRefusedError(
            f"Your LMS sent a launch that cannot be verified: {error}."
        ) from None
    if problem := _problem(claims, platform, nonce):
        raise LaunchRefusedError(f"Your LMS sent a launch that cannot be used: {problem}.")
    return Launch(platform, claims)


def _problem(claims: Mapping[str, Any], platform: LtiPlatform, nonce: str) -> str:
    """What is wrong with a message whose signature is right."""
    link = claims.get(f"{CLAIM}resource_link")
    context = claims.get(f"{CLAIM}context")
    kind = claims.get(f"{CLAIM}message_type")
    audience = claims["aud"]
    several = isinstance(audience, list) and len(audience) > 1
    settings = claims.get(f"{DEEP_LINKING}deep_linking_settings")
    checks = {
        "its nonce is wrong": claims["nonce"] == nonce,
        "it is too old": claims["iat"] >= time.time() - OLDEST - LEEWAY,
        "it is for another tool": claims.get("azp", "" if several else platform.client_id)
        == platform.client_id,
        "it names no person": is_id(claims["sub"]),
        "its version is not 1.3.0": claims.get(f"{CLAIM}version") == "1.3.0",
        "it is of an unknown kind": kind in {RESOURCE_LINK, DEEP_LINK},
        "it names no deployment": is_id(claims.get(f"{CLAIM}deployment_id")),
        "it names no course": isinstance(context, dict) and is_id(context.get("id")),
        "it names no link": kind != RESOURCE_LINK
        or (isinstance(link, dict) and is_id(link.get("id"))),
        "it names no address to return to": kind != DEEP_LINK
        or (isinstance(settings, dict) and isinstance(settings.get("deep_link_return_url"), str)),
    }
    return next((problem for problem, is_fine in checks.items() if not is_fine), "")


def is_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST and value.isprintable()


def _key(token: str, platform: LtiPlatform) -> jwt.PyJWK:
    header = jwt.get_unverified_header(token)
    kid = header.get("kid")
    if header.get("alg") != ALGORITHM or not isinstance(kid, str):
        raise jwt.InvalidAlgorithmError(f"It is not signed by {ALGORITHM} with a named key")
    key = _keys(platform).get(kid)
    if key is None and cache.add(f"lti-keys-fetched-{platform.pk}", 1, SECONDS_BETWEEN_FETCHES):
        cache.delete(_cache_name(platform))  # the platform may have rotated its keys
        key = _keys(platform).get(kid)
    if key is None or key.get("kty") != "RSA":
        raise jwt.InvalidKeyError("Its key is not one of the platform's")
    return jwt.PyJWK(key, algorithm=ALGORITHM)


def _cache_name(platform: LtiPlatform) -> str:
    return f"lti-keys-{platform.pk}"


def _keys(platform: LtiPlatform) -> dict[str, dict[str, Any]]:
    """The platform's public keys, fetched once an hour."""
    kept: dict[str, dict[str, Any]] | None = cache.get(_cache_name(platform))
    if kept is not None:
        return kept
    document = get(platform.jwks_url).document
    keys = document.get("keys") if isinstance(document, dict) else None
    listed: Sequence[Any] = keys if isinstance(keys, list) else []
    known = {str(key["kid"]): key for key in listed if isinstance(key, dict) and "kid" in key}
    cache.set(_cache_name(platform), known, SECONDS_KEYS_ARE_KEPT)
    return known


def keys_forget(platform: LtiPlatform) -> None:
    """Fetch the keys again at the next launch: their address has changed."""
    cache.delete(_cache_name(platform))
