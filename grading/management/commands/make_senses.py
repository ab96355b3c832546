"""``manage.py make_senses``: a WordNet dictionary to the lexicon of senses that ADW walks in."""

from pathlib import Path

from grading.management.making import MakingCommand
from grading.pyramid.word_senses.dictionary import read_dictionary
from grading.pyramid.word_senses.lexicon import write_lexicon


class Command(MakingCommand):
    help = "Make the lexicon of word senses from a WordNet dictionary."
    out_help = "the lexicon, a .npz file"

    def make(self, source: Path, out: Path) -> None:
        lexicon = read_dictionary(source)
        write_lexicon(lexicon, out)
        self.say(f"{len(lexicon.entries):,} words with {lexicon.size:,} senses in {out}")
