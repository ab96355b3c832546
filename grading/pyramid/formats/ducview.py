"""The files of DUCView, the tool in which pyramids are annotated by hand: ``.pyr`` and ``.pan``."""

from grading.pyramid.formats.annotation_file import (
    Annotation,
    Expression,
    annotatable,
    annotation_of,
    read_annotation,
    write_annotation,
)
from grading.pyramid.formats.pyramid_file import read_pyramid, write_pyramid

__all__ = [
    "Annotation",
    "Expression",
    "annotatable",
    "annotation_of",
    "read_annotation",
    "read_pyramid",
    "write_annotation",
    "write_pyramid",
]
