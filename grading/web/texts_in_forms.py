"""Texts that are pasted or uploaded, and what is refused of them."""

from django import forms
from django.conf import settings

from grading.pyramid.characters import with_one_line_end

LONGEST_TEXT = 60_000  # characters: some 10,000 words, twice what an assignment can ask for


def check_text(text: str, what: str) -> str:
    """The text with line ends made one kind; ValidationError if it cannot be a summary."""
    text = with_one_line_end(text).strip()
    if not text:
        raise forms.ValidationError(f"{what} is empty.")
    if "\x00" in text:
        raise forms.ValidationError(f"{what} is not plain text.")
    if len(text) > LONGEST_TEXT:
        raise forms.ValidationError(
            f"{what} has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed."
        )
    return text


def source_problem(text: str) -> str:
    """Why an assignment can't have this source text; "" where it can."""
    most = settings.SOURCE_TEXT_CHARACTERS
    if len(text) <= most:
        return ""
    return (
        f"The source text has {len(text):,} characters; at most {most:,} can be used. Paste only "
        "the part that students summarise."
    )


class ManyFilesInput(forms.FileInput):
    allow_multiple_selected = True
