"""``manage.py train_order``: a WordNet dictionary to the counts that the order of words needs."""

from pathlib import Path

from grading.management.making import MakingCommand
from grading.pyramid.order.counts import count_trigrams, write_counts
from grading.pyramid.order.held_words import words_of
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.structures import Text
from grading.pyramid.word_senses.dictionary import read_examples

LEAST_WORDS = 5  # shorter examples are phrases


class Command(MakingCommand):
    help = "Count which words follow each other in WordNet's example sentences."
    out_help = "the counts, a text file"

    def make(self, source: Path, out: Path) -> None:
        examples = sorted({_as_sentence(example) for example in read_examples(source)})
        texts = [Text("", example) for example in examples if len(example.split()) >= LEAST_WORDS]
        self.say(f"{len(texts):,} sentences")
        parsed = SpacyParser().parse(texts)
        counts = count_trigrams(
            words_of(sentence.tokens) for text in parsed for sentence in text.sentences
        )
        write_counts(counts, out)
        self.say(f"{len(counts):,} trigrams in {out}")


def _as_sentence(example: str) -> str:
    """With a capital and a final stop, which most examples lack and most sentences have."""
    words = " ".join(example.split())
    stop = "" if words.endswith((".", "!", "?")) else "."
    return words[:1].upper() + words[1:].rstrip(",;:") + stop
