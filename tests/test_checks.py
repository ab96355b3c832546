"""What is said before anyone is let in: an unknown method, a missing model."""

from pathlib import Path

import pytest
from django.core.checks import CheckMessage, run_checks
from django.test import override_settings

from grading.checks import check_encoder, check_method, check_models
from grading.pyramid import model_files
from grading.pyramid.encoders import encoder_files
from grading.pyramid.errors import ResourceMissingError
from grading.pyramid.registry import METHODS
from pyreval_site.celery import refuse_changed_models
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

    monkeypatch.setattr("grading.pyramid.parsing.installed_model", missing)
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


# --- a public server ---

AS_IT_SHOULD_BE = {
    "EMAIL_HOST": "mail.example.org",
    "DEFAULT_FROM_EMAIL": "PyrEval Classroom <classroom@example.org>",
    "ALLOWED_HOSTS": ["classroom.example.org", "localhost"],
    "SESSION_COOKIE_NAME": "__Host-sessionid",
    "CSRF_COOKIE_NAME": "__Host-csrftoken",
    "SESSION_COOKIE_SECURE": True,
    "CSRF_COOKIE_SECURE": True,
}


def deployed(tmp_path: Path, **changed: object) -> set[str | None]:
    """Our own complaints about such a server."""
    tmp_path.chmod(0o700)
    with override_settings(**AS_IT_SHOULD_BE | {"DATA_DIR": tmp_path} | changed):
        said = run_checks(include_deployment_checks=True)
    return {
        message.id for message in said if message.is_serious() and "grading." in str(message.id)
    }


def test_a_public_server_as_it_should_be(tmp_path: Path) -> None:
    assert deployed(tmp_path) == set()
    assert deployed(tmp_path, DATA_DIR=tmp_path / "not-made-yet") == set()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"EMAIL_HOST": ""}, "grading.E010"),
        ({"DEFAULT_FROM_EMAIL": "classroom@localhost"}, "grading.E010"),
        ({"ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"]}, "grading.E011"),
        ({"ALLOWED_HOSTS": ["*", "classroom.example.org"]}, "grading.E011"),
        ({"ALLOWED_HOSTS": []}, "grading.E011"),
        ({"SESSION_COOKIE_SECURE": False}, "grading.E012"),
        ({"CSRF_COOKIE_SECURE": False}, "grading.E012"),
        ({"SESSION_COOKIE_NAME": "sessionid"}, "grading.E012"),
    ],
)
def test_what_a_public_server_lacks_is_said(
    changed: dict[str, object], expected: str, tmp_path: Path
) -> None:
    assert deployed(tmp_path, **changed) == {expected}


def test_a_data_directory_that_others_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o755)

    assert deployed(tmp_path, DATA_DIR=tmp_path / "data") == {"grading.E013"}


# --- the models of other people's packages ---


def _packages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of ours in the place of the real ones; gives its model."""
    package = folder / "made_up_model"
    package.mkdir()
    (package / "__init__.py").write_text('"""A model."""')
    model = package / "model.onnx"
    model.write_bytes(b"weights")
    monkeypatch.syspath_prepend(str(folder))
    known = model_files.ModelPackage("made_up_model", model_files._digest(package, ""))
    monkeypatch.setattr(model_files, "PACKAGES", (known,))
    return model


def test_the_installed_models_are_those_that_were_tested() -> None:
    assert model_files.changed_packages() == []


@pytest.mark.parametrize("change", ["weights", "code", "a new file", "a file less"])
def test_a_changed_model_stops_workers_and_the_deployment_check(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = _packages(tmp_path, monkeypatch)
    assert model_files.changed_packages() == []
    refuse_changed_models()
    (model.parent / "__pycache__").mkdir()
    (model.parent / "__pycache__" / "model.cpython-311.pyc").touch()
    assert model_files.changed_packages() == []

    if change == "weights":
        model.write_bytes(b"other weights")
    elif change == "code":
        (model.parent / "__init__.py").write_text("import os")
    elif change == "a new file":
        (model.parent / "extra.py").touch()
    else:
        model.unlink()

    [error] = check_models(None)
    assert (error.id, error.is_serious()) == ("grading.E003", True)
    assert "made_up_model" in error.msg
    with pytest.raises(SystemExit, match="made_up_model"):
        refuse_changed_models()


def test_a_model_that_is_not_installed_is_no_changed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = model_files.ModelPackage("no_such_package_here", "0" * 64)
    monkeypatch.setattr(model_files, "PACKAGES", (missing,))

    assert model_files.changed_packages() == []
