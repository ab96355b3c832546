"""The units of a method in texts, a line of JSON for each text."""

import json
from argparse import ArgumentParser
from pathlib import Path

from grading.pyramid.cli.files import read_texts, staged_files
from grading.pyramid.cli.tasks import ContentTask, Options, check_out
from grading.pyramid.content_pipeline import ReadUnits, clause_reader, units_of
from grading.pyramid.formats.content_json import units_to_json
from grading.pyramid.parsing import SpacyParser
from grading.pyramid.registry import get_method


class UnitsTask(ContentTask):
    help = "Cut a directory of texts (.txt, UTF-8, one a file) into the units of a method."
    example = "pyreval units summaries --method be-hm --out units.jsonl"
    out_help = "the units, a .jsonl file with one line a text"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("texts", type=Path, metavar="TEXTS_DIR")
        super().add_arguments(parser)
        parser.add_argument(
            "--tokenised",
            action="store_true",
            help=(
                "each line of a text is one sentence, its words separated by single spaces; both "
                "are kept as they are"
            ),
        )

    def run(self, options: Options) -> str:
        check_out(options)
        texts = read_texts(options["texts"])
        engine = self.content_engine(options)
        read: ReadUnits
        if engine:
            read = engine.measure.read_units
        else:
            read = clause_reader(get_method(options["method"] or self.host.default_method))
        parser = SpacyParser()
        parse = parser.parse_tokenised if options["tokenised"] else parser.parse
        lines = []
        for done, text in enumerate(texts):
            self.host.progress("Reading the texts", done, len(texts))
            [parsed] = parse([text])
            units = units_to_json(units_of(parsed, read))
            lines.append(json.dumps(units) + "\n")  # in ASCII: no line break within a line
        with staged_files() as files:
            files.add(options["out"], "".join(lines))
        return ""
