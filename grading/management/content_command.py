"""What the commands share that take the sister systems too: their files and options."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from grading.management.files import read_pyramid_file, read_text, read_texts
from grading.management.research import ResearchCommand
from grading.pyramid.content import ContentModel, Need, PluggedFile, PlugIn
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
)
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import build_pyramid
from grading.pyramid.registry import CONTENT_METHODS, get_method
from grading.scoring.engine import load_engine

_PLUG_IN_HELP = {
    PlugIn.AMR: "AMR graphs of all sentences, in Penman notation",
    PlugIn.TRIPLES: "extractions from all sentences, as CaRB's TSV",
    PlugIn.EDUS: "elementary discourse units of all texts",
}


class ContentCommand(ResearchCommand):
    """A command for all methods; what a method has no use for is refused."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--source",
            type=Path,
            metavar="FILE",
            help="the text that was summarised, for the methods that need it",
        )
        for plug_in in PlugIn:
            parser.add_argument(
                f"--{plug_in.value}",
                type=Path,
                metavar="FILE",
                help=f"made by a better component: {_PLUG_IN_HELP[plug_in]}",
            )
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="an option of a method, see docs/methods.md; may be given several times",
        )

    def content_engine(self, options: dict[str, Any], **fixed: str) -> ContentEngine | None:
        """The engine of a sister system; None for a method that builds pyramids of ideas.

        ``fixed`` are options that a model of content was made with, and that hold unless others
        are chosen.
        """
        name = options["method"] or settings.PYREVAL_METHOD
        plug_ins = {
            plug_in: PluggedFile(str(path), path.read_bytes())
            for plug_in in PlugIn
            if (path := options[plug_in.value])
        }
        chosen = dict(_name_and_value(one) for one in options["option"])
        if name not in CONTENT_METHODS:
            get_method(name)  # or tell the names
            given = [f"--{one.value}" for one in plug_ins] + ["--option"] * bool(chosen)
            given += ["--source"] * bool(options["source"])
            for one in given:
                raise InputError(f"The method “{name}” has no use for {one}. Leave it out.")
            return None
        if options["encoder"]:
            raise InputError(
                f"The method “{name}” does not compare words in context. Leave out the encoder."
            )
        self.progress("Loading the language model", 0, 0)
        return make_content_engine(name, options=fixed | chosen, plug_ins=plug_ins)

    def content_model(self, path: Path, engine: ContentEngine, source: Path | None) -> ContentModel:
        """The model of a directory of references, or of the references of a .pyr file.

        Where the method needs a pyramid, and there is none, the configured method builds it.
        """
        pyramid = None if path.is_dir() else read_pyramid_file(path)
        references = pyramid.references if pyramid else read_texts(path)
        if pyramid is None and Need.PYRAMID in engine.method.needs:
            pyramid = build_pyramid(references, load_engine(), progress=self.progress)
        return build_content_model(
            references,
            engine,
            source=read_text(source) if source else None,
            pyramid=pyramid,
            progress=self.progress,
        )


def _name_and_value(told: str) -> tuple[str, str]:
    name, sign, value = told.partition("=")
    if not sign:
        raise InputError(f"The option “{told}” is not of the form NAME=VALUE.")
    return name, value
