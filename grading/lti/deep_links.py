"""Deep linking: an instructor chooses an assignment, and the LMS gets a link to it."""

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Any, Final

from django.core.exceptions import PermissionDenied

from grading.lti.grades import resource_id_of
from grading.lti.keys import sign
from grading.lti.launches import ASSIGNMENT
from grading.lti.logins import site_address
from grading.lti.messages import CLAIM, DEEP_LINKING, Launch, strings
from grading.lti.outgoing import address_problem
from grading.models import Assignment, LtiContext
from grading.scoring.grades import points_possible

LINK: Final = "ltiResourceLink"


def request_of(launch: Launch) -> dict[str, Any]:
    """What the session keeps of a request until the instructor has chosen."""
    settings = launch.part(f"{DEEP_LINKING}deep_linking_settings")
    address = str(settings.get("deep_link_return_url"))
    if problem := address_problem(address):
        raise PermissionDenied(f"Your LMS gave no address to return to. {problem}")
    if LINK not in strings(settings.get("accept_types")):
        raise PermissionDenied("Your LMS doesn't accept links here. Choose an external tool there.")
    return {
        "return_url": address,
        "data": settings.get("data"),
        "deployment": launch.deployment_id,
        "with_line_item": settings.get("accept_lineitem", True) is not False,
    }


def response_to(request: Mapping[str, Any], *, context: LtiContext, assignment: Assignment) -> str:
    """The signed answer: a link to the assignment, with its column in the gradebook."""
    platform = context.deployment.platform
    item: dict[str, Any] = {
        "type": LINK,
        "title": assignment.title,
        "url": site_address("lti_launch"),
        "custom": {ASSIGNMENT: str(assignment.pk)},
    }
    if request["with_line_item"]:
        item["lineItem"] = {
            "scoreMaximum": float(points_possible(assignment)),
            "label": assignment.title,
            "resourceId": resource_id_of(assignment),
            "tag": "grade",
        }
    claims: dict[str, Any] = {
        "iss": platform.client_id,
        "aud": platform.issuer,
        f"{CLAIM}deployment_id": request["deployment"],
        f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": "1.3.0",
        f"{DEEP_LINKING}content_items": [item],
        "nonce": token_urlsafe(16),
    }
    if request["data"] is not None:
        claims[f"{DEEP_LINKING}data"] = request["data"]
    return sign(claims)
