"""Settings to an engine: the configured method with its models, loaded once per process."""

from dataclasses import replace
from functools import cache

from django.conf import settings

from grading.models import Assignment
from grading.pyramid.pipeline import Engine, make_engine
from grading.pyramid.registry import get_method, with_cut

REMEMBERED = 200  # texts: a class; more would take a worker beyond 0.7 GB where they are long


def load_engine(method_name: str | None = None) -> Engine:
    """The engine of this method, or of the configured one."""
    return _loaded(method_name or settings.PYREVAL_METHOD)


def tuned(engine: Engine, assignment: Assignment) -> Engine:
    """With what was set for the assignment: from which probability on a match counts."""
    return with_threshold(engine, assignment.match_probability)


def with_threshold(engine: Engine, match_probability: float | None) -> Engine:
    """The same models, and readings; another signature."""
    return replace(engine, method=with_cut(engine.method, match_probability))


def knows_probabilities() -> bool:
    """Does the configured method know how probable a match is? Loads nothing."""
    return get_method(settings.PYREVAL_METHOD).knows_probabilities


@cache
def _loaded(method_name: str) -> Engine:
    return make_engine(method_name, remembered=REMEMBERED)
