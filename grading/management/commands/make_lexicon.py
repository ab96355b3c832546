"""``manage.py make_lexicon``: a WordNet dictionary to the lexicon of Basic Elements."""

from pathlib import Path

from grading.management.making import MakingCommand
from grading.pyramid.basic_elements.lexicon import read_lexicon, write_lexicon


class Command(MakingCommand):
    help = "Write the synonyms and compounds of WordNet that Basic Elements need."
    out_help = "the lexicon, a .txt.gz file"

    def make(self, source: Path, out: Path) -> None:
        lines = read_lexicon(source)
        write_lexicon(lines, out)
        self.say(f"{len(lines):,} lines in {out}")
