"""What applies to every request to the API: tokens, limits, stamps, repeated requests, errors."""

import hashlib
import re
from collections.abc import Callable

from allauth.core.internal import ratelimit  # the public one leaves GET out
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from grading.access import visiting
from grading.api.actions import token_note_use
from grading.api.problems import (
    BAD_REQUEST,
    CONFLICT,
    FORBIDDEN,
    PROBLEM,
    TOO_LARGE,
    TOO_MANY,
    UNAUTHORISED,
    problem,
)
from grading.models import ApiToken, IdempotentAnswer
from grading.models.api import ANSWERS_KEPT, token_digest
from grading.web.rendering import SignedInRequest

ROOT = "/api/v1/"
OPEN_PATHS = frozenset({f"{ROOT}openapi.json"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
TAKE_FILES = frozenset({"import_files", "fill_file"})  # names of their addresses
A_MINUTE = "60"  # seconds, after which to come again
_KEY = re.compile(r"[\x21-\x7e]{1,200}")

GetResponse = Callable[[HttpRequest], HttpResponse]


class TokenRequest(SignedInRequest):
    """A request that came with a usable token; ``user`` is the token's."""

    api_token: ApiToken


class ApiProblemMiddleware:
    """Every error of the API is problem+json, wherever it comes from."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_error = request.path_info.startswith(ROOT) and response.status_code >= BAD_REQUEST
        if not is_error or response["Content-Type"] == PROBLEM:
            return response
        answer = problem(response.status_code)
        for name in ("Allow", "Retry-After"):
            if name in response:
                answer[name] = response[name]
        return answer


class ApiTokenMiddleware:
    """Requests to the API are the token's owner's, whoever is logged in in the browser.

    The last middleware: what comes before it is about sessions, which the API does not have.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if not path.startswith(ROOT) or path in OPEN_PATHS:
            return self.get_response(request)
        response = self._answer(request)
        if response.status_code == UNAUTHORISED:
            response["WWW-Authenticate"] = "Bearer"
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Authorization"])
        return response

    def _answer(self, request: HttpRequest) -> HttpResponse:
        token = _token_of(request)
        if token is None:
            is_guessing = not _is_within_limit(request, "api_failed")
            return _too_many() if is_guessing else problem(UNAUTHORISED)
        if (refusal := _refusal(request, token)) is not None:
            return refusal
        request.user, request.api_token = token.user, token  # type: ignore[attr-defined]
        token_note_use(token=token)
        with visiting(writes=request.method not in SAFE, course=token.course_id):
            return self._respond(request, token)

    def _respond(self, request: HttpRequest, token: ApiToken) -> HttpResponse:
        if request.method == "POST" and (key := request.headers.get("Idempotency-Key")):
            return self._respond_once(request, token, key)
        # What is read has an ETag, and is not sent again to who has it.
        response = self.get_response(request)
        if request.method != "GET" or response.status_code != 200:
            return response
        if "ETag" not in response:
            response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        return get_conditional_response(request, response["ETag"], None, response) or response

    def _respond_once(self, request: HttpRequest, token: ApiToken, key: str) -> HttpResponse:
        """What is done and the answer to it are saved together: both or neither."""
        if not _KEY.fullmatch(key):
            return problem(BAD_REQUEST, "An Idempotency-Key has 1 to 200 visible ASCII characters.")
        digest = _digest_of(request)
        with transaction.atomic():
            # Another request with this key waits here until the first has its answer.
            oldest = timezone.now() - ANSWERS_KEPT
            IdempotentAnswer.objects.filter(token=token, key=key, created_at__lt=oldest).delete()
            answer, _ = IdempotentAnswer.objects.select_for_update(of=("self",)).get_or_create(
                token=token, key=key, defaults={"request": digest}
            )
            if answer.request != digest:
                return problem(
                    CONFLICT, "This Idempotency-Key was used for another request. Use a new one."
                )
            if answer.status:
                response = HttpResponse(
                    answer.body, status=answer.status, content_type=answer.content_type
                )
                response["Idempotency-Replayed"] = "true"
                return response
            response = self.get_response(request)
            if response.status_code >= 500:
                transaction.set_rollback(True)
            else:
                answer.status = response.status_code
                answer.content_type = response["Content-Type"]
                answer.body = response.content.decode()
                answer.save(update_fields=["status", "content_type", "body"])
        return response


def _digest_of(request: HttpRequest) -> str:
    """The same for the same request. Files may be larger than a request that is held at once."""
    digest = hashlib.sha256(request.get_full_path().encode() + b"\n")
    if not _has_files(request):
        digest.update(request.body)
        return digest.hexdigest()
    fields = sorted((name, request.POST.getlist(name)) for name in request.POST)
    digest.update(repr(fields).encode())
    for name in sorted(request.FILES):
        for file in request.FILES.getlist(name):
            digest.update(repr((name, file.name, file.size)).encode())
            for piece in file.chunks():
                digest.update(piece)
            file.seek(0)
    return digest.hexdigest()


def _has_files(request: HttpRequest) -> bool:
    """Does it send files to one of the addresses that take some?"""
    if request.method != "POST" or request.content_type != "multipart/form-data":
        return False
    try:
        return resolve(request.path_info).url_name in TAKE_FILES
    except Resolver404:
        return False


def _is_within_limit(request: HttpRequest, action: str, *, key: str = "") -> bool:
    """By ACCOUNT_RATE_LIMITS, as log-ins are counted."""
    used = ratelimit.consume(request, app="allauth.account", action=action, key=key, limit_get=True)
    return bool(used)


def _token_of(request: HttpRequest) -> ApiToken | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        return None
    return ApiToken.objects.usable().filter(digest=token_digest(token.strip())).first()


def _refusal(request: HttpRequest, token: ApiToken) -> HttpResponse | None:
    """Why this token may not send this request, whatever it is about."""
    if not _is_within_limit(request, "api", key=f"token {token.pk}"):
        return _too_many()
    size = int(request.META.get("CONTENT_LENGTH") or 0)
    # Files have limits of their own: LargestRequestMiddleware, and the forms.
    if size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE and not _has_files(request):
        return problem(TOO_LARGE, "A request can have at most 2.5 MB. Send it in parts.")
    if request.method not in SAFE and not token.can_write:
        return problem(FORBIDDEN, "This token can only read. Create one that can write.")
    if settings.REQUIRE_SECOND_FACTOR and not is_mfa_enabled(token.user):
        return problem(FORBIDDEN, "Your account needs a second factor first. Log in to set it up.")
    return None


def _too_many() -> HttpResponse:
    response = problem(TOO_MANY)
    response["Retry-After"] = A_MINUTE
    return response
