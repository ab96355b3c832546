"""A pyramid as a file of JSON: everything that we keep of it, and back without loss."""

import json
import re
from collections.abc import Iterator
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import pyramid_from_json, pyramid_to_json
from grading.pyramid.structures import Pyramid

_LONGEST_SIGNATURE: Final = 100  # that a published version keeps
# What no database keeps: the character 0, and halves of characters.
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def write_pyramid_json(pyramid: Pyramid) -> str:
    """The file, to be stored as UTF-8."""
    return json.dumps(pyramid_to_json(pyramid), ensure_ascii=False, indent=1) + "\n"


def read_pyramid_json(text: str) -> Pyramid:
    """The pyramid in the file; InputError names the line, or the place in the object."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"Line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})."
        ) from None
    except (RecursionError, ValueError):
        raise InputError("Line 1: the file is nested too deep or has too long a number.") from None
    pyramid = pyramid_from_json(value)
    if len(pyramid.signature) > _LONGEST_SIGNATURE:
        raise InputError(f"pyramid.signature: it has more than {_LONGEST_SIGNATURE} characters.")
    for place, words in _texts(pyramid):
        if _UNSTORABLE.search(words):
            raise InputError(f"{place}: here is something that is not plain text.")
    return pyramid


def _texts(pyramid: Pyramid) -> Iterator[tuple[str, str]]:
    """Every text with its place in the file."""
    for number, text in enumerate(pyramid.references):
        yield f"pyramid.references[{number}].name", text.name
        yield f"pyramid.references[{number}].content", text.content
    for number, scu in enumerate(pyramid.scus):
        yield f"pyramid.scus[{number}].label", scu.label
        yield f"pyramid.scus[{number}].comment", scu.comment
        for position, contributor in enumerate(scu.contributors):
            yield f"pyramid.scus[{number}].contributors[{position}].comment", contributor.comment
    yield "pyramid.signature", pyramid.signature
    for number, note in enumerate(pyramid.notes):
        yield f"pyramid.notes[{number}]", note
