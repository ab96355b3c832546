"""Directories of texts to read, and files that appear whole or not at all."""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grading.pyramid.errors import InputError
from grading.pyramid.formats.ducview import read_pyramid
from grading.pyramid.structures import Pyramid, Text

# Line breaks and bytes that are no UTF-8, which Python shows as lone surrogates.
_UNUSABLE_IN_NAMES = re.compile("[\0-\x1f\x7f\ud800-\udfff]")


def read_texts(directory: Path) -> list[Text]:
    """The ``.txt`` files of a directory by name, each named as its file without the ending."""
    if not directory.is_dir():
        raise InputError(f"There is no directory “{directory}”.")
    paths = sorted(path for path in directory.glob("*.txt") if _is_text(path))
    if not paths:
        raise InputError(f"The directory “{directory}” holds no .txt file.")
    return [Text(path.name.removesuffix(".txt"), _read(path)) for path in paths]


def read_text(path: Path) -> Text:
    """One text, named as its file without the ending."""
    if not path.is_file():
        raise InputError(f"There is no file “{path}”.")
    return Text(path.name.removesuffix(".txt"), _read(path))


def read_pyramid_file(path: Path) -> Pyramid:
    """The pyramid in a ``.pyr`` file; InputError that names the file where it cannot be read."""
    if path.exists() and not path.is_file():
        raise InputError(f"“{path}” is not a file.")
    data = path.read_bytes()
    try:
        return read_pyramid(data)
    except InputError as error:
        raise InputError(f"“{path}”: {error}") from error


def check_target(path: Path) -> None:
    """Whether a file can be written there, as far as can be known without writing it."""
    if not path.parent.is_dir():
        raise InputError(f"There is no directory “{path.parent}” to write “{path.name}” to.")
    if path.is_dir():
        raise InputError(f"“{path}” is a directory. Give the name of a file.")
    if path.exists() and not path.is_file():
        raise InputError(f"“{path}” is a device or a pipe. Give the name of a file.")


class StagedFiles:
    """Files that are written beside their places, and put there together at the end."""

    def __init__(self) -> None:
        self._staged: dict[Path, Path] = {}

    def add(self, target: Path, content: str) -> None:
        check_target(target)
        target = target.resolve()  # what a link leads to is replaced, not the link
        staged = target.with_name(f".{secrets.token_hex(8)}.tmp")
        self._staged[target] = staged
        with staged.open("x", encoding="utf-8", newline="") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def put_in_place(self) -> None:
        for target in list(self._staged):
            self._staged[target].replace(target)
            del self._staged[target]

    def discard(self) -> None:
        for staged in self._staged.values():
            staged.unlink(missing_ok=True)


@contextmanager
def staged_files() -> Iterator[StagedFiles]:
    """Put all files in place when the block ends well; leave nothing behind when it does not."""
    files = StagedFiles()
    try:
        yield files
        files.put_in_place()
    finally:
        files.discard()


@contextmanager
def made_directory(path: Path) -> Iterator[None]:
    """A directory that exists during the block, and afterwards if the block ends well."""
    is_new = not path.exists()
    if is_new:
        path.mkdir()
    elif not path.is_dir():
        raise InputError(f"“{path}” is a file. Give the name of a directory.")
    try:
        yield
    except BaseException:
        if is_new:
            with suppress(OSError):
                path.rmdir()
        raise


def _is_text(path: Path) -> bool:
    """Not a hidden file, such as macOS leaves beside a real one on a foreign disk."""
    return path.is_file() and not path.name.startswith(".")


def _read(path: Path) -> str:
    if _UNUSABLE_IN_NAMES.search(path.name):
        raise InputError(f"The name of the file {path.name!a} cannot be used.")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"“{path}” is not UTF-8 text (at byte {error.start}).") from error
