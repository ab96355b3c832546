"""What MiniLM knows of the tokens of a sentence half-way up: the states of its third layer.

The lower layers of such encoders know more of syntax than the last, which was trained to compare
sentences. Those above are cut off, so that a sentence takes half the time. Each sentence is run
alone: its states depend on nothing else, to the last bit.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.encoders.encoder_files import packaged_files
from grading.pyramid.encoders.onnx_encoder import (
    LONGEST,
    SURROGATE,
    load_model,
    load_tokenizer,
    special_pieces,
)
from grading.pyramid.structures import Token

LAYERS = 3
WIDTH = 384

Floats = NDArray[np.float32]


class MiddleLayer:
    """Reads parsed sentences; making one loads the packaged MiniLM."""

    def __init__(self) -> None:
        files = packaged_files()
        self.name = f"{files.name}-layer-{LAYERS}"
        self._states = files.declared.states
        self._inputs = files.declared.inputs
        self._tokenizer = load_tokenizer(files.tokenizer)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._before, self._after = special_pieces(self._tokenizer, files.tokenizer)
        self._session = load_model(files, LAYERS)

    def read(self, tokens: Sequence[Token]) -> Floats:
        """A row for each token: the mean of its word pieces."""
        first = tokens[0].start
        characters = [" "] * (tokens[-1].end - first)  # what is not in a token is not read
        for token in tokens:
            characters[token.start - first : token.end - first] = token.text
        content = SURROGATE.sub(" ", "".join(characters))
        pieces = self._tokenizer.encode(content, add_special_tokens=False)
        if not pieces.ids:
            return np.zeros((len(tokens), WIDTH), dtype=np.float32)
        parts = range(0, len(pieces.ids), LONGEST)
        states = np.concatenate([self._run(pieces.ids[at : at + LONGEST]) for at in parts])
        starts = [start for start, _ in pieces.offsets]
        begins = np.searchsorted(starts, [token.start - first for token in tokens])
        ends = np.searchsorted(starts, [token.end - first for token in tokens])
        # Where no piece begins in a token, that of the piece around it.
        begins = np.where(ends > begins, begins, np.maximum(begins - 1, 0))
        return np.array(
            [
                states[begin : max(end, begin + 1)].mean(axis=0)
                for begin, end in zip(begins, ends, strict=True)
            ],
            dtype=np.float32,
        )

    def _run(self, pieces: Sequence[int]) -> Floats:
        ids = np.array([[*self._before, *pieces, *self._after]], dtype=np.int64)
        values = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        inputs = {name: values[name].astype(kind) for name, kind in self._inputs.items()}
        [[states]] = self._session.run([self._states], inputs)
        read: Floats = states[len(self._before) : len(self._before) + len(pieces)]
        return read


@cache
def packaged_middle_layer() -> MiddleLayer:
    """The middle layer of the packaged MiniLM, loaded when first needed."""
    return MiddleLayer()
