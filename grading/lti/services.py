"""What this site asks of a platform: the roster of a course, its groups, line items and grades."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode, urljoin, urlsplit, urlunsplit

from grading.lti.keys import sign
from grading.lti.launches import SECTIONS, section_of
from grading.lti.messages import CLAIM, is_id, one_line, role_of, strings
from grading.lti.outgoing import Answer, PlatformError, get, post_form, post_json
from grading.lti.people import LmsMember
from grading.models import LtiContext, LtiPlatform

_AGS: Final = "https://purl.imsglobal.org/spec/lti-ags/scope/"
LINE_ITEMS, SCORES = f"{_AGS}lineitem", f"{_AGS}score"
ROSTER: Final = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
GROUPS: Final = "https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly"
ALL_SCOPES: Final = (LINE_ITEMS, SCORES, ROSTER)

_ROSTER_KIND: Final = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_GROUPS_KIND: Final = "application/vnd.ims.lti-gs.v1.contextgroupcontainer+json"
_LINE_ITEM_KIND: Final = "application/vnd.ims.lis.v2.lineitem+json"
_LINE_ITEMS_KIND: Final = "application/vnd.ims.lis.v2.lineitemcontainer+json"
_SCORE_KIND: Final = "application/vnd.ims.lis.v1.score+json"
_MOST_PAGES: Final = 100


def access_token(platform: LtiPlatform, scope: str) -> str:
    """Leave to use one service, in exchange for our signature."""
    claims = {
        "iss": platform.client_id,
        "sub": platform.client_id,
        "aud": platform.token_audience or platform.token_url,
    }
    kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    fields = {
        "grant_type": "client_credentials",
        "client_assertion_type": kind,
        "client_assertion": sign(claims),
        "scope": scope,
    }
    document = post_form(platform.token_url, fields).document
    token = document.get("access_token") if isinstance(document, dict) else None
    if not isinstance(token, str) or not token.isprintable():
        raise PlatformError(f"{platform.name} gave no access token.")
    return token


# --- the roster ---


@dataclass(frozen=True, slots=True)
class LmsRoster:
    """Who is in the LMS's course now, with a role that can be used here."""

    people: tuple[LmsMember, ...]


def roster_fetch(context: LtiContext) -> LmsRoster:
    """All of the course, its sections among it where the LMS tells them."""
    platform = context.deployment.platform
    if not context.memberships_url:
        raise PlatformError("The LMS does not share the roster of this course.")
    token = access_token(platform, ROSTER)
    groups = _groups(context, platform)
    address = context.memberships_url
    link = context.links.first()
    if link is not None:  # Canvas then says what our parameters are for each person
        address = _with_query(address, rlid=link.resource_link_id)
    people: dict[str, LmsMember] = {}
    for page in _pages(address, token, _ROSTER_KIND):
        members = page.get("members") if isinstance(page, dict) else None
        for member in members if isinstance(members, list) else ():
            if isinstance(member, dict) and (lms_member := _lms_member(member, groups)) is not None:
                people[lms_member.subject] = lms_member
    return LmsRoster(tuple(people.values()))


def _lms_member(member: Mapping[str, Any], groups: Mapping[str, str]) -> LmsMember | None:
    subject, role = member.get("user_id"), role_of(member.get("roles"))
    if not is_id(subject) or role is None:
        return None
    if str(member.get("status", "Active")).lower() != "active":
        return None
    if any(given.endswith("person#TestUser") for given in strings(member.get("roles"))):
        return None
    names = [member.get("given_name"), member.get("family_name")]
    return LmsMember(
        subject=str(subject),
        role=role,
        name=one_line(member.get("name") or " ".join(str(name) for name in names if name), 200),
        email=one_line(member.get("email"), 254),
        section=_section(member, groups),
        student_number=one_line(member.get("lis_person_sourcedid"), 100),
    )


def _section(member: Mapping[str, Any], groups: Mapping[str, str]) -> str:
    """By the person's group, or by our parameter where the LMS has filled it in."""
    enrolled = member.get("group_enrollments")
    for group in enrolled if isinstance(enrolled, list) else ():
        if isinstance(group, dict) and (name := groups.get(str(group.get("group_id")))):
            return name
    messages = member.get("message")
    for message in messages if isinstance(messages, list) else ():
        custom = message.get(f"{CLAIM}custom") if isinstance(message, dict) else None
        if isinstance(custom, dict) and (section := section_of(custom.get(SECTIONS))):
            return section
    return ""


def _groups(context: LtiContext, platform: LtiPlatform) -> dict[str, str]:
    """The names of groups by their ids; none where the LMS tells none."""
    if not context.groups_url:
        return {}
    try:
        token = access_token(platform, GROUPS)
        pages = list(_pages(context.groups_url, token, _GROUPS_KIND))
    except PlatformError:
        return {}  # sections are a help, and no reason to go without the roster
    group_names: dict[str, str] = {}
    for page in pages:
        groups = page.get("groups") if isinstance(page, dict) else None
        for group in groups if isinstance(groups, list) else ():
            if isinstance(group, dict) and group.get("id") and group.get("name"):
                group_names[str(group["id"])] = one_line(group["name"], 200)
    return group_names


def _pages(address: str, token: str, kind: str) -> Iterator[Any]:
    """A token goes to the host that it was meant for, and to no other that a page names."""
    host = urlsplit(address).netloc
    for _ in range(_MOST_PAGES):
        answer = get(address, token=token, accept=kind)
        yield answer.document
        if not answer.next_page:
            return
        address = urljoin(address, answer.next_page)
        if urlsplit(address).netloc != host:
            raise PlatformError("The LMS sent us to another host for the next page.")


# --- grades ---


def line_item_find_or_make(
    context: LtiContext, *, label: str, maximum: float, resource_id: str, link_id: str
) -> str:
    """The column of the LMS's gradebook for an assignment: its address."""
    if not context.line_items_url:
        raise PlatformError("The LMS doesn't let this site create a column in its gradebook.")
    platform = context.deployment.platform
    token = access_token(platform, LINE_ITEMS)
    address = _with_query(context.line_items_url, resource_id=resource_id)
    for page in _pages(address, token, _LINE_ITEMS_KIND):
        for item in page if isinstance(page, list) else ():
            if isinstance(item, dict) and item.get("resourceId") == resource_id:
                return _id_of(item, context)
    wanted = {
        "scoreMaximum": maximum,
        "label": label[:200],
        "resourceId": resource_id,
        "tag": "grade",
        "resourceLinkId": link_id,
    }
    answer = post_json(context.line_items_url, wanted, token=token, kind=_LINE_ITEM_KIND)
    return _id_of(answer.document, context)


def _id_of(item: Any, context: LtiContext) -> str:
    address = item.get("id") if isinstance(item, dict) else None
    if not isinstance(address, str) or len(address) > 1000:
        raise PlatformError("The LMS gave no address for the column in its gradebook.")
    return urljoin(context.line_items_url, address)


def score_send(line_item_url: str, score: Mapping[str, Any], token: str) -> Answer:
    """Send one student's score; the LMS keeps the newest."""
    parts = urlsplit(line_item_url)
    address = urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))
    return post_json(address, score, token=token, kind=_SCORE_KIND)


def _with_query(address: str, **query: str) -> str:
    parts = urlsplit(address)
    joined = "&".join(filter(None, [parts.query, urlencode(query)]))
    return urlunsplit(parts._replace(query=joined))
