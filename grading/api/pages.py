"""Lists, a page at a time: a cursor says after which row the next page begins."""

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from django.db.models import Model, QuerySet
from ninja import Query

from grading.api.problems import BAD_REQUEST, RefusedError
from grading.web.fields import whole_number

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")

LARGEST_PAGE = 200
USUAL_PAGE = 50

After = Annotated[
    str, Query(max_length=100, description="The cursor: “next” of the previous page.")
]
Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="The most items to return.")]


def page_of_rows(rows: "QuerySet[Row]", after: str, limit: int) -> tuple[list[Row], str | None]:
    """By their numbers, the oldest first."""
    if after:
        mark = whole_number(_mark(after))
        if mark is None:
            raise _unknown_cursor()
        rows = rows.filter(pk__gt=mark)
    page_rows = list(rows.order_by("pk")[: limit + 1])
    return page_rows[:limit], _cursor(str(page_rows[limit - 1].pk)) if len(
        page_rows
    ) > limit else None


def page_of_items(
    items: Sequence[tuple[str, Item]], after: str, limit: int
) -> tuple[list[Item], str | None]:
    """Pairs of a key and an item, by their keys."""
    mark = _mark(after) if after else ""
    later_items = sorted((pair for pair in items if pair[0] > mark), key=lambda pair: pair[0])
    page = later_items[:limit]
    return [item for _, item in page], _cursor(page[-1][0]) if len(later_items) > limit else None


def shown_page(items: Sequence[dict[str, Any]], following: str | None) -> dict[str, Any]:
    return {"items": items, "next": following}


def _cursor(mark: str) -> str:
    return base64.urlsafe_b64encode(f"after {mark}".encode()).decode().rstrip("=")


def _mark(cursor: str) -> str:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True).decode()
    except (UnicodeError, binascii.Error):
        raise _unknown_cursor() from None
    if not text.startswith("after "):
        raise _unknown_cursor()
    return text.removeprefix("after ")


def _unknown_cursor() -> RefusedError:
    return RefusedError(BAD_REQUEST, "This cursor is not valid. Start without one.")
