"""Contextual vectors of words: the last hidden states of a sentence encoder in ONNX.

onnxruntime runs the model, all-MiniLM-L6-v2 unless an operator brings another one
(``encoder_files``). A text is read sentence by sentence: what is in one sentence does not change
vectors of another, so that words added elsewhere never take a match away. Sentences with the same
number of pieces are run together, also those of several texts: nothing is filled up, so that what
runs beside a sentence changes nothing of its vectors. A sentence read lately is not read again.

A word's vector is the mean of its pieces' unit vectors, in whole 2048ths: products of such vectors
add up exactly in single precision, in whatever order.
"""

import re
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.encoder_files import EncoderFiles, files_in, packaged_files
from grading.pyramid.encoders.minilm_graph import quick_minilm
from grading.pyramid.encoders.words import Words, sentence_starts, words_of
from grading.pyramid.errors import InputError, ResourceMissingError

Floats = NDArray[np.float32]
Pieces = NDArray[np.int64]

LONGEST = 254  # pieces of a sentence read at once; MiniLM was trained on up to 256
_BEFORE_FIRST = 2  # positions that some models (RoBERTa, MPNet) leave free before the first piece
_SPECIAL_PIECES = (("[CLS]", "[SEP]"), ("<s>", "</s>"))  # where no post-processor names them
_BATCH = 512  # pieces run at a time, of sentences that are shorter: what a processor's cache holds
_THREADS = 1  # of a run: more workers make better use of more processors
_STEPS = 2048  # of a vector's numbers between 0 and 1; half precision has them all
_LENGTH = 1.0007  # before they are rounded: afterwards 1 or more, so that words are like themselves
_TO_HALF = 2.0**-112  # between the exponents of single precision and those of half precision
_HALF = np.dtype("<f2")  # as vectors are kept, on machines of any kind
_PROOF = 4  # bytes
_PIECE = 8  # bytes
SURROGATE = re.compile("[\ud800-\udfff]")
_BESIDES = 100  # texts, beside those of students that shall be remembered
_REMEMBERED = 256  # texts whose words are kept: references, labels, texts at hand; 30 MB at most
_CHARACTERS_TOGETHER = 65_536  # of texts read together; 64 of 150 words, some 20 MB of states
_PIECES_REMEMBERED = 8_192  # of sentences read lately: copied text, second drafts; 12 MB


class OnnxEncoder:
    """Reads texts into words with vectors; making one loads the model (MiniLM's in 0.3 s).

    ``directory`` holds the files of an encoder; without it, it is the packaged MiniLM.
    """

    def __init__(self, remembered: int = 0, directory: Path | None = None) -> None:
        files = files_in(directory) if directory else packaged_files()
        self.name = files.name
        self._declared = files.declared
        self._tokenizer = load_tokenizer(files.tokenizer)
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
        self._sentences: OrderedDict[bytes, Floats] = OrderedDict()  # by their pieces
        self._pieces_remembered = 0

    def read(self, content: str) -> Words:
        """The words of a text; those of the texts read last are remembered."""
        if content not in self._known:
            self._remember(content, *self._read([content]))
        self._known.move_to_end(content)
        return self._known[content]

    def read_ahead(self, contents: Sequence[str]) -> None:
        """Read these texts together, which is quicker; as many as are remembered at once."""
        new = [content for content in dict.fromkeys(contents) if content not in self._known]
        for group in _groups(new[: self._room // 2]):
            for content, words in zip(group, self._read(group), strict=True):
                self._remember(content, words)

    def keep(self, content: str) -> bytes:
        """The vectors of a text, behind a sum that proves them to be its own."""
        kept = self.read(content).vectors.astype(_HALF).tobytes()
        return _proof(content, kept) + kept

    def give_back(self, content: str, kept: bytes | memoryview) -> None:
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

    def _read(self, contents: Sequence[str]) -> list[Words]:
        """The words of texts, with vectors."""
        texts = [self._in_pieces(content) for content in contents]
        sentences = (sentence for text in texts for sentence in text.sentences)
        states = self._states(dict.fromkeys(sentences))
        return [_with_vectors(text, states) for text in texts]

    def _in_pieces(self, content: str) -> "_Pieces":
        words = words_of(content)
        readable = SURROGATE.sub(" ", content)  # half a character, which the tokenizer refuses
        pieces = self._tokenizer.encode(readable, add_special_tokens=False)
        offsets: Pieces = np.array(pieces.offsets, dtype=np.int64).reshape(-1, 2)
        if not len(words.starts) or not len(offsets):
            return _Pieces(words, offsets, [])
        ids = np.array(pieces.ids, dtype=np.int64)
        ranges = _sentences(_boundaries(content, offsets[:, 0]), self._longest)
        return _Pieces(words, offsets, [ids[start:end].tobytes() for start, end in ranges])

    def _states(self, sentences: Iterable[bytes]) -> dict[bytes, Floats]:
        """The unit vectors of the pieces of sentences; what was read lately is not read again."""
        states: dict[bytes, Floats] = {}
        new = []
        for sentence in sentences:
            if sentence in self._sentences:
                self._sentences.move_to_end(sentence)
                states[sentence] = self._sentences[sentence]
            else:
                new.append(sentence)
        for batch in _batches(new):
            rows = self._run([np.frombuffer(sentence, dtype=np.int64) for sentence in batch])
            for sentence, row in zip(batch, _unit_length(rows), strict=True):
                states[sentence] = self._sentences[sentence] = row
                self._pieces_remembered += len(row)
        while self._pieces_remembered > _PIECES_REMEMBERED:
            self._pieces_remembered -= len(self._sentences.popitem(last=False)[1])
        return states

    def _run(self, batch: Sequence[Pieces]) -> Floats:
        """The states of sentences with equally many pieces, from that of their first piece on."""
        ids = np.array([[*self._before, *pieces, *self._after] for pieces in batch], dtype=np.int64)
        values = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        inputs = {name: values[name].astype(kind) for name, kind in self._declared.inputs.items()}
        [states] = self._session.run([self._declared.states], inputs)
        start, length = len(self._before), len(batch[0])
        read: Floats = states[:, start : start + length].astype(np.float32, copy=False)
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
    options.intra_op_num_threads = _THREADS
    model: bytes | str = str(files.model)
    try:
        if files.in_whole_numbers:
            model = quick_minilm(files.model, layers)
            # Its own joining of additions and normalisations takes five times as long as both.
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
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


def _proof(content: str, vectors: bytes | memoryview) -> bytes:
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


def _groups(contents: Iterable[str]) -> Iterator[list[str]]:
    """Texts in their order, of so many characters together that their states find room."""
    group: list[str] = []
    characters = 0
    for content in contents:
        characters += len(content)
        if group and characters > _CHARACTERS_TOGETHER:
            yield group
            group, characters = [], len(content)
        group.append(content)
    if group:
        yield group


def _batches(sentences: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Sentences with equally many pieces, the longest first."""
    by_length: dict[int, list[bytes]] = {}
    for sentence in sorted(sentences):
        by_length.setdefault(len(sentence) // _PIECE, []).append(sentence)
    for length in sorted(by_length, reverse=True):
        most = max(1, _BATCH // length)
        for start in range(0, len(by_length[length]), most):
            yield by_length[length][start : start + most]


@dataclass(frozen=True, eq=False, slots=True)
class _Pieces:
    """A text in word pieces: where each is, and what is in its sentences."""

    words: Words
    offsets: Pieces
    sentences: list[bytes]


def _with_vectors(text: _Pieces, states: Mapping[bytes, Floats]) -> Words:
    if not text.sentences:
        return text.words
    rows = np.concatenate([states[sentence] for sentence in text.sentences])
    return replace(text.words, vectors=_pooled(text.words, text.offsets, rows))


def _pooled(words: Words, offsets: Pieces, states: Floats) -> NDArray[np.float16]:
    """The mean of each word's pieces, scaled to length 1 and rounded to whole steps.

    Where no piece begins in a word (an emoji, or an invisible character, joins it to what stands
    before it), that of the piece around it.
    """
    owners = np.searchsorted(words.starts, offsets[:, 0], side="right") - 1
    inside = (owners >= 0) & (offsets[:, 0] < words.ends[owners]) & (offsets[:, 1] > offsets[:, 0])
    pieces = np.flatnonzero(inside)
    owners = owners[pieces]
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    counts = np.diff(firsts, append=len(owners))
    sums = np.zeros((len(words.starts), states.shape[1]), dtype=np.float32)
    sums[owners[firsts]] = states[pieces[firsts]]
    several = counts > 1  # few words, and adding takes longer than copying
    if several.any():
        parts = states[pieces[np.repeat(several, counts)]]
        starts = np.cumsum(counts[several]) - counts[several]
        sums[owners[firsts[several]]] = np.add.reduceat(parts, starts, axis=0)
    has_pieces = np.zeros(len(sums), dtype=np.bool_)
    has_pieces[owners] = True
    alone = np.flatnonzero(~has_pieces)
    around = np.searchsorted(offsets[:, 0], words.starts[alone], side="right") - 1
    sums[alone] = states[np.maximum(around, 0)]
    return in_steps(_unit_length(sums))


def in_steps(vectors: Floats) -> NDArray[np.float16]:
    """Vectors of length 1 in whole steps."""
    steps: Floats = np.rint(vectors * np.float32(_LENGTH * _STEPS))
    return _halves(steps / np.float32(_STEPS))


def _halves(numbers: Floats) -> NDArray[np.float16]:
    """Numbers that half precision has, converted in a third of the time that numpy takes.

    Made so small that their exponents are those of half precision, they keep all of their bits.
    """
    bits = (numbers * np.float32(_TO_HALF)).view(np.uint32)
    below_zero = (bits >> np.uint32(16)) & np.uint32(0x8000)
    return ((bits >> np.uint32(13)) | below_zero).astype(np.uint16).view(np.float16)


def _unit_length(rows: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.add.reduce(rows * rows, axis=-1, keepdims=True))
    has_length = lengths > 0
    if has_length.all():
        scaled: Floats = rows / lengths
        return scaled
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=has_length)
