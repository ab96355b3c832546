"""Everything that a launch does, forged: nothing of it happens."""

import base64
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
from django.test import Client
from django.utils import timezone

from grading.lti.actions import context_link, link_choose
from grading.lti.keys import jwks
from grading.lti.logins import storage_value
from grading.models import (
    Assignment,
    Course,
    LtiContext,
    LtiLink,
    LtiLogin,
    LtiPerson,
    LtiPlatform,
    Membership,
    Role,
    User,
)
from tests.conftest import Cast
from tests.lti.lms import INSTRUCTOR, TA, Claims, Lms, new_key
from tests.lti.visitor import TOOL, Visitor

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"


@pytest.fixture
def linked(lms: Lms, platform: LtiPlatform, cast: Cast, assignment: Assignment) -> LtiLink:
    context = LtiContext.objects.create(
        deployment=platform.deployments.get(), context_id="course-1", title="Biology"
    )
    context_link(context=context, course=cast.course, instructor=cast.instructor)
    link = LtiLink.objects.create(context=context, resource_link_id="link-0")
    link_choose(link=link, assignment=assignment, sends_grades=True, author=cast.instructor)
    return link


def _assert_refused(response: Any, client: Client, *, says: str = "") -> None:
    assert response.status_code == 403, response.content.decode()
    assert says in response.content.decode()
    assert "_auth_user_id" not in client.session
    assert not LtiPerson.objects.exists()
    assert not LtiContext.objects.exclude(context_id="course-1").exists()


def _set(**claims: object) -> Callable[[Claims], object]:
    plain = {"iss", "aud", "azp", "exp", "iat", "nonce", "sub"}
    named = {name if name in plain else CLAIM + name: value for name, value in claims.items()}
    return lambda message: message.update(named)


def _without(*names: str) -> Callable[[Claims], object]:
    return lambda message: [message.pop(name) for name in names]


FORGED = {
    "wrong issuer": _set(iss="https://evil.example"),
    "wrong audience": _set(aud="another-tool", azp="another-tool"),
    "no audience": _without("aud"),
    "several audiences, made for another": _set(aud=["pyreval-at-lms", "x"], azp="x"),
    "several audiences, made for nobody": lambda m: (
        m.update(aud=["pyreval-at-lms", "x"]),
        m.pop("azp"),
    ),
    "wrong authorised party": _set(azp="another-tool"),
    "another nonce": _set(nonce="made-up"),
    "no nonce": _without("nonce"),
    "expired": _set(iat=1_000_000_000, exp=1_000_000_300),
    "never expires": _without("exp"),
    "made long ago": _set(iat=1_000_000_000),
    "made in the future": _set(iat=4_000_000_000, exp=4_000_000_300),
    "no person": _without("sub"),
    "empty person": _set(sub=""),
    "a person that is a number": _set(sub=7),
    "a person who is very long": _set(sub="x" * 300),
    "unknown deployment": _set(deployment_id="deployment-of-another"),
    "no deployment": _without(f"{CLAIM}deployment_id"),
    "another version": _set(version="1.1"),
    "another kind of message": _set(message_type="LtiSubmissionReviewRequest"),
    "no course": _without(f"{CLAIM}context"),
    "a course that is text": _set(context="course-1"),
    "no link": _without(f"{CLAIM}resource_link"),
    "deep linking without its settings": _set(message_type="LtiDeepLinkingRequest"),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_signed_message_that_is_not_for_us_now(
    change: Callable[[Claims], object], lms: Lms, linked: LtiLink
) -> None:
    sam = Visitor(lms, "s-1")

    _assert_refused(sam.launch(change=change), sam.client)


def test_no_signature(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")

    _assert_refused(sam.launch(alg="none"), sam.client, says="RS256")


def test_our_public_key_as_a_secret(lms: Lms, linked: LtiLink) -> None:
    """The old trick: the token says HS256, and its secret is the platform's public key."""
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())
    claims = jwt.decode(sent["id_token"], options={"verify_signature": False})
    header = {"alg": "HS256", "kid": lms.registration.get_kid(), "typ": "JWT"}
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in (header, claims)
    ]
    secret = lms.registration.get_platform_public_key()
    assert secret is not None
    seal = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    signature = base64.urlsafe_b64encode(seal.sign(b".".join(parts), secret.encode()))
    token = b".".join([*parts, signature.rstrip(b"=")]).decode()

    _assert_refused(sam.bring(sent | {"id_token": token}), sam.client, says="RS256")


def test_an_unknown_key(lms: Lms, linked: LtiLink) -> None:
    for kid in (str(lms.registration.get_kid()), "another"):
        sam = Visitor(lms, "s-1")
        response = sam.launch(key=new_key()[0], kid=kid)
        _assert_refused(response, sam.client, says="cannot be verified")
    # The platform is not asked for its keys each time that somebody makes up a name.
    for _ in range(5):
        Visitor(lms, "s-1").launch(key=new_key()[0], kid="made-up")
    assert lms.asked.count("/jwks") <= 2


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "e30.e30.e30", "\0", "é.é.é"])
def test_no_token_at_all(token: str, lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())

    _assert_refused(sam.bring(sent | {"id_token": token}), sam.client)


def test_a_signature_of_our_own(lms: Lms, linked: LtiLink) -> None:
    """Our keys sign what we tell platforms, and nothing that we believe."""
    sam = Visitor(lms, "s-1")
    response = sam.launch(key=new_key()[0], kid=jwks()["keys"][0]["kid"])

    _assert_refused(response, sam.client)


# --- replayed, or begun by somebody else ---


def test_a_launch_is_good_once(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())
    assert sam.bring(sent).status_code == 302
    sam.client.logout()

    response = sam.bring(sent)

    assert response.status_code == 403
    assert "_auth_user_id" not in sam.client.session


def test_a_nonce_of_another_log_in(lms: Lms, linked: LtiLink) -> None:
    """The token of one log-in with the state of another: a nonce is good for its own."""
    sam = Visitor(lms, "s-1")
    first, second = sam.begin(), sam.begin()
    token = lms.authorize(first)["id_token"]

    _assert_refused(sam.bring({"state": second["state"], "id_token": token}), sam.client)


def test_the_browser_of_somebody_else(lms: Lms, linked: LtiLink) -> None:
    """A launch that an attacker began, in a form on a page that the victim visits."""
    attacker, victim = Visitor(lms, "s-1"), Visitor(lms, "s-2")
    sent = lms.authorize(attacker.begin())

    _assert_refused(victim.bring(sent), victim.client, says="new tab")


@pytest.mark.parametrize("state", ["", "made-up", "\0"])
def test_a_state_that_we_did_not_make(state: str, lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())

    _assert_refused(sam.bring(sent | {"state": state}), sam.client)


def test_a_log_in_that_took_too_long(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())
    LtiLogin.objects.update(created_at=timezone.now() - timedelta(minutes=11))

    _assert_refused(sam.bring(sent), sam.client, says="expired")


def test_an_answer_of_another_platform(lms: Lms, linked: LtiLink) -> None:
    """Registered as well, it signs for its own people only, whatever issuer it writes."""
    other = Lms(TOOL)
    values = other.registration_values | {"client_id": "pyreval-at-other"}
    LtiPlatform.objects.create(**values)
    other.courses = lms.courses
    other.registration.set_client_id("pyreval-at-other")
    sam = Visitor(lms, "s-1")
    query = sam.begin()
    sent = other.authorize(
        query | {"client_id": "pyreval-at-other"}, change=_set(iss=lms.url, aud=lms.client_id)
    )
    other.close()

    _assert_refused(sam.bring(sent), sam.client)


def test_an_lms_that_nobody_registered(lms: Lms, linked: LtiLink, client: Client) -> None:
    query = {"iss": "https://evil.example", "login_hint": "x", "target_link_uri": TOOL}

    response = client.get("/lti/login/", query)

    assert response.status_code == 403
    assert not LtiLogin.objects.exists()


@pytest.mark.parametrize("name", ["iss", "client_id", "login_hint", "lti_storage_target"])
def test_a_log_in_with_what_no_database_keeps(
    name: str, lms: Lms, linked: LtiLink, client: Client
) -> None:
    query = {"iss": lms.url, "login_hint": "s-1"} | {name: "\0"}

    assert client.get("/lti/login/", query).status_code in {302, 403}


def test_names_with_what_nobody_can_see(lms: Lms, linked: LtiLink) -> None:
    course = lms.courses["course-1"]
    course.title, course.people["s-1"].name = "Bio\0logy", "Sam\0\u202eStudent"

    assert Visitor(lms, "s-1").launch().status_code == 302
    assert LtiContext.objects.get(context_id="course-1").title == "Bio logy"
    assert User.objects.get(lti_people__subject="s-1").name == "Sam Student"


def test_the_target_of_a_log_in_is_nobodys_choice(
    lms: Lms, linked: LtiLink, client: Client
) -> None:
    """Neither the redirect nor the page after it is what the request says."""
    query = {
        "iss": lms.url, "login_hint": "s-1", "target_link_uri": "https://evil.example/",
        "redirect_uri": "https://evil.example/", "lti_message_hint": "[]",
    }  # fmt: skip
    location = client.get("/lti/login/", query)["Location"]

    assert location.startswith(f"{lms.url}/auth?")
    assert "evil" not in location


# --- the storage of a platform in the place of a cookie ---


def _from_storage(sam: Visitor, sent: dict[str, str], *, origin: str, stored: str = "") -> Any:
    value = stored or storage_value(sent["state"])
    form = sent | {"stored": value}
    return sam.client.post("/lti/launch/stored/", form, headers={"origin": origin})


def _begin_with_storage(lms: Lms, sam: Visitor) -> dict[str, str]:
    url = f"{lms.initiation('course-1', 's-1', 'link-0')}&lti_storage_target=_parent"
    page = sam.client.get(url.removeprefix(TOOL))
    address = page.context["address"]
    sent = lms.authorize(dict(parse_qsl(urlsplit(address).query)))
    sam.client.cookies.clear()
    return sent


def test_the_storage_of_the_platform_replaces_the_cookie(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = _begin_with_storage(lms, sam)
    page = sam.bring(sent)
    assert page.status_code == 200
    assert lms.url in page.content.decode()
    assert "'unsafe-inline'" not in page["Content-Security-Policy"]

    assert _from_storage(sam, sent, origin=TOOL).status_code == 302


def test_storage_is_believed_of_our_own_page_only(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = _begin_with_storage(lms, sam)
    for origin in ("https://evil.example", "null", ""):
        _assert_refused(_from_storage(sam, sent, origin=origin), sam.client)
    _assert_refused(_from_storage(sam, sent, origin=TOOL, stored="made-up"), sam.client)


def test_storage_is_no_way_round_where_none_was_asked_for(lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())

    _assert_refused(_from_storage(sam, sent, origin=TOOL), sam.client)


# --- more rights than the LMS gives ---


@pytest.mark.parametrize("roles", [INSTRUCTOR, TA])
def test_a_role_that_was_raised_after_signing(roles: list[str], lms: Lms, linked: LtiLink) -> None:
    sam = Visitor(lms, "s-1")
    sent = lms.authorize(sam.begin())
    head, body, signature = sent["id_token"].split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "==="))
    claims[f"{CLAIM}roles"] = roles
    raised = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()

    _assert_refused(sam.bring(sent | {"id_token": f"{head}.{raised}.{signature}"}), sam.client)


def test_an_instructor_of_one_course_is_nobody_in_another(
    lms: Lms, linked: LtiLink, cast: Cast
) -> None:
    """Rights come from the course that was launched: what of the other can be reached?"""
    ivo = Visitor(lms, "i-2", "course-2")
    ivo.launch()

    for address in (
        f"/courses/{cast.course.pk}/",
        f"/assignments/{linked.assignment_id}/",
        f"/lti/links/{linked.pk}/",
        f"/lti/courses/{linked.context_id}/",
        f"/courses/{cast.course.pk}/lms/",
    ):
        assert ivo.client.get(address).status_code == 404, address


def test_a_student_cannot_link_or_choose(lms: Lms, linked: LtiLink, cast: Cast) -> None:
    sam = Visitor(lms, "s-1")
    sam.launch()

    for address in (f"/lti/links/{linked.pk}/", f"/lti/courses/{linked.context_id}/"):
        assert sam.client.post(address, {"title": "Mine"}).status_code == 403
    assert sam.launch(deep=True).status_code == 403
    assert Assignment.objects.count() == 1


def test_another_courses_assignment(lms: Lms, linked: LtiLink, cast: Cast) -> None:
    """A link whose parameter names an assignment of a course that it is not of."""
    foreign = Assignment.objects.create(
        course=cast.other_course, title="Secret", state=Assignment.State.OPEN
    )
    lms.courses["course-1"].links["link-9"] = {"assignment": str(foreign.pk)}
    for person, role in (("s-1", Role.STUDENT), ("i-1", Role.INSTRUCTOR)):
        visitor = Visitor(lms, person)
        location = visitor.launch("link-9")["Location"]
        assert not location.startswith(f"/assignments/{foreign.pk}/")
        assert not Membership.objects.filter(
            course=cast.other_course, user__lti_people__subject=person, role=role
        ).exists()
    assert LtiLink.objects.get(resource_link_id="link-9").assignment is None


def test_another_courses_link(lms: Lms, linked: LtiLink, cast: Cast) -> None:
    """The id of a link means nothing outside of its own course in the LMS."""
    ivo = Visitor(lms, "i-2", "course-2")
    response = ivo.launch("link-0")

    assert response["Location"].startswith("/lti/courses/")
    assert not Membership.objects.filter(
        course=cast.course, user__lti_people__subject="i-2"
    ).exists()


def test_a_subject_of_another_platform_is_another_person(
    lms: Lms, linked: LtiLink, platform: LtiPlatform
) -> None:
    Visitor(lms, "s-1").launch()
    other = Lms(TOOL)
    values = other.registration_values | {"client_id": other.client_id}
    row = LtiPlatform.objects.create(**values)
    row.deployments.create(deployment_id=other.deployment_id, is_allowed=True)
    other.add_course("course-1", "Biology", lms.courses["course-1"].people["i-1"])
    other.courses["course-1"].people["s-1"] = lms.courses["course-1"].people["s-1"]
    Visitor(other, "i-1").launch()
    other.close()

    assert LtiContext.objects.get(deployment__platform=row).course is None
    assert User.objects.filter(lti_people__subject="s-1").count() == 1
    assert Course.objects.count() == 2
