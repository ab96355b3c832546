"""Form fields that several topics use."""

from typing import Any

from django import forms

from grading.pyramid.characters import with_one_line_end

LONGEST_REASON = 1_000


MOST_DIGITS = 18  # of numbers that every database can hold


def whole_number(sent: str) -> int | None:
    """A number that somebody sent instead of one of ours; None where it is none of them."""
    return int(sent) if sent.isdecimal() and len(sent) <= MOST_DIGITS else None


def error_of_hidden(form: forms.Form, field: str) -> str:
    """What is wrong with a hidden field, for a message: no page can say it beside the field."""
    return str(form.errors[field].as_text()).removeprefix("* ")


class ReasonField(forms.CharField):
    """Free words with a live count. A line end counts as one character, as in browsers."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_REASON, **kwargs)

    def to_python(self, value: Any) -> str:
        return with_one_line_end(super().to_python(value) or "")

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """No ``maxlength``: a browser would cut what is pasted without a word."""
        attrs: dict[str, Any] = super().widget_attrs(widget)
        attrs.pop("maxlength", None)
        return attrs
