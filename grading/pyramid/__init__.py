"""The pyramid core: pure Python, no Django, no Celery, no environment, no global files.

For other programs, the most important names of its modules are here too, and are imported when they
are first used: docs/library.md has recipes.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grading.pyramid.comparison import compare_pyramids
    from grading.pyramid.content_pipeline import (
        build_content_model,
        make_content_engine,
        score_content,
    )
    from grading.pyramid.correlations import kendall, pearson, spearman, williams
    from grading.pyramid.errors import InputError, PyramidError, ResourceMissingError
    from grading.pyramid.formats.content_json import read_model, write_model
    from grading.pyramid.formats.ducview import (
        annotation_of,
        read_annotation,
        read_pyramid,
        write_annotation,
        write_pyramid,
    )
    from grading.pyramid.formats.pyramid_json import (
        read_pyramid_json,
        report_from_json,
        report_to_json,
        write_pyramid_json,
    )
    from grading.pyramid.pipeline import (
        Engine,
        build_pyramid,
        make_engine,
        score_summaries,
        score_summary,
    )
    from grading.pyramid.registry import CONTENT_METHODS, METHODS
    from grading.pyramid.structures import Contributor, Pyramid, ScoreReport, Scu, Span, Text

__all__ = [
    "CONTENT_METHODS",
    "METHODS",
    "Contributor",
    "Engine",
    "InputError",
    "Pyramid",
    "PyramidError",
    "ResourceMissingError",
    "ScoreReport",
    "Scu",
    "Span",
    "Text",
    "annotation_of",
    "build_content_model",
    "build_pyramid",
    "compare_pyramids",
    "kendall",
    "make_content_engine",
    "make_engine",
    "pearson",
    "read_annotation",
    "read_model",
    "read_pyramid",
    "read_pyramid_json",
    "report_from_json",
    "report_to_json",
    "score_content",
    "score_summaries",
    "score_summary",
    "spearman",
    "williams",
    "write_annotation",
    "write_model",
    "write_pyramid",
    "write_pyramid_json",
]

_MODULES = {
    "comparison": ("compare_pyramids",),
    "content_pipeline": ("build_content_model", "make_content_engine", "score_content"),
    "correlations": ("kendall", "pearson", "spearman", "williams"),
    "errors": ("InputError", "PyramidError", "ResourceMissingError"),
    "formats.content_json": ("read_model", "write_model"),
    "formats.ducview": (
        *("annotation_of", "read_annotation", "read_pyramid", "write_annotation", "write_pyramid"),
    ),
    "formats.pyramid_json": (
        *("read_pyramid_json", "report_from_json", "report_to_json", "write_pyramid_json"),
    ),
    "pipeline": ("Engine", "build_pyramid", "make_engine", "score_summaries", "score_summary"),
    "registry": ("CONTENT_METHODS", "METHODS"),
    "structures": ("Contributor", "Pyramid", "ScoreReport", "Scu", "Span", "Text"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """A name of a module below, imported when it is first used."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
