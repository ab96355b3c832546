"""Registering an LMS: by one link, and by what an administrator types."""

import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from grading.lti import keys
from grading.lti.keys import NoKeyError, jwks, key_make, sign
from grading.models import AuditRecord, LtiDeployment, LtiInvitation, LtiKey, LtiPlatform, User
from tests.conftest import Cast
from tests.lti.lms import Lms
from tests.lti.visitor import TOOL, Visitor

LogIn = Callable[[User | None], Client]


@pytest.fixture
def operator(cast: Cast) -> User:
    User.objects.filter(pk=cast.outsider.pk).update(is_staff=True)
    cast.outsider.refresh_from_db()
    return cast.outsider


@pytest.fixture
def link(operator: User, client_of: LogIn) -> str:
    page = client_of(operator).post("/lti/platforms/invitation/")
    address = str(page.context["link"])
    assert address in page.content.decode()
    return address.removeprefix(TOOL)


def _asked_by(lms: Lms) -> dict[str, str]:
    return {
        "openid_configuration": f"{lms.url}/.well-known/openid-configuration",
        "registration_token": "registration-7",
    }


def test_one_link_registers_an_lms(lms: Lms, link: str, client: Client) -> None:
    page = client.get(link, _asked_by(lms))
    assert page.status_code == 200
    assert f"frame-ancestors 'self' {lms.url}" in page["Content-Security-Policy"]
    assert not LtiPlatform.objects.exists()

    page = client.post(link, _asked_by(lms))
    assert b"Registered" in page.content

    platform = LtiPlatform.objects.get()
    assert (platform.issuer, platform.client_id) == (lms.url, lms.client_id)
    assert platform.frame_origins == [lms.url]
    assert LtiDeployment.objects.get().is_allowed  # the one that the registration named
    (sent,) = lms.registered
    assert sent["redirect_uris"][0] == f"{TOOL}/lti/launch/"
    assert sent["token_endpoint_auth_method"] == "private_key_jwt"
    assert AuditRecord.objects.filter(kind="lti.platform_changed").count() == 2

    lms.registration.set_tool_key_set(jwks())
    assert Visitor(lms, "i-1").launch().status_code == 302


def test_a_link_is_good_once(lms: Lms, link: str, client: Client) -> None:
    client.post(link, _asked_by(lms))

    assert client.post(link, _asked_by(lms)).status_code == 404
    assert client.get(link, _asked_by(lms)).status_code == 404
    assert LtiPlatform.objects.count() == 1


def test_a_link_that_is_old_or_made_up(lms: Lms, link: str, client: Client) -> None:
    assert client.post("/lti/register/made-up/", _asked_by(lms)).status_code == 404
    LtiInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert client.post(link, _asked_by(lms)).status_code == 404


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("issuer", "https://another.example"),
        ("issuer", "http://localhost.evil.example"),
        ("registration_endpoint", "register"),
        ("jwks_uri", "file:///etc/passwd"),
        ("token_endpoint", None),
    ],
)
def test_an_lms_that_says_it_is_another(
    name: str, value: Any, lms: Lms, link: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {**_configuration(lms), name: value}
    monkeypatch.setattr("tests.lti.lms._Handler.configuration", lambda _: said)

    assert client.post(link, _asked_by(lms)).status_code in {422, 503}
    assert not LtiPlatform.objects.exists()
    assert lms.registered == []


def _configuration(lms: Lms) -> dict[str, str]:
    url = lms.url
    names = {"authorization_endpoint": "auth", "token_endpoint": "token", "jwks_uri": "jwks"}
    names["registration_endpoint"] = "register"
    return {"issuer": url, **{name: f"{url}/{path}" for name, path in names.items()}}


@pytest.mark.parametrize(
    "address", ["", "x", "http://127.0.0.1/", "https://10.0.0.1/", "https://intranet/", "file:///x"]
)
def test_the_link_asks_no_machine_of_our_network(
    address: str, lms: Lms, link: str, client: Client, settings: Any
) -> None:
    settings.LTI_PRIVATE_PLATFORMS = False

    response = client.post(link, {"openid_configuration": address})

    assert response.status_code == 422


def test_an_administrator_registers_manually(lms: Lms, operator: User, client_of: LogIn) -> None:
    client = client_of(operator)
    values = lms.registration_values | {"is_active": "on"}
    page = client.post("/lti/platforms/new/", values)
    assert page.status_code == 302, page.context["form"].errors
    address = page["Location"]
    client.post(f"{address}deployments/", {"deployment_id": lms.deployment_id})
    lms.registration.set_tool_key_set(jwks())
    assert Visitor(lms, "i-1").launch().status_code == 302

    deployment = LtiDeployment.objects.get()
    client.post(f"/lti/deployments/{deployment.pk}/", {"do": "stop"})
    assert Visitor(lms, "i-1").launch().status_code == 403
    client.post(f"/lti/deployments/{deployment.pk}/", {"do": "allow"})
    assert Visitor(lms, "i-1").launch().status_code == 302
    assert client.post(address, values | {"name": "Ours"}).status_code == 302
    assert client.get(address).status_code == 200
    assert b"Ours" in client.get("/lti/platforms/").content


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("token_url", "http://lms.example/token"),
        ("jwks_url", "https://192.168.1.1/jwks"),
        ("authorization_url", "https://me:secret@lms.example/"),
        ("origins", "https://lms.example/path"),
        ("origins", "*"),
        ("origins", "https://lms.example; script-src *"),
    ],
)
def test_addresses_that_no_lms_has(
    field: str, value: str, lms: Lms, operator: User, client_of: LogIn, settings: Any
) -> None:
    settings.LTI_PRIVATE_PLATFORMS = False
    urls = dict.fromkeys(("authorization_url", "token_url", "jwks_url"), "https://lms.example/x")
    values = lms.registration_values | urls | {"origins": "https://lms.example", "is_active": "on"}

    page = client_of(operator).post("/lti/platforms/new/", values | {field: value})

    assert page.status_code == 422
    assert field in page.context["form"].errors


def test_canvas_reads_its_configuration(client: Client) -> None:
    document = json.loads(client.get("/lti/canvas.json").content)

    assert document["oidc_initiation_url"] == f"{TOOL}/lti/login/"
    assert document["public_jwk_url"] == f"{TOOL}/lti/jwks.json"
    (extension,) = document["extensions"]
    messages = {
        place["placement"]: place["message_type"] for place in extension["settings"]["placements"]
    }
    assert messages == {
        "course_navigation": "LtiResourceLinkRequest",
        "assignment_selection": "LtiDeepLinkingRequest",
        "link_selection": "LtiDeepLinkingRequest",
    }
    # What Canvas's documentation asks of such a document, and what it knows as values.
    assert {"title", "description", "target_link_uri", "scopes"} <= document.keys()
    assert all(scope.startswith("https://purl.imsglobal.org/spec/") for scope in document["scopes"])
    assert (extension["platform"], extension["privacy_level"]) == (
        "canvas.instructure.com",
        "public",
    )
    assert extension["domain"] == TOOL.partition("://")[2]
    assert document["custom_fields"] == {"sections": "$com.instructure.User.sectionNames"}
    for place in extension["settings"]["placements"]:
        assert place["target_link_uri"] == document["target_link_uri"] == f"{TOOL}/lti/launch/"


# --- keys ---


def test_a_rotated_key_signs_and_the_one_before_stays_for_a_week(db: None, client: Client) -> None:
    out = StringIO()
    call_command("lti_keys", stdout=out)
    call_command("lti_keys", stdout=out)
    assert LtiKey.objects.count() == 1
    call_command("lti_keys", rotate=True, stdout=out)

    public = json.loads(client.get("/lti/jwks.json").content)["keys"]
    assert [key["kid"] for key in public] == [key.kid for key in LtiKey.objects.all()]
    assert all(set(key) == {"kty", "n", "e", "kid", "alg", "use"} for key in public)
    LtiKey.objects.exclude(retires_at=None).update(retires_at=timezone.now())
    assert len(jwks()["keys"]) == 1


def test_a_private_key_is_nowhere_in_plain_words(db: None, settings: Any) -> None:
    key = key_make()
    assert "PRIVATE" not in key.sealed
    assert sign({"a": 1}).count(".") == 2

    settings.SECRET_KEY = "another-" + "0123456789" * 5
    with pytest.raises(NoKeyError, match="--rotate"):
        sign({})
    assert keys.key_make() is not None
    assert sign({})
