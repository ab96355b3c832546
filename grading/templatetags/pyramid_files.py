"""The files that a draft or a version can be taken away as, for the menu *Download*."""

from dataclasses import dataclass

from django import template
from django.urls import reverse

from grading.models import Draft, StoredPyramid
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.scoring.conversion import pyramid_from_draft, pyramid_from_row

register = template.Library()


@dataclass(frozen=True, slots=True)
class Download:
    url: str
    ending: str
    title: str
    losses: tuple[str, ...]  # what would not be in the file


@register.simple_tag
def downloads_of(row: Draft | StoredPyramid) -> list[Download]:
    """Every kind of file, with its address and what it cannot keep of this pyramid."""
    if isinstance(row, Draft):
        name, pyramid = "draft_file", pyramid_from_draft(row)
    else:
        name, pyramid = "version_file", pyramid_from_row(row)
    return [
        Download(
            reverse(name, args=[row.pk, ending]), ending, kind.title, tuple(kind.losses(pyramid))
        )
        for ending, kind in FILE_KINDS.items()
    ]
