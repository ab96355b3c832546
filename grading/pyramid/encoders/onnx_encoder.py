"""Contextual vectors of words: the last hidden states of a sentence encoder in ONNX.

onnxruntime runs the model, all-MiniLM-L6-v2 unless an operator brings another one
(``encoder_files``). A text is read sentence by sentence: what is in one sentence does not change
the vectors of another, so that words added elsewhere never take a match away. All sentences of a
text are run together, so that its vectors depend on no other text. A word's vector is the mean of
its pieces' unit vectors, in half precision.
"""

import re
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.encoder_files import EncoderFiles, files_in, packaged_files
from grading.pyramid.encoders.integer_products import with_integer_products
from grading.pyramid.encoders.words import Words, sentence_starts, words_of
from grading.pyramid.errors import InputError, ResourceMissingError

Floats = NDArray[np.float32]
Pieces = NDArray[np.int64]

LONGEST = 254  # pieces of a sentence read at once; MiniLM was trained on up to 256
_BEFORE_FIRST = 2  # positions that some models (RoBERTa, MPNet) leave free before the first piece
_SPECIAL_PIECES = (("[CLS]", "[SEP]"), ("<s>", "</s>"))  # where no post-processor names them
_PADDING_PIECES = ("[PAD]", "<pad>")
_BATCH = 16  # sentences run at a time: bounds the memory that a long text takes
_PADDING = 1.5  # how much longer than its shortest sentence a batch may be: padding is work too
_HALF = np.dtype("<f2")  # as vectors are kept, on machines of any kind
_PROOF = 4  # bytes
SURROGATE = re.compile("[\ud800-\udfff]")
_BESIDES = 100  # texts, beside those of students that shall be remembered
_REMEMBERED = 256  # texts whose words are kept: references, labels, texts at hand; 30 MB at most


class OnnxEncoder:
    """Reads texts into words with vectors; making one loads the model (MiniLM's in 0.3 s).

    ``directory`` holds the files of an encoder; without it, it is the packaged MiniLM.
    """

    def __init__(self, remembered: int = 0, directory: Path | None = None) -> None:
        files = files_in(directory) if directory else packaged_files()
        self.name = files.name
        self._declared = files.declared
        self._tokenizer = load_tokenizer(files.tokenizer)
        self._padding = _padding_piece(self._tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._before, self._after = special_pieces(self._tokenizer, files.tokenizer)
        self._longest = LONGEST
        if positions := files.declared.positions:
            room = positions - _BEFORE_FIRST - len(self._before) - len(self._after)
            self._longest = min(LONGEST, room)
        self._session = load_model(files)
        self._try_out(files)
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
        readable = SURROGATE.sub(" ", content)  # half a character, which the tokenizer refuses
        pieces = self._tokenizer.encode(readable, add_special_tokens=False)
        offsets: Pieces = np.array(pieces.offsets, dtype=np.int64).reshape(-1, 2)
        if not len(words.starts) or not len(offsets):
            return words
        sentences = list(_sentences(_boundaries(content, offsets[:, 0]), self._longest))
        states = self._states(np.array(pieces.ids, dtype=np.int64), sentences)
        return replace(words, vectors=_pooled(words, offsets, states))

    def _states(self, pieces: Pieces, sentences: Sequence[tuple[int, int]]) -> Floats:
        """The unit vectors of all pieces."""
        states = np.zeros((len(pieces), 0), dtype=np.float32)
        for batch in _batches(sentences):
            rows = self._run([pieces[start:end] for start, end in batch])
            if not states.shape[1]:
                states = np.zeros((len(pieces), rows.shape[2]), dtype=np.float32)
            for row, (start, end) in zip(rows, batch, strict=True):
                states[start:end] = row[: end - start]
        return _unit_length(states)

    def _run(self, batch: Sequence[Pieces]) -> Floats:
        """The states of sentences, from that of their first piece on."""
        special = len(self._before) + len(self._after)
        shape = len(batch), max(map(len, batch)) + special
        ids = np.full(shape, self._padding, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        for row, pieces in enumerate(batch):
            ids[row, : len(pieces) + special] = [*self._before, *pieces, *self._after]
            mask[row, : len(pieces) + special] = 1
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        inputs = {name: values[name].astype(kind) for name, kind in self._declared.inputs.items()}
        [states] = self._session.run([self._declared.states], inputs)
        read: Floats = states[:, len(self._before) :].astype(np.float32, copy=False)
        return read

    def _try_out(self, files: EncoderFiles) -> None:
        """Run the last piece of the vocabulary: a smaller model is not this tokenizer's."""
        last = self._tokenizer.get_vocab_size() - 1
        try:
            self._run([np.array([last], dtype=np.int64)])
        except Exception as error:  # onnxruntime's errors have no base of their own
            raise ResourceMissingError(
                f"“{files.model}” does not run on the word pieces of “{files.tokenizer}”. "
                "Take both files from the same encoder."
            ) from error


def load_tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer  # noqa: PLC0415 - web processes must stay small

    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more special
        raise ResourceMissingError(
            f"“{path}” cannot be read as a tokenizer ({error}). "
            "Download it again, from where model.onnx is from."
        ) from error


def load_model(files: EncoderFiles, layers: int | None = None) -> Any:
    """The model, ready to run; of the packaged one a number of its first layers, if asked for."""
    import onnxruntime  # noqa: PLC0415 - web processes must stay small

    options = onnxruntime.SessionOptions()
    # Threads that wait by spinning halve the speed of a machine that others use as well.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        is_rewritten = files.in_whole_numbers
        model = with_integer_products(files.model, layers) if is_rewritten else str(files.model)
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no base of their own
        raise ResourceMissingError(
            f"“{files.model}” cannot be loaded by onnxruntime ({error}). "
            "Download or export it again."
        ) from error


def special_pieces(tokenizer: Any, path: Path) -> tuple[list[int], list[int]]:
    """What goes before and after a sentence, by the tokenizer's post-processor or vocabulary."""
    example = tokenizer.encode("a")
    own = [place for place, special in enumerate(example.special_tokens_mask) if not special]
    if own and len(own) < len(example.ids):
        return example.ids[: own[0]], example.ids[own[-1] + 1 :]
    for names in _SPECIAL_PIECES:
        start, end = map(tokenizer.token_to_id, names)
        if start is not None and end is not None:
            return [start], [end]
    raise ResourceMissingError(
        f"“{path}” names no pieces that begin and end a sentence. Take the tokenizer.json of a "
        "BERT or MPNet encoder."
    )


def _padding_piece(tokenizer: Any) -> int:
    """What fills up shorter sentences; some models tell positions by it."""
    if tokenizer.padding:
        piece: int = tokenizer.padding["pad_id"]
        return piece
    known = (tokenizer.token_to_id(name) for name in _PADDING_PIECES)
    return next((piece for piece in known if piece is not None), 0)


def _proof(content: str, vectors: bytes) -> bytes:
    checksum = zlib.crc32(vectors, zlib.crc32(content.encode(errors="surrogatepass")))
    return checksum.to_bytes(_PROOF, "little")


def _boundaries(content: str, starts: Pieces) -> list[int]:
    """Numbers of the pieces that begin a sentence, and the number of all pieces."""
    firsts = np.searchsorted(starts, sentence_starts(content)).tolist()
    return sorted({*firsts, 0, len(starts)})


def _sentences(boundaries: Sequence[int], longest: int) -> Iterator[tuple[int, int]]:
    """Ranges of pieces, a sentence each; very long ones are cut."""
    for start, end in pairwise(boundaries):
        for at in range(start, end, longest):
            yield at, min(at + longest, end)


def _batches(sentences: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Sentences of about the same length, the longest first."""
    batch: list[tuple[int, int]] = []
    for start, end in sorted(sentences, key=lambda ends: (ends[0] - ends[1], ends)):
        longest = batch[0][1] - batch[0][0] if batch else 0
        if batch and (len(batch) == _BATCH or longest > _PADDING * (end - start)):
            yield batch
            batch = []
        batch.append((start, end))
    if batch:
        yield batch


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
