"""System checks: what must be there before anyone is let in.

Every process imports this module, so a check imports what it looks at when it runs.
"""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as CheckWarning

from grading.pyramid.errors import PyramidError


@register()
def check_method(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """The configured method exists, and the language model is installed."""
    from grading.pyramid.encoders import encoder_files  # noqa: PLC0415
    from grading.pyramid.parsing import installed_model  # noqa: PLC0415
    from grading.pyramid.registry import DEFAULT_METHOD, get_method  # noqa: PLC0415

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
    from grading.pyramid.encoders import encoder_files  # noqa: PLC0415

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


@register(deploy=True)
def check_models(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """The models of other people's packages are those that were tested. Workers look as well."""
    from grading.pyramid.model_files import changed_packages  # noqa: PLC0415

    del app_configs, kwargs
    hint = "Install the packages again: pip install --require-hashes -r requirements.txt."
    return [Error(message, hint=hint, id="grading.E003") for message in changed_packages()]


# --- a public server (check --deploy) ---

_OF_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "[::1]"})


@register(deploy=True)
def check_outgoing_mail(
    app_configs: Sequence[AppConfig] | None, **kwargs: object
) -> list[CheckMessage]:
    """Mail goes out, from an address that somebody can answer to."""
    del app_configs, kwargs
    if settings.EMAIL_HOST and "@localhost" not in settings.DEFAULT_FROM_EMAIL:
        return []
    return [
        Error(
            "No e-mail is sent: people can't reset their password.",
            hint="Set EMAIL_HOST and DEFAULT_FROM_EMAIL.",
            id="grading.E010",
        )
    ]


@register(deploy=True)
def check_host_names(
    app_configs: Sequence[AppConfig] | None, **kwargs: object
) -> list[CheckMessage]:
    """The site has a name of its own, and answers to no other."""
    del app_configs, kwargs
    names = set(settings.ALLOWED_HOSTS)
    if names - _OF_THIS_MACHINE and "*" not in names:
        return []
    return [
        Error(
            f"The site answers to {', '.join(sorted(names)) or 'no name'}.",
            hint="Set ALLOWED_HOSTS to the host name of the site, such as classroom.example.org.",
            id="grading.E011",
        )
    ]


@register(deploy=True)
def check_cookies(app_configs: Sequence[AppConfig] | None, **kwargs: object) -> list[CheckMessage]:
    """Cookies travel over HTTPS only, and belong to this host alone."""
    del app_configs, kwargs
    of_this_host = all(
        name.startswith("__Host-")
        for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
    )
    if of_this_host and settings.SESSION_COOKIE_SECURE and settings.CSRF_COOKIE_SECURE:
        return []
    return [
        Error(
            "Cookies are sent over plain HTTP.",
            hint="Unset LOCAL_HTTP and DEBUG.",
            id="grading.E012",
        )
    ]


@register(deploy=True)
def check_private_data(
    app_configs: Sequence[AppConfig] | None, **kwargs: object
) -> list[CheckMessage]:
    """No other account of the machine reads the data directory."""
    del app_configs, kwargs
    try:
        mode = settings.DATA_DIR.stat().st_mode
    except FileNotFoundError:
        return []  # made with the right mode
    if not mode & 0o077:
        return []
    return [
        Error(
            f"Other accounts of this machine can read {settings.DATA_DIR}.",
            hint=f"Run: chmod 700 {settings.DATA_DIR}",
            id="grading.E013",
        )
    ]
