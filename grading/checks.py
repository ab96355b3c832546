"""System checks: what must be there before anyone is let in."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from grading.pyramid.errors import PyramidError
from grading.pyramid.parsing import installed_model
from grading.pyramid.registry import get_method


@register()
def check_method(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """The configured method exists, and the language model is installed."""
    del app_configs, kwargs
    try:
        get_method(settings.PYREVAL_METHOD)
        installed_model()
    except PyramidError as error:
        return [Error(str(error), hint="Run `make setup`.", id="grading.E001")]
    return []
