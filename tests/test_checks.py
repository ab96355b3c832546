"""What is said before anyone is let in: an unknown method, a missing model."""

import pytest
from django.core.checks import CheckMessage, run_checks
from django.test import override_settings

from grading.checks import check_method
from grading.pyramid.encoders import minilm
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.registry import METHODS


def said(method: str) -> list[CheckMessage]:
    with override_settings(PYREVAL_METHOD=method):
        return check_method(None)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_everything_is_there(method: str) -> None:
    assert said(method) == []


def test_an_unknown_method_stops_the_start() -> None:
    [error] = said("rouge9")
    assert error.id == "grading.E001"
    assert error.is_serious()
    assert "“rouge9”" in error.msg
    assert "make setup" in str(error.hint)
    with override_settings(PYREVAL_METHOD="rouge9"):
        assert "grading.E001" in [message.id for message in run_checks()]


def test_a_missing_language_model_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise ResourceMissingError("The language model is not installed.")

    monkeypatch.setattr("grading.checks.installed_model", missing)
    assert [message.id for message in said("pyreval")] == ["grading.E001"]


def test_a_missing_minilm_is_a_warning_only_where_it_would_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(minilm, "is_installed", lambda: False)
    [warning] = said("classroom")
    assert warning.id == "grading.W001"
    assert not warning.is_serious()
    assert "less well" in warning.msg
    assert "make setup" in str(warning.hint)
    assert said("pyreval") == []
