"""The API as django-ninja puts it together, and its OpenAPI document."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.security import HttpBearer

from grading.api.problems import PROBLEM, handle_errors
from grading.api.schemas import Problem
from grading.api.v1 import (
    courses,
    extensions,
    grades,
    imports,
    keeping,
    people,
    pyramids,
    reviews,
    submissions,
    webhooks,
)
from grading.models import ApiToken
from grading.web import url_converters  # noqa: F401  (registers them)

VERSION = "1"
ERRORS = {
    "400": "The request cannot be understood.",
    "401": "There is no usable token.",
    "403": "You or the token may not do this, or it is archived.",
    "404": "It does not exist, or you may not see it.",
    "409": "It conflicts with the current state.",
    "412": "If-Match is out of date: nothing was changed.",
    "413": "The request is too large.",
    "422": "A field has an error. The response says which, and why.",
    "428": "If-Match is required here.",
    "429": "Too many requests: see Retry-After.",
}
DESCRIPTION = (
    "Programs can do what instructors and teaching assistants do on the pages. Create a token in "
    "your account, and send it as “Authorization: Bearer …”. Errors are application/problem+json. "
    "Lists come in pages: send “next” as “after”. What you read has an ETag."
)
FILE = {"schema": {"type": "string", "format": "binary"}}
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "Sent again with the same key within a day, a request is answered as before.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}


class TokenScheme(HttpBearer):
    """Says in the OpenAPI document what to send. ApiTokenMiddleware has checked the token."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        del token
        return getattr(request, "api_token", None)


class Api(NinjaAPI):
    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        """With errors, files and headers, of which django-ninja knows nothing."""
        schema = super().get_openapi_schema(**kwargs)
        problem = {PROBLEM: {"schema": Problem.model_json_schema()}}
        schema["components"]["responses"] = {
            f"Problem{status}": {"description": text, "content": problem}
            for status, text in ERRORS.items()
        }
        for operations in schema["paths"].values():
            for method, operation in operations.items():
                answers = operation["responses"]
                for status in ERRORS:
                    answers[status] = {"$ref": f"#/components/responses/Problem{status}"}
                for status, answer in answers.items():
                    if str(status) == "200" and "content" not in answer:
                        answer["content"] = {"*/*": FILE}
                if method == "post":
                    operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
                if method == "get":
                    answers["304"] = {"description": "Not changed: If-None-Match is its ETag."}
        return schema


api = Api(
    title="PyrEval Classroom",
    version=VERSION,
    description=DESCRIPTION,
    docs_url=None,  # ours is a page without script: grading/api/views.py
    docs_decorator=login_not_required,
    urls_namespace="api",
    auth=TokenScheme(),
)
handle_errors(api)
PARTS = (
    courses,
    people,
    pyramids,
    submissions,
    imports,
    reviews,
    grades,
    extensions,
    keeping,
    webhooks,
)
for part in PARTS:
    api.add_router("", part.router)
