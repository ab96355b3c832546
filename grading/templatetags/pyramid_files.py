"""For pages about pyramids: the files of the menu *Download*, names, and changed words."""

from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grading.models import Draft, StoredPyramid
from grading.pyramid.comparison import WordChange, WordPiece
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


@register.filter
def isolated_names(names: Iterable[str], quotes: str = "") -> SafeString:
    """Names in a row; each is isolated, since it may be written from right to left."""
    form = "“<bdi>{}</bdi>”" if quotes else "<bdi>{}</bdi>"
    return format_html_join(", ", form, ((name,) for name in names))


@register.filter
def marked_changes(pieces: Iterable[WordPiece]) -> SafeString:
    """The words of two versions in a row, with marks on what was added and removed."""
    forms = {WordChange.ADDED: "<ins>{}</ins>", WordChange.REMOVED: "<del>{}</del>"}
    words = [format_html(forms.get(piece.change, "{}"), piece.words) for piece in pieces]
    return format_html_join(" ", "{}", ((html,) for html in words))


@register.simple_tag
def weight_badge(weight: int, style: int, *, by_hand: bool = False) -> SafeString:
    """A weight as a badge; ``style`` is the band of ``grading.web.ideas.band_of``."""
    html = (
        '<span class="weight weight-band-{}"{}>'
        '<span class="visually-hidden">weight </span>{}{}</span>'
    )
    if not by_hand:
        return format_html(html, style, "", weight, "")
    title = format_html(' title="{}"', "Set manually")
    hand = format_html(
        '<span aria-hidden="true">✎</span><span class="visually-hidden">{}</span>', " set manually"
    )
    return format_html(html, style, title, weight, hand)
