"""Registering this site with an LMS: by one link (dynamic registration), or by what to paste.

A registration link is good once and for a few days. Whoever has it can register one LMS and no
more; the deployments of that LMS still wait until an administrator allows them, but for the one
that the LMS names in the registration itself.
"""

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from grading.lti.keys import key_ensure
from grading.lti.launches import SECTIONS
from grading.lti.logins import site_address
from grading.lti.messages import DEEP_LINK, RESOURCE_LINK, keys_forget
from grading.lti.outgoing import PlatformError, address_problem, get, post_json
from grading.lti.services import ALL_SCOPES, GROUPS
from grading.models import (
    AuditKind,
    LtiDeployment,
    LtiInvitation,
    LtiPlatform,
    User,
    record,
)
from grading.pyramid.errors import InputError

NAME: Final = "PyrEval Classroom"
DESCRIPTION: Final = "Summaries, scored by their ideas"
GOOD_FOR: Final = timedelta(days=7)
_TOOL: Final = "https://purl.imsglobal.org/spec/lti-tool-configuration"
_PLATFORM: Final = "https://purl.imsglobal.org/spec/lti-platform-configuration"
# Canvas puts a person's sections in its place; other LMSs leave it as it is.
_PARAMETERS: Final = {SECTIONS: "$com.instructure.User.sectionNames"}


# --- the link ---


@transaction.atomic
def invitation_make(*, author: User) -> str:
    """The address to paste into the LMS. It is shown once."""
    token = token_urlsafe(32)
    LtiInvitation.objects.filter(expires_at__lt=timezone.now()).delete()
    LtiInvitation.objects.create(
        token_hash=_hash(token), created_by=author, expires_at=timezone.now() + GOOD_FOR
    )
    key_ensure()
    record(AuditKind.PLATFORM_CHANGED, "Made a registration link for an LMS.", actor=author)
    return site_address("lti_register", token=token)


def invitation_find(token: str) -> LtiInvitation:
    """One that is still good."""
    rows = LtiInvitation.objects.filter(
        token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now()
    )
    if (invitation := rows.first()) is None:
        raise Http404("This registration link has been used, or it has expired.")
    return invitation


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# --- dynamic registration ---


def register(*, invitation: LtiInvitation, configuration_url: str, bearer: str) -> LtiPlatform:
    """Introduce this site to the LMS, and keep how the LMS introduces itself."""
    configuration = get(configuration_url, token=_plain(bearer)).document
    if not isinstance(configuration, dict):
        raise PlatformError("The LMS didn't say how to reach it.")
    platform = _platform_of(configuration, configuration_url)
    used = LtiInvitation.objects.filter(pk=invitation.pk, used_at=None)
    if not used.update(used_at=timezone.now()):
        raise Http404("This registration link has already been used.")
    endpoint = _text(configuration, "registration_endpoint")
    try:
        answer = post_json(endpoint, tool_registration(), token=_plain(bearer)).document
    except PlatformError:
        LtiInvitation.objects.filter(pk=invitation.pk).update(used_at=None)  # nothing came of it
        raise
    platform.client_id = _text(answer if isinstance(answer, dict) else {}, "client_id")
    deployment = answer.get(_TOOL, {}).get("deployment_id") or answer.get("deployment_id")
    return _keep(platform, str(deployment or ""), invitation.created_by)


@transaction.atomic
def _keep(platform: LtiPlatform, deployment_id: str, author: User | None) -> LtiPlatform:
    try:
        platform.full_clean()
    except ValidationError as error:
        raise InputError(f"The LMS cannot be registered: {' '.join(error.messages)}") from None
    platform.save()
    if deployment_id:
        LtiDeployment.objects.create(
            platform=platform, deployment_id=deployment_id[:255], is_allowed=True
        )
    record(
        AuditKind.PLATFORM_CHANGED,
        f"Registered LMS {platform.pk} by a registration link.",
        actor=author,
    )
    return platform


def _platform_of(configuration: Mapping[str, Any], configuration_url: str) -> LtiPlatform:
    """What the LMS says of itself. Its issuer must be of the host that was asked; large LMSs have
    the addresses of their services elsewhere."""
    issuer = _text(configuration, "issuer")
    about = configuration.get(_PLATFORM)
    about = about if isinstance(about, dict) else {}
    family = str(about.get("product_family_code") or urlsplit(configuration_url).hostname)
    lms_address = urlsplit(configuration_url)
    authorization = _text(configuration, "authorization_endpoint")
    platform = LtiPlatform(
        name=family[:200],
        issuer=issuer,
        authorization_url=authorization,
        token_url=_text(configuration, "token_endpoint"),
        jwks_url=_text(configuration, "jwks_uri"),
        token_audience=str(configuration.get("authorization_server") or "")[:500],
        origins=f"{lms_address.scheme}://{lms_address.netloc}",
    )
    # By the standard an LMS tells of itself at its own host; a prefix is not enough.
    if urlsplit(issuer).hostname != lms_address.hostname:
        raise InputError(
            f"The LMS at {lms_address.hostname} calls itself {issuer[:200]}, which is another host."
        )
    for address in (authorization, platform.token_url, platform.jwks_url):
        if problem := address_problem(address):
            raise InputError(f"{problem} The LMS gave: {address[:200]}")
    return platform


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    if not isinstance(value, str) or not value or len(value) > 500:
        raise PlatformError(f"The LMS didn't give its {name}.")
    return value


def _plain(token: str) -> str:
    """A header has one line."""
    return token if token.isprintable() and token.isascii() else ""


def tool_registration() -> dict[str, Any]:
    """This site, as dynamic registration names things."""
    launch = site_address("lti_launch")
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": site_address("lti_login"),
        "redirect_uris": [launch, site_address("lti_launch_stored")],
        "client_name": NAME,
        "jwks_uri": site_address("lti_jwks"),
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join([*ALL_SCOPES, GROUPS]),
        _TOOL: {
            "domain": urlsplit(settings.SITE_URL).netloc,
            "description": DESCRIPTION,
            "target_link_uri": launch,
            "custom_parameters": _PARAMETERS,
            "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
            "messages": [
                {"type": RESOURCE_LINK, "target_link_uri": launch, "label": NAME},
                {"type": DEEP_LINK, "target_link_uri": launch, "label": NAME},
            ],
        },
    }


def canvas_configuration() -> dict[str, Any]:
    """What an administrator of Canvas pastes as JSON, or gives the address of."""
    launch = site_address("lti_launch")
    placements = [
        {"placement": place, "message_type": message, "target_link_uri": launch, "text": NAME}
        for place, message in (
            ("course_navigation", RESOURCE_LINK),
            ("assignment_selection", DEEP_LINK),
            ("link_selection", DEEP_LINK),
        )
    ]
    return {
        "title": NAME,
        "description": DESCRIPTION,
        "oidc_initiation_url": site_address("lti_login"),
        "target_link_uri": launch,
        "public_jwk_url": site_address("lti_jwks"),
        "scopes": list(ALL_SCOPES),
        "custom_fields": _PARAMETERS,
        "extensions": [
            {
                "platform": "canvas.instructure.com",
                "privacy_level": "public",
                "domain": urlsplit(settings.SITE_URL).netloc,
                "settings": {"placements": placements},
            }
        ],
    }


# --- by hand, and what an administrator changes ---


@transaction.atomic
def platform_save(*, platform: LtiPlatform, author: User) -> LtiPlatform:
    """Register or change an LMS as an administrator typed it."""
    is_known = LtiPlatform.objects.filter(pk=platform.pk).exists()
    verb = "Changed" if is_known else "Registered"
    platform.save()
    key_ensure()
    keys_forget(platform)
    record(AuditKind.PLATFORM_CHANGED, f"{verb} LMS {platform.pk}.", actor=author)
    return platform


@transaction.atomic
def deployment_change(*, deployment: LtiDeployment, is_allowed: bool, author: User) -> None:
    deployment.is_allowed = is_allowed
    deployment.save(update_fields=["is_allowed"])
    verb = "Allowed" if is_allowed else "Stopped"
    sentence = f"{verb} deployment {deployment.pk} of LMS {deployment.platform_id}."
    record(AuditKind.PLATFORM_CHANGED, sentence, actor=author)


@transaction.atomic
def deployment_add(*, platform: LtiPlatform, deployment_id: str, author: User) -> None:
    deployment, _ = LtiDeployment.objects.get_or_create(
        platform=platform, deployment_id=deployment_id
    )
    deployment_change(deployment=deployment, is_allowed=True, author=author)
