"""A curve learnt from people's marks as JSON: in the database, and in files of ``calibrate``."""

import json
from typing import Final

from grading.pyramid.errors import InputError
from grading.pyramid.formats.pyramid_json import Json, JsonValue
from grading.pyramid.learnt_curve import LearntCurve

CURVE_FORMAT: Final = 1


def curve_to_json(curve: LearntCurve) -> Json:
    return {
        "format": CURVE_FORMAT,
        "slope": curve.slope,
        "shift": curve.shift,
        "ideas": [{"uid": uid, "shift": shift} for uid, shift in curve.idea_shifts],
        "cut": curve.cut,
    }


def curve_from_json(value: object) -> LearntCurve:
    """The curve in what ``json.loads`` made; InputError where it is malformed."""
    document = JsonValue(value, "curve")
    document.expect_format(CURVE_FORMAT)
    shifts = [
        (idea.at("uid").integer(), idea.at("shift").number()) for idea in document.at("ideas")
    ]
    return LearntCurve(
        document.at("slope").number(),
        document.at("shift").number(),
        tuple(shifts),
        document.at("cut").number(),
    )


def write_curve(curve: LearntCurve, *, signature: str, pyramid: str, texts: int) -> str:
    """A file of ``calibrate``, with what the curve was learnt with and is good for.

    ``signature`` is that of the method without the curve, ``pyramid`` a content hash.
    """
    content = {"signature": signature, "pyramid": pyramid, "texts": texts, **curve_to_json(curve)}
    return json.dumps(content, indent=1) + "\n"


def read_curve(data: bytes, *, signature: str, pyramid: str) -> LearntCurve:
    """The curve of a file; InputError where it was learnt with something else, or is damaged."""
    try:
        content = json.loads(data)
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8 text.") from error
    except json.JSONDecodeError as error:
        raise InputError(f"Line {error.lineno}: this is not JSON ({error.msg}).") from error
    except (ValueError, RecursionError) as error:  # numbers too long, lists nested too deep
        raise InputError("the file is too long or too deep to be a curve.") from error
    document = JsonValue(content, "curve")
    if document.at("signature").text() != signature:
        raise InputError(
            f"it was learnt with {document.at('signature').text()}, and {signature} scores here. "
            "Calibrate again with this method."
        )
    if document.at("pyramid").text() != pyramid:
        raise InputError("it was learnt with another pyramid. Calibrate again with this one.")
    return curve_from_json(content)
