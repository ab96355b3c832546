"""``manage.py build_pyramid``: references to a pyramid (DUCView's format) or model of content."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from grading.management.content_command import ContentCommand
from grading.management.files import check_target, read_texts, staged_files
from grading.pyramid.formats.content_json import write_model
from grading.pyramid.formats.ducview import write_pyramid
from grading.pyramid.pipeline import build_pyramid
from grading.scoring.engine import load_engine


class Command(ContentCommand):
    help = "Build a pyramid from a directory of reference summaries (.txt, UTF-8, one a file)."
    out_help = "the pyramid, a .pyr file of DUCView; of a sister system its model, a .json file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("references", type=Path, metavar="REFERENCES_DIR")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> None:
        out: Path = options["out"]
        check_target(out)
        engine = self.content_engine(options)
        if engine:
            model = self.content_model(options["references"], engine, options["source"])
            written = write_model(model)
        else:
            written = self._pyramid(options)
        with staged_files() as files:
            files.add(out, written)

    def _pyramid(self, options: dict[str, Any]) -> str:
        references = read_texts(options["references"])
        self.progress("Loading the language model", 0, 0)
        engine = load_engine(options["method"], options["encoder"])
        return write_pyramid(build_pyramid(references, engine, progress=self.progress))
