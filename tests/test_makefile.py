"""`make setup` writes the secret key where the settings look for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# What the tests set, and what a make around them hands down.
OURS = {"SECRET_KEY", "DATA_DIR", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"}


@pytest.fixture
def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in OURS}


def make(folder: Path, target: Path, environment: dict[str, str]) -> None:
    command = ["make", "--silent", "-f", str(ROOT / "Makefile"), str(target)]
    subprocess.run([*command, f"PYTHON={sys.executable}"], cwd=folder, env=environment, check=True)


def start(environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Load the settings, as every command does first."""
    program = "from pyreval_site import settings; print(settings.SECRET_KEY)"
    return subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )


def test_a_start_with_a_data_dir_finds_the_key_that_make_wrote(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["DATA_DIR"] = str(tmp_path / "data")
    key = tmp_path / "data" / "secret_key"
    make(ROOT, key, environment)

    assert len(key.read_text().strip()) > 50
    assert key.stat().st_mode & 0o077 == 0
    assert key.parent.stat().st_mode & 0o077 == 0
    assert start(environment).stdout == key.read_text()


def test_a_data_dir_in_the_env_file_counts_as_well(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / ".env").write_text('LOG_LEVEL=INFO\nDATA_DIR="data"\n')

    make(tmp_path, Path("data/secret_key"), environment)

    assert (tmp_path / "data/secret_key").exists()


def test_without_a_key_the_error_names_the_file_and_what_writes_it(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    environment["DATA_DIR"] = str(tmp_path)

    answer = start(environment)

    assert answer.returncode
    assert f"there is no file {tmp_path / 'secret_key'}" in answer.stderr
    assert "`make setup` with the same DATA_DIR" in answer.stderr


def test_a_data_dir_in_the_home_folder_is_the_same_for_make_and_the_program(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    environment |= {"HOME": str(tmp_path), "DATA_DIR": "~/data"}

    assert f"there is no file {tmp_path / 'data' / 'secret_key'}" in start(environment).stderr
    make(ROOT, tmp_path / "data" / "secret_key", environment)
    assert start(environment).stdout == (tmp_path / "data" / "secret_key").read_text()
