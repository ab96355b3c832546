"""What is said before anyone is let in: an unknown method, a missing model."""

from pathlib import Path

import pytest
from django.core.checks import CheckMessage, run_checks
from django.test import override_settings

from grading.checks import check_encoder, check_method
from grading.pyramid.encoders import encoder_files
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.registry import METHODS
from tests.tiny_encoder import write_encoder


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
    monkeypatch.setattr(encoder_files, "is_installed", lambda: False)
    [warning] = said("classroom")
    assert warning.id == "grading.W001"
    assert not warning.is_serious()
    assert "less well" in warning.msg
    assert "make setup" in str(warning.hint)
    assert said("pyreval") == []


def test_with_an_encoder_of_its_own_a_site_needs_no_minilm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(encoder_files, "is_installed", lambda: False)
    with override_settings(PYREVAL_ENCODER_DIR=write_encoder(tmp_path)):
        assert said("classroom") == check_encoder(None) == []


def test_without_an_encoder_of_its_own_there_is_nothing_to_check() -> None:
    assert check_encoder(None) == []


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "the directory"])
def test_an_incomplete_encoder_stops_the_start(missing: str, tmp_path: Path) -> None:
    directory = write_encoder(tmp_path / "encoder")
    if missing == "the directory":
        directory = tmp_path / "elsewhere"
    else:
        (directory / missing).unlink()
    with override_settings(PYREVAL_ENCODER_DIR=directory):
        [error] = check_encoder(None)
        assert "grading.E002" in [message.id for message in run_checks()]
    assert error.is_serious()
    assert str(directory) in error.msg
    assert missing.removeprefix("the ") in error.msg
    assert error.msg.startswith("PYREVAL_ENCODER_DIR: ")
    assert "docs/operations.md" in str(error.hint)


def test_a_damaged_encoder_stops_the_start(tmp_path: Path) -> None:
    directory = write_encoder(tmp_path / "encoder")
    (directory / "model.onnx").write_bytes(b"version https://git-lfs.github.com/spec/v1")
    with override_settings(PYREVAL_ENCODER_DIR=directory):
        [error] = check_encoder(None)
    assert "model.onnx” is not a complete ONNX model" in error.msg
