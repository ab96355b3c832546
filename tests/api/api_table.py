"""Every operation of the API with what each of the cast's programs gets; the twin of url_table.

As there: instructor, TA, student, other student, outsider, and a request without a token. The
students' tokens cannot be made on the pages; here they show that the access functions refuse them.
"""

from dataclasses import dataclass
from typing import Any

from tests.conftest import SUMMARY

MEMBERS = (200, 200, 403, 403, 404, 401)
EVERY_TOKEN = (200, 200, 200, 200, 200, 401)
MADE = (201, 201, 403, 403, 404, 401)
INSTRUCTORS = (200, 403, 403, 403, 404, 401)
INSTRUCTORS_MAKE = (201, 403, 403, 403, 404, 401)


@dataclass(frozen=True)
class ApiRow:
    """``path`` has the names of the scene's rows: “/assignments/{assignment}/references”."""

    method: str
    path: str
    statuses: tuple[int, int, int, int, int, int]
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


STALE = (("If-Match", '"none"'),)
NEW_REFERENCE = {"references": [{"name": "Dee", "text": "Asphalt stores heat until the night."}]}
SUBMITTED = {"submissions": [{"login": "omar", "text": f"{SUMMARY} And more."}]}
GRADE = {"kind": "excused", "reason": "Ill."}

ROWS = (
    ApiRow("get", "/token", EVERY_TOKEN),
    ApiRow("get", "/courses", EVERY_TOKEN),
    ApiRow("get", "/courses/{course}", MEMBERS),
    ApiRow("get", "/courses/{course}/people", MEMBERS),
    ApiRow("get", "/courses/{course}/assignments", MEMBERS),
    ApiRow("post", "/courses/{course}/assignments", INSTRUCTORS_MAKE, {"title": "Rivers"}),
    ApiRow("get", "/assignments/{assignment}", MEMBERS),
    ApiRow(
        "patch",
        "/assignments/{assignment}",
        (412, 403, 403, 403, 404, 401),
        {"title": "Heat"},
        STALE,
    ),
    ApiRow("put", "/assignments/{assignment}/state", INSTRUCTORS, {"state": "open"}),
    ApiRow("get", "/assignments/{assignment}/references", MEMBERS),
    ApiRow("post", "/assignments/{assignment}/references", INSTRUCTORS_MAKE, NEW_REFERENCE),
    ApiRow("get", "/references/{reference}", MEMBERS),
    ApiRow(
        "put", "/references/{reference}", (412, 403, 403, 403, 404, 401), {"text": "New."}, STALE
    ),
    ApiRow("delete", "/references/{reference}", (204, 403, 403, 403, 404, 401)),
    ApiRow("post", "/assignments/{assignment}/builds", (202, 403, 403, 403, 404, 401), {}),
    ApiRow("get", "/jobs/{job}", MEMBERS),
    ApiRow("get", "/assignments/{assignment}/drafts", MEMBERS),
    ApiRow("get", "/drafts/{draft}", MEMBERS),
    ApiRow("post", "/drafts/{draft}/publish", (412, 403, 403, 403, 404, 401), {}, STALE),
    ApiRow("get", "/drafts/{draft}/file/{kind}", MEMBERS),
    ApiRow("get", "/assignments/{assignment}/versions", MEMBERS),
    ApiRow("get", "/versions/{version}", MEMBERS),
    ApiRow("get", "/versions/{version}/file/{kind}", MEMBERS),
    ApiRow("get", "/assignments/{assignment}/submissions", MEMBERS),
    ApiRow("post", "/assignments/{assignment}/submissions", MADE, SUBMITTED),
    ApiRow("get", "/submissions/{submission}", MEMBERS),
    ApiRow("get", "/submissions/{submission}/result", MEMBERS),
    ApiRow("get", "/submissions/{submission}/corrections", MEMBERS),
    ApiRow(
        "post",
        "/submissions/{submission}/corrections",
        (412, 412, 403, 403, 404, 401),
        {"action": "undo"},
        STALE,
    ),
    ApiRow("get", "/assignments/{assignment}/second-looks", MEMBERS),
    ApiRow("post", "/assignments/{assignment}/release", MEMBERS, {"what": "shown", "who": "all"}),
    ApiRow("get", "/assignments/{assignment}/grades", MEMBERS),
    ApiRow("get", "/assignments/{assignment}/grades/{student}", MEMBERS),
    ApiRow(
        "put",
        "/assignments/{assignment}/grades/{student}",
        (412, 412, 403, 403, 404, 401),
        GRADE,
        STALE,
    ),
    ApiRow("get", "/assignments/{assignment}/grade-rule", MEMBERS),
    ApiRow("get", "/assignments/{assignment}/exports", MEMBERS),
    ApiRow("post", "/assignments/{assignment}/exports", MADE, {}),
    ApiRow("get", "/exports/{export}/file", MEMBERS),
    ApiRow("get", "/courses/{course}/webhooks", INSTRUCTORS),
    ApiRow(
        "post",
        "/courses/{course}/webhooks",
        INSTRUCTORS_MAKE,
        {"url": "https://hooks.example.org/pyreval"},
    ),
    ApiRow("delete", "/webhooks/{webhook}", (204, 403, 403, 403, 404, 401)),
    ApiRow("get", "/webhooks/{webhook}/deliveries", INSTRUCTORS),
)
