"""Every operation of the API with what each of the cast's programs gets; the twin of url_table.

As there: instructor, TA, student, other student, outsider, and a request without a token. The
students' tokens cannot be made on the pages; here they show that the access functions refuse them.
"""

from dataclasses import dataclass
from typing import Any

from tests.conftest import SUMMARY

# Only the author changes a comment: the TA.
AUTHORS = (403, 200, 403, 403, 404, 401)
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
    files: tuple[tuple[str, str, str], ...] = ()  # field, name and content of each

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


STALE = (("If-Match", '"none"'),)
NEW_REFERENCE = {"references": [{"name": "Dee", "text": "Asphalt stores heat until the night."}]}
SUBMITTED = {"submissions": [{"login": "omar", "text": f"{SUMMARY} And more."}]}
GRADE = {"kind": "excused", "reason": "Ill."}
RULE = {
    "rule": {
        "points": "50",
        "weights": {"comprehensive": 100, "quality": 0, "coverage": 0},
        "scale": {"floor": "0", "ceiling": "0.9", "least": "0"},
        "rounding": "0.5",
    },
    "students_see": True,
}
ROSTER = {"csv": "Name,Login,Section\nNia New,nia,B\n"}
EXTENSION = {"max_attempts": 5, "reason": "Ill."}
COMMENT = {"audience": "student", "text": "Well put."}
SAVED = {"key": "short", "text": "Too short."}
INSTRUCTORS_STALE = (412, 403, 403, 403, 404, 401)
MEMBERS_STALE = (412, 412, 403, 403, 404, 401)
INSTRUCTORS_DELETE = (204, 403, 403, 403, 404, 401)

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
    ApiRow("patch", "/courses/{course}", INSTRUCTORS, {"term": "Spring"}),
    ApiRow("patch", "/courses/{course}/people/{member}", INSTRUCTORS, {"role": "student"}),
    ApiRow("delete", "/courses/{course}/people/{member}", INSTRUCTORS_DELETE),
    ApiRow("get", "/courses/{course}/removed-people", INSTRUCTORS),
    ApiRow("post", "/courses/{course}/removed-people/{removed}/restore", INSTRUCTORS_MAKE),
    ApiRow("post", "/courses/{course}/roster/preview", INSTRUCTORS, ROSTER),
    ApiRow("post", "/courses/{course}/roster", INSTRUCTORS_STALE, ROSTER, STALE),
    ApiRow("put", "/assignments/{assignment}/names", INSTRUCTORS, {"hidden": True}),
    ApiRow("post", "/assignments/{assignment}/copy", INSTRUCTORS_MAKE, {}),
    ApiRow("get", "/assignments/{assignment}/extensions", MEMBERS),
    ApiRow(
        "post",
        "/assignments/{assignment}/extensions",
        (422, 403, 403, 403, 404, 401),
        EXTENSION | {"section": "none"},
    ),
    ApiRow("put", "/extensions/{extension}", INSTRUCTORS_STALE, EXTENSION, STALE),
    ApiRow("delete", "/extensions/{extension}", INSTRUCTORS_DELETE),
    ApiRow("get", "/assignments/{assignment}/imports", MEMBERS),
    ApiRow(
        "post",
        "/assignments/{assignment}/imports",
        (202, 202, 403, 403, 404, 401),
        files=(("files", "zoe.txt", SUMMARY),),
    ),
    ApiRow("get", "/imports/{upload}", MEMBERS),
    ApiRow("put", "/imports/{upload}/choices", MEMBERS_STALE, {}, STALE),
    ApiRow("post", "/imports/{upload}/apply", MEMBERS_STALE, {}, STALE),
    # The TA comes first, and then there is nothing left to discard.
    ApiRow("delete", "/imports/{upload}", (409, 204, 403, 403, 404, 401)),
    ApiRow(
        "post",
        "/assignments/{assignment}/reviews",
        MEMBERS,
        {"action": "release", "submissions": ["{submission}"]},
    ),
    ApiRow(
        "post",
        "/submissions/{submission}/take-over",
        (409, 409, 403, 403, 404, 401),
        {"holder": "0" * 32},
    ),
    ApiRow("get", "/submissions/{submission}/comments", MEMBERS),
    ApiRow("post", "/submissions/{submission}/comments", MADE, COMMENT),
    ApiRow("put", "/comments/{comment}", AUTHORS, {"text": "Better."}),
    ApiRow("delete", "/comments/{comment}", (403, 204, 403, 403, 404, 401)),
    ApiRow("post", "/comments/{comment}/restore", AUTHORS),
    ApiRow("get", "/courses/{course}/saved-comments", MEMBERS),
    ApiRow("post", "/courses/{course}/saved-comments", (409, 201, 403, 403, 404, 401), SAVED),
    ApiRow("put", "/saved-comments/{saved}", MEMBERS, SAVED),
    ApiRow("delete", "/saved-comments/{saved}", (404, 204, 403, 403, 404, 401)),
    ApiRow("get", "/second-looks/{look}", MEMBERS),
    ApiRow(
        "post",
        "/second-looks/{look}/answer",
        MEMBERS_STALE,
        {"verdict": "decline", "answer": "It is not there."},
        STALE,
    ),
    ApiRow("post", "/assignments/{assignment}/grade-rule/preview", INSTRUCTORS, RULE),
    ApiRow("put", "/assignments/{assignment}/grade-rule", INSTRUCTORS_STALE, RULE, STALE),
    ApiRow(
        "post",
        "/assignments/{assignment}/exports/filled",
        MADE,
        files=(("file", "grades.csv", "Student,ID,Section,Essay (1)\nZoe,,,\n"),),
    ),
    ApiRow("get", "/assignments/{assignment}/annotations", MEMBERS),
    ApiRow("get", "/submissions/{submission}/annotation", MEMBERS),
    ApiRow("get", "/assignments/{assignment}/class/ideas", MEMBERS),
    ApiRow("put", "/courses/{course}/archived", INSTRUCTORS, {"archived": False}),
    ApiRow("put", "/assignments/{assignment}/archived", INSTRUCTORS, {"archived": False}),
    ApiRow("get", "/courses/{course}/exports", INSTRUCTORS),
    ApiRow("post", "/courses/{course}/exports", (202, 403, 403, 403, 404, 401)),
    ApiRow("get", "/course-jobs/{course_job}", INSTRUCTORS),
    ApiRow("get", "/course-files/{file}", INSTRUCTORS),
    ApiRow(
        "post",
        "/courses/{course}/deletion",
        (422, 403, 403, 403, 404, 401),
        {"name": "Another name"},
    ),
    ApiRow(
        "post",
        "/assignments/{assignment}/deletion",
        (422, 403, 403, 403, 404, 401),
        {"name": "Another name"},
    ),
    ApiRow(
        "post",
        "/courses/{course}/people/{member}/deletion",
        (422, 403, 403, 403, 404, 401),
        {"name": "Another name"},
    ),
    ApiRow("get", "/courses/{course}/deletions", INSTRUCTORS),
    ApiRow("post", "/deletions/{deletion}/restore", INSTRUCTORS),
)
