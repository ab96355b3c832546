"""Settings to an engine: the configured method with its models, loaded once per process."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from grading.pyramid import registry
from grading.pyramid.formats.learnt_curve_json import curve_from_json
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.pipeline import Engine, make_engine

if TYPE_CHECKING:
    from grading.models import Assignment  # commands for files run without the apps

REMEMBERED = 200  # texts: a class; more would take a worker beyond 0.7 GB where they are long


def load_engine(method_name: str | None = None, encoder_dir: Path | None = None) -> Engine:
    """The engine of this method and encoder, or of the configured ones."""
    name = method_name or settings.PYREVAL_METHOD
    registry.check_encoder(name, encoder_dir)
    return _loaded(name, encoder_dir or settings.PYREVAL_ENCODER_DIR)


def engine_for_assignment(engine: Engine, assignment: "Assignment") -> Engine:
    """With what was set for the assignment: a learnt curve, or from where on a match counts.

    A learnt curve is about the ideas of the newest version (``learnt_curves.py``).
    """
    if assignment.learnt_curve is not None:
        return with_learnt_curve(engine, curve_from_json(assignment.learnt_curve))
    return with_match_probability(engine, assignment.match_probability)


def with_learnt_curve(engine: Engine, curve: LearntCurve) -> Engine:
    """The same models, and readings; another signature."""
    return replace(engine, method=registry.with_learnt_curve(engine.method, curve))


def with_match_probability(engine: Engine, match_probability: float | None) -> Engine:
    """The same models, and readings; another signature."""
    return replace(engine, method=registry.with_match_probability(engine.method, match_probability))


def method_version() -> str:
    """The configured method with its version, as signatures begin: “classroom-2”. Loads nothing."""
    return registry.get_method(settings.PYREVAL_METHOD).config.version


def knows_probabilities() -> bool:
    """Does the configured method know how probable a match is? Loads nothing."""
    return registry.get_method(settings.PYREVAL_METHOD).knows_probabilities


@cache
def _loaded(method_name: str, encoder_dir: Path | None) -> Engine:
    return make_engine(method_name, remembered=REMEMBERED, encoder_dir=encoder_dir)
