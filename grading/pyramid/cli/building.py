"""References to a pyramid (DUCView's format), or to a sister system's model of content."""

from argparse import ArgumentParser
from pathlib import Path

from grading.pyramid.cli.files import read_texts, staged_files
from grading.pyramid.cli.tasks import ContentTask, Options, check_out
from grading.pyramid.formats.content_json import write_model
from grading.pyramid.formats.ducview import write_pyramid
from grading.pyramid.pipeline import build_pyramid


class BuildTask(ContentTask):
    help = "Build a pyramid from a directory of reference summaries (.txt, UTF-8, one a file)."
    example = "pyreval build references --out cities.pyr"
    out_help = "the pyramid, a .pyr file of DUCView; of a sister system its model, a .json file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("references", type=Path, metavar="REFERENCES_DIR")
        super().add_arguments(parser)

    def run(self, options: Options) -> str:
        check_out(options)
        content_engine = self.content_engine(options)
        if content_engine:
            model = self.content_model(options["references"], content_engine, options["source"])
            written = write_model(model)
        else:
            references = read_texts(options["references"])
            engine = self.engine(options)
            written = write_pyramid(build_pyramid(references, engine, progress=self.host.progress))
        with staged_files() as files:
            files.add(options["out"], written)
        return ""
