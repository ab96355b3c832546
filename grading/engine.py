"""Settings to an engine: the configured method with its models, loaded once per process."""

from functools import cache

from django.conf import settings

from grading.pyramid.pipeline import Engine, make_engine

REMEMBERED = 200  # texts: a class; more would take a worker beyond 0.7 GB where they are long


def load_engine(method_name: str | None = None) -> Engine:
    """The engine of this method, or of the configured one."""
    return _loaded(method_name or settings.PYREVAL_METHOD)


@cache
def _loaded(method_name: str) -> Engine:
    return make_engine(method_name, remembered=REMEMBERED)
