"""How rare the words of English are: by their stems, as WordNet's glosses use them."""

from collections.abc import Iterable, Mapping
from functools import cache

from grading.pyramid.encoders.words import words_of
from grading.pyramid.encoders.wtmf import MODEL_FILE
from grading.pyramid.encoders.wtmf_file import read_model


@cache
def weights_of_stems() -> Mapping[str, float]:
    """Inverse document frequencies; a stem that is not there is of no word of English, or new."""
    model = read_model(MODEL_FILE)
    weights = model.inverse_document_frequencies.tolist()
    return dict(zip(model.words, weights, strict=True))


def content_stems(contents: Iterable[str]) -> frozenset[str]:
    """Of all words that carry content."""
    stems: set[str] = set()
    for content in contents:
        words = words_of(content)
        pairs = zip(words.stems, words.has_content.tolist(), strict=True)
        stems.update(stem for stem, has_content in pairs if has_content)
    return frozenset(stems)
