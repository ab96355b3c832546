"""Errors of the API as problem+json (RFC 9457), in the words of the pages."""

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from grading.pyramid.errors import InputError, PyramidError

logger = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
BAD_REQUEST, UNAUTHORISED, FORBIDDEN, NOT_FOUND = 400, 401, 403, 404
CONFLICT, STALE, TOO_LARGE, UNPROCESSABLE = 409, 412, 413, 422
STAMP_NEEDED, TOO_MANY, UNAVAILABLE = 428, 429, 503

SENTENCES = {
    BAD_REQUEST: "The request could not be understood.",
    UNAUTHORISED: "Send an API token: “Authorization: Bearer …”.",
    FORBIDDEN: "You are not allowed to do this.",
    NOT_FOUND: "There is nothing at this address.",
    405: "This address does not support this method.",
    TOO_LARGE: "This is too large.",
    415: "Send it as UTF-8.",
    TOO_MANY: "Too many requests. Wait a minute, then try again.",
    500: "Something went wrong on our side. Try again later.",
    UNAVAILABLE: "The server can't do this right now. Try again in a minute.",
}
_UNUSABLE = "Some fields cannot be used."

Errors = Sequence[Mapping[str, str]]
Form = TypeVar("Form", bound=BaseForm)


class RefusedError(Exception):
    """An answer that is an error, from anywhere in an endpoint."""

    def __init__(self, status: int, sentence: str, errors: Errors = ()) -> None:
        super().__init__(sentence)
        self.status = status
        self.errors = errors


def problem(status: int, sentence: str = "", errors: Errors = ()) -> HttpResponse:
    """``errors`` say which field is wrong, where fields are."""
    document: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": sentence or SENTENCES.get(status, HTTPStatus(status).phrase),
    }
    if errors:
        document["errors"] = list(errors)
    content = json.dumps(document, ensure_ascii=False)
    return HttpResponse(content, status=status, content_type=PROBLEM)


def check_form(form: Form) -> Form:
    """The form of a page, where it is valid; errors are worded as on the page."""
    if form.is_valid():
        return form
    errors = [
        {"field": "" if name == "__all__" else name, "message": str(message)}
        for name, messages in form.errors.items()
        for message in messages
    ]
    raise RefusedError(UNPROCESSABLE, errors[0]["message"] if errors else _UNUSABLE, errors)


def handle_errors(api: NinjaAPI) -> None:
    """Any other error is Django's to log; ApiProblemMiddleware then gives it this form."""
    handlers = {
        Http404: lambda error: problem(NOT_FOUND, str(error)),
        PermissionDenied: lambda error: problem(FORBIDDEN, str(error)),
        RefusedError: lambda error: problem(error.status, str(error), error.errors),
        InputError: lambda error: problem(UNPROCESSABLE, str(error)),
        PyramidError: _unavailable,
        ValidationError: lambda error: problem(UNPROCESSABLE, _UNUSABLE, _fields(error)),
        HttpError: lambda error: problem(error.status_code),
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, _handler(handler))


def _handler(handler: Any) -> Any:
    def handle(request: HttpRequest, error: Exception) -> HttpResponse:
        del request
        response: HttpResponse = handler(error)
        return response

    return handle


def _unavailable(error: PyramidError) -> HttpResponse:
    logger.error("API: %s", error)
    return problem(UNAVAILABLE, str(error))


def _fields(error: ValidationError) -> Errors:
    """Pydantic's errors without what was sent, which may be a student's text."""
    return [
        {
            "field": ".".join(str(part) for part in row["loc"][1:] if part != "payload"),
            "message": str(row["msg"]),
        }
        for row in error.errors
    ]
