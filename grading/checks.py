"""System checks: what must be there before anyone is let in."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as CheckWarning

from grading.pyramid.encoders import encoder_files
from grading.pyramid.errors import PyramidError
from grading.pyramid.parsing import installed_model
from grading.pyramid.registry import DEFAULT_METHOD, get_method


@register()
def check_method(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """The configured method exists, and the language model is installed."""
    del app_configs, kwargs
    try:
        get_method(settings.PYREVAL_METHOD)
        installed_model()
    except PyramidError as error:
        return [Error(str(error), hint="Run `make setup`.", id="grading.E001")]
    is_needed = settings.PYREVAL_METHOD == DEFAULT_METHOD and not settings.PYREVAL_ENCODER_DIR
    if is_needed and not encoder_files.is_installed():
        return [
            CheckWarning(
                "The model that compares words in context is not installed: matches are found "
                "less well, by their stems alone.",
                hint="Run `make setup`.",
                id="grading.W001",
            )
        ]
    return []


@register()
def check_encoder(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """The operator's encoder is complete; only workers load it."""
    del app_configs, kwargs
    directory = settings.PYREVAL_ENCODER_DIR
    if directory is None:
        return []
    try:
        encoder_files.check_directory(directory)
    except PyramidError as error:
        return [
            Error(
                f"PYREVAL_ENCODER_DIR: {error}",
                hint="docs/operations.md says what belongs there. Unset it to use MiniLM.",
                id="grading.E002",
            )
        ]
    return []
