"""``manage.py build_pyramid``: reference summaries to a pyramid in DUCView's format."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from grading.management.files import check_target, read_texts, staged_files
from grading.management.research import ResearchCommand
from grading.pyramid.formats.ducview import write_pyramid
from grading.pyramid.pipeline import build_pyramid
from grading.scoring.engine import load_engine


class Command(ResearchCommand):
    help = "Build a pyramid from a directory of reference summaries (.txt, UTF-8, one a file)."
    out_help = "the pyramid, a .pyr file of DUCView"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("references", type=Path, metavar="REFERENCES_DIR")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> None:
        out: Path = options["out"]
        check_target(out)
        references = read_texts(options["references"])
        self.progress("Loading the language model", 0, 0)
        engine = load_engine(options["method"], options["encoder"])
        pyramid = build_pyramid(references, engine, progress=self.progress)
        with staged_files() as files:
            files.add(out, write_pyramid(pyramid))
