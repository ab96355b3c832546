"""If-Match: nothing is changed where it is no longer what the program has read."""

from typing import Annotated

from django.http.response import HttpResponseBase
from ninja import Header

from grading.api.problems import STALE, STAMP_NEEDED, RefusedError

IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", max_length=200, description="The ETag of what you have read."),
]


def stamp_sent(if_match: str | None) -> str:
    if not if_match:
        raise RefusedError(STAMP_NEEDED, "Send the ETag of what you have read as If-Match.")
    return if_match.strip().removeprefix("W/").strip('"')


def put_stamp(response: HttpResponseBase, stamp: str) -> None:
    response["ETag"] = f'"{stamp}"'


def stale() -> RefusedError:
    return RefusedError(
        STALE, "Nothing was changed, because somebody else changed it first. Read it again."
    )
