"""A small LMS: a real HTTP server that speaks LTI 1.3 as a platform.

What a launch says, tokens, and what comes back from deep linking are lti1p3platform's, which knows
nothing of our code. It leaves the rest to a platform: people and courses, the pages, the roster,
the gradebook, registration, and what it does not check itself (audience, scope).
"""

import html
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request

MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership"
INSTRUCTOR = [f"{MEMBERSHIP}#Instructor"]
TA = [f"{MEMBERSHIP}#Instructor", f"{MEMBERSHIP}/Instructor#TeachingAssistant"]
STUDENT = [f"{MEMBERSHIP}#Learner"]
OBSERVER = [f"{MEMBERSHIP}#Mentor"]
AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"
SCORE, LINE_ITEM = f"{AGS}score", f"{AGS}lineitem"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
TOOL_CONFIGURATION = "https://purl.imsglobal.org/spec/lti-tool-configuration"

Claims = dict[str, Any]
Change = Callable[[Claims], object]


@dataclass
class Person:
    id: str
    name: str
    roles: list[str]
    email: str = ""
    group: str = ""
    sections: str = ""  # as Canvas writes them: a list in JSON


@dataclass
class LmsCourse:
    id: str
    title: str
    people: dict[str, Person] = field(default_factory=dict)
    links: dict[str, dict[str, str]] = field(default_factory=dict)  # by id our parameters


class _Conf(LTI1P3PlatformConfAbstract):
    def init_platform_config(self, registration: Registration) -> None:
        self._registration = registration

    def get_registration_by_params(self, **_: Any) -> Registration:
        assert self._registration is not None
        return self._registration


class _Sent(Request):
    def build_metadata(self, request: dict[str, Any]) -> Any:
        return {"method": "GET", "get_data": request, "form_data": {}, "headers": {}, "path": ""}


class _Message(LTIAdvantageMessageLaunchAbstract):
    def render_launch_form(self, launch_data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return launch_data


class _Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, **kwargs: Any) -> None:
        self._lti_message_hint = kwargs["hint"]

    def get_redirect(self, url: str) -> str:
        return url


def new_key() -> tuple[str, str]:
    """A private and a public key."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return (
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode(),
        private.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode(),
    )


class Lms:
    """``url`` is also its issuer. The tool is at ``tool_url``."""

    client_id = "pyreval-at-lms"
    deployment_id = "deployment-1"

    def __init__(self, tool_url: str, port: int = 0, host: str = "localhost") -> None:
        self.tool_url = tool_url
        self.courses: dict[str, LmsCourse] = {}
        self.line_items: list[Claims] = []
        self.scores: list[tuple[str, Claims]] = []
        self.deep_links: list[Claims] = []
        self.registered: list[Claims] = []
        self.asked: list[str] = []
        self.refuse_scores = 0  # a status
        self.has_storage = False
        self.per_page = 2  # of the roster
        self.fills_in_sections = False  # as Canvas does, in launches and rosters
        handler = type("Handler", (_Handler,), {"lms": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.url = f"http://{host}:{self.server.server_port}"
        private, public = new_key()
        self.registration = (
            Registration()
            .set_iss(self.url)
            .set_client_id(self.client_id)
            .set_deployment_id(self.deployment_id)
            .set_launch_url(f"{tool_url}/lti/launch/")
            .set_deeplink_launch_url(f"{tool_url}/lti/launch/")
            .set_oidc_login_url(f"{tool_url}/lti/login/")
            .set_tool_key_set_url(f"{tool_url}/lti/jwks.json")
            .set_platform_private_key(private)
            .set_platform_public_key(public)
        )
        self.conf = _Conf(registration=self.registration)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def registration_values(self) -> dict[str, str]:
        """What an administrator types into our page."""
        return {
            "name": "Test LMS",
            "issuer": self.url,
            "client_id": self.client_id,
            "authorization_url": f"{self.url}/auth",
            "token_url": f"{self.url}/token",
            "jwks_url": f"{self.url}/jwks",
            "origins": self.url,
        }

    def add_course(self, course_id: str, title: str, *people: Person) -> LmsCourse:
        course = LmsCourse(course_id, title, {person.id: person for person in people})
        self.courses[course_id] = course
        return course

    # --- launches ---

    def initiation(self, course: str, person: str, link: str, *, deep: bool = False) -> str:
        """Where the browser goes when somebody clicks on a link of a course."""
        login = _Login(None, self.conf)
        login.set_lti_message_hint(hint=json.dumps([course, link, deep]))
        url: str = login.initiate_login(person)
        return f"{url}&lti_storage_target=_parent" if self.has_storage else url

    def authorize(
        self, query: dict[str, str], *, change: Change | None = None, key: str = "", **header: str
    ) -> dict[str, str]:
        """What the browser then brings to the tool; ``change`` forges it before it is signed."""
        assert query["response_type"] == "id_token"
        assert query["redirect_uri"] == f"{self.tool_url}/lti/launch/"
        message = self._message(query)
        sent: dict[str, str] = message.lti_launch()
        if change or key or header:
            claims = jwt.decode(sent["id_token"], options={"verify_signature": False})
            own_key = self.registration.get_platform_private_key()
            if change:
                change(claims)
            kid = self.registration.get_kid()
            algorithm = header.pop("alg", "RS256")
            private = "" if algorithm == "none" else key or own_key
            sent["id_token"] = jwt.encode(
                claims,
                private,
                algorithm=algorithm,
                headers={"kid": kid, **header},
            )
        return {"state": sent["state"], "id_token": sent["id_token"]}

    def _message(self, query: dict[str, str]) -> _Message:
        course_id, link, deep = json.loads(query["lti_message_hint"])
        course = self.courses[course_id]
        person = course.people[query["login_hint"]]
        message = _Message(_Sent(query), self.conf)
        message.set_user_data(person.id, person.roles, person.name, person.email or None)
        message.set_launch_context_claim(course_id, context_title=course.title)
        message.set_launch_presentation_claim("iframe", f"{self.url}/courses/{course_id}")
        services = f"{self.url}/services/{course_id}"
        items = [item for item in self.line_items if item.get("resourceLinkId") == link]
        item = items[0]["id"] if items else None
        message.set_ags(f"{services}/lineitems", item)
        message.set_nrps(f"{services}/people")
        message.set_extra_claims(
            {
                "https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice": {
                    "context_groups_url": f"{services}/groups"
                }
            }
        )
        if deep:
            message.set_dl(f"{self.url}/deep-link/{course_id}", extra_data={"csrf": "7"})
            return message
        message.set_resource_link_claim(link, title=f"Link {link}")
        message.set_custom_parameters_claim(course.links.get(link, {}) | self.filled_in(person))
        return message

    def filled_in(self, person: Person) -> dict[str, str]:
        """Our parameter for sections, as the configuration for Canvas asks for it."""
        asked = {"sections": "$com.instructure.User.sectionNames"}
        return {"sections": person.sections} if self.fills_in_sections else asked

    def take_deep_link(self, course_id: str, token: str) -> str:
        """Make links of what the tool sends back; the id of the last one."""
        items = self.conf.validate_deeplinking_resp({"JWT": token})
        claims = jwt.decode(token, options={"verify_signature": False})
        assert claims["aud"] == self.url
        assert claims["iss"] == self.client_id
        assert claims["https://purl.imsglobal.org/spec/lti-dl/claim/data"] == {"csrf": "7"}
        link = ""
        for item in items:
            self.deep_links.append(item)
            link = f"link-{len(self.deep_links)}"
            self.courses[course_id].links[link] = item.get("custom", {})
            if "lineItem" in item:
                self.add_line_item(course_id, item["lineItem"] | {"resourceLinkId": link})
        return link

    # --- services ---

    def access_token(self, form: dict[str, str]) -> Claims:
        claims = self.conf.tool_validate_and_decode(form["client_assertion"])
        assert claims["aud"] == f"{self.url}/token"
        assert claims["iss"] == claims["sub"] == self.client_id
        return dict(self.conf.get_access_token(form))

    def allows(self, header: str, scope: str) -> bool:
        token = header.removeprefix("Bearer ")
        return bool(self.conf.validate_token(token, [scope]))

    def add_line_item(self, course_id: str, item: Claims) -> Claims:
        number = len(self.line_items) + 1
        address = f"{self.url}/services/{course_id}/lineitems/{number}"
        self.line_items.append(item | {"id": address})
        return self.line_items[-1]

    def members(self, course_id: str, link: str = "") -> list[Claims]:
        """With ``link`` (rlid) also what the parameters of that link are for each person."""
        return [
            {
                **self._message_of(person, link),
                "user_id": person.id,
                "roles": person.roles,
                "name": person.name,
                "email": person.email,
                "status": "Active",
                "group_enrollments": [{"group_id": person.group}] if person.group else [],
            }
            for person in self.courses[course_id].people.values()
        ]

    def _message_of(self, person: Person, link: str) -> Claims:
        if not link or not self.fills_in_sections:
            return {}
        custom = {"https://purl.imsglobal.org/spec/lti/claim/custom": self.filled_in(person)}
        return {"message": [custom]}

    def grades(self) -> dict[str, Claims]:
        """By person the newest score."""
        return {score["userId"]: score for _, score in self.scores}


class _Handler(BaseHTTPRequestHandler):
    lms: Lms
    protocol_version = "HTTP/1.0"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.query = dict(parse_qsl(parts.query))
        self.lms.asked.append(parts.path)
        match parts.path.strip("/").split("/"):
            case ["jwks"]:
                self.answer(self.lms.conf.get_jwks())
            case [".well-known", "openid-configuration"]:
                self.answer(self.configuration())
            case ["services", course, "people"]:
                self.people(course)
            case ["services", course, "groups"]:
                names = {person.group for person in self.lms.courses[course].people.values()}
                groups = [{"id": name, "name": f"Group {name}"} for name in names if name]
                self.answer({"groups": groups})
            case ["services", _, "lineitems"]:
                wanted = self.query.get("resource_id")
                items = [item for item in self.lms.line_items if item["resourceId"] == wanted]
                self.guarded(LINE_ITEM, items)
            case ["courses", course]:
                self.page(course_page(self.lms, course, self.query))
            case ["start", course]:
                query = self.query
                deep = query.get("deep") == "1"
                where = self.lms.initiation(course, query["as"], query["link"], deep=deep)
                self.redirect(where)
            case ["auth"]:
                sent = self.lms.authorize(self.query)
                self.page(form_page(self.query["redirect_uri"], sent))
            case _:
                self.answer({}, 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        match urlsplit(self.path).path.strip("/").split("/"):
            case ["token"]:
                self.answer(self.lms.access_token(dict(parse_qsl(body))))
            case ["services", course, "lineitems"]:
                made = self.lms.add_line_item(course, json.loads(body))
                self.guarded(LINE_ITEM, made, 201)
            case ["services", course, "lineitems", number, "scores"]:
                if not self.lms.refuse_scores:
                    item = f"{self.lms.url}/services/{course}/lineitems/{number}"
                    self.lms.scores.append((item, json.loads(body)))
                self.guarded(SCORE, None, self.lms.refuse_scores or 200)
            case ["deep-link", course]:
                link = self.lms.take_deep_link(course, dict(parse_qsl(body))["JWT"])
                self.page(f"<h1>Added {html.escape(link)}</h1>")
            case ["register"]:
                self.lms.registered.append(json.loads(body))
                assert self.headers["Authorization"] == "Bearer registration-7"
                own = {TOOL_CONFIGURATION: {"deployment_id": self.lms.deployment_id}}
                self.answer({"client_id": self.lms.client_id, **own})
            case _:
                self.answer({}, 404)

    def configuration(self) -> Claims:
        url = self.lms.url
        return {
            "issuer": url,
            "authorization_endpoint": f"{url}/auth",
            "token_endpoint": f"{url}/token",
            "jwks_uri": f"{url}/jwks",
            "registration_endpoint": f"{url}/register",
        }

    def people(self, course: str) -> None:
        """In pages, so that whoever reads only the first is found out."""
        first, many = int(self.query.get("from", 0)), self.lms.per_page
        rlid = self.query.get("rlid", "")
        members = self.lms.members(course, rlid)
        link = ""
        if first + many < len(members):
            address = f"{self.lms.url}/services/{course}/people?from={first + many}&rlid={rlid}"
            link = f'<{address}>; rel="next"'
        self.guarded(NRPS, {"members": members[first : first + many]}, Link=link)

    def guarded(self, scope: str, document: object, status: int = 200, **headers: str) -> None:
        allowed = self.lms.allows(self.headers["Authorization"], scope)
        self.answer(document if allowed else {}, status if allowed else 403, **headers)

    def answer(self, document: object, status: int = 200, **headers: str) -> None:
        self.send(json.dumps(document).encode(), "application/json", status, **headers)

    def page(self, text: str) -> None:
        self.send(f"<!doctype html><title>LMS</title>{text}".encode(), "text/html; charset=utf-8")

    def redirect(self, address: str) -> None:
        self.send(b"", "text/plain", 302, Location=address)

    def send(self, data: bytes, kind: str, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def form_page(action: str, fields: dict[str, str]) -> str:
    inputs = "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in fields.items()
    )
    form = f'<form method="post" action="{html.escape(action)}">{inputs}</form>'
    return f"{form}<script>document.forms[0].submit()</script>"


STORAGE = """<script>
const kept = {};
addEventListener("message", (event) => {
  const {subject, message_id, key, value} = event.data || {};
  if (!/^lti\\.(put|get)_data$/.test(subject || "")) return;
  if (subject === "lti.put_data") kept[key] = value;
  event.source.postMessage(
    {subject: `${subject}.response`, message_id, key, value: kept[key]}, event.origin);
});
</script>"""


def course_page(lms: Lms, course: str, query: dict[str, str]) -> str:
    """A course with the tool in a frame, as LMSs show it."""
    start = html.escape(f"/start/{course}?{urlencode(query)}")
    frame = f'<iframe name="tool" src="{start}" width="1200" height="800" title="Tool"></iframe>'
    return f"<h1>{html.escape(lms.courses[course].title)}</h1>{STORAGE}{frame}"
