"""``manage.py train_wtmf``: a WordNet dictionary to the model of the WTMF encoder."""

from pathlib import Path

from grading.management.making import MakingCommand
from grading.pyramid.encoders.wtmf import write_model
from grading.pyramid.encoders.wtmf_training import DEFAULT_SETTINGS, train
from grading.pyramid.word_senses.dictionary import read_sentences


class Command(MakingCommand):
    help = "Train the model of the WTMF encoder on WordNet's definitions and examples."
    out_help = "the model, a gensim file"

    def make(self, source: Path, out: Path) -> None:
        sentences = read_sentences(source)
        self.say(f"{len(sentences):,} sentences")
        model = train(sentences, progress=self._progress)
        write_model(model, out)
        self.say(f"{len(model.words):,} words: {model.name} in {out}")

    def _progress(self, done: int) -> None:
        turn = f"turn {done + 1} of {DEFAULT_SETTINGS.iterations}"
        self.say(turn)
