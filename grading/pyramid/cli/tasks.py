"""What all tasks share: the program that runs them, their options, and the files that they read.

`pyreval` (``main.py``) and the commands of `manage.py` run the same tasks.
"""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, ClassVar, Protocol

from grading.pyramid.cli.files import (
    check_target,
    read_pyramid_file,
    read_text,
    read_texts,
    staged_files,
)
from grading.pyramid.cli.tables import Format, Table
from grading.pyramid.content import ContentModel, Need, PluggedFile, PlugIn
from grading.pyramid.content_pipeline import (
    ContentEngine,
    build_content_model,
    make_content_engine,
)
from grading.pyramid.errors import InputError
from grading.pyramid.formats.content_json import read_model
from grading.pyramid.pipeline import Engine, build_pyramid
from grading.pyramid.registry import CONTENT_METHODS, METHODS, get_method

Options = dict[str, Any]  # as argparse read them

_OF_PYRAMIDS = ("pan_dir", "calibration", "match_threshold")  # options of no use to other methods
CLEAR_LINE = "\r\x1b[K"

_PLUG_IN_HELP = {
    PlugIn.AMR: "AMR graphs of all sentences, in Penman notation",
    PlugIn.TRIPLES: "extractions from all sentences, as CaRB's TSV",
    PlugIn.EDUS: "elementary discourse units of all texts",
}


class Host(Protocol):
    """The program that runs a task."""

    @property
    def default_method(self) -> str:
        """The method where none is chosen."""

    def load_engine(self, method_name: str | None, encoder_dir: Path | None) -> Engine:
        """The engine of this method and encoder, or of the default ones."""

    def progress(self, text: str, done: int, total: int) -> None:
        """Show what is being done, on a terminal."""


class Task(ABC):
    """Reads files and writes files. What is wrong with them raises an error that says so."""

    help: ClassVar[str]
    example: ClassVar[str]  # a line to type
    out_help: ClassVar[str]
    makes_table: ClassVar[bool] = False  # to be printed, or written in one of three formats

    def __init__(self, host: Host) -> None:
        self.host = host

    @abstractmethod
    def add_arguments(self, parser: ArgumentParser) -> None:
        """All but --out and --format."""

    @abstractmethod
    def run(self, options: Options) -> str:
        """Write the files that are asked for, and return what to print."""


class MethodTask(Task):
    """A task with a method."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join((*METHODS, *CONTENT_METHODS))
        parser.add_argument(
            "--method",
            metavar="NAME",
            help=f"one of {names}; by default {self.host.default_method}",
        )
        parser.add_argument(
            "--encoder",
            type=Path,
            metavar="DIR",
            help=(
                "a directory with model.onnx and tokenizer.json; by default that of the "
                "settings, or MiniLM"
            ),
        )

    def engine(self, options: Options) -> Engine:
        self.host.progress("Loading the language model", 0, 0)
        return self.host.load_engine(options["method"], options["encoder"])


class ContentTask(MethodTask):
    """A task for all methods; what a method has no use for is refused."""

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

    def content_engine(self, options: Options, **fixed: str) -> ContentEngine | None:
        """The engine of a sister system; None for a method that builds pyramids of ideas.

        ``fixed`` are options that a model of content was made with, and that hold unless others
        are chosen.
        """
        name = options["method"] or self.host.default_method
        plug_ins = {
            plug_in: PluggedFile(str(path), path.read_bytes())
            for plug_in in PlugIn
            if (path := options[plug_in.value])
        }
        chosen = dict(_name_and_value(option) for option in options["option"])
        if name not in CONTENT_METHODS:
            get_method(name)  # or tell the names
            unused = [f"--{plug_in.value}" for plug_in in plug_ins] + ["--option"] * bool(chosen)
            unused += ["--source"] * bool(options["source"])
            for option in unused:
                raise InputError(f"The method “{name}” does not use {option}. Leave it out.")
            return None
        if options["encoder"]:
            raise InputError(
                f"The method “{name}” does not compare words in context. Leave out the encoder."
            )
        self.host.progress("Loading the language model", 0, 0)
        return make_content_engine(name, options=fixed | chosen, plug_ins=plug_ins)

    def content_engine_and_model(
        self, options: Options
    ) -> tuple[ContentEngine, ContentModel] | None:
        """What scores by a sister system: its model is read, or made of references or a pyramid.

        None for a method that scores by pyramids of ideas.
        """
        path: Path = options["pyramid"]
        model = _model_in(path)
        if model:
            options["method"] = options["method"] or model.method
        engine = self.content_engine(options, **(model.options if model else {}))
        if engine is None:
            if model:
                raise InputError(
                    f"“{path}” is a model of content of “{model.method}”, not a pyramid of ideas."
                )
            return None
        for name in _OF_PYRAMIDS:
            if options.get(name) is not None:
                raise InputError(
                    f"The method “{engine.method.name}” does not score by a pyramid of ideas. "
                    f"Leave out --{name.replace('_', '-')}."
                )
        return engine, model or self.content_model(path, engine, options["source"])

    def content_model(self, path: Path, engine: ContentEngine, source: Path | None) -> ContentModel:
        """The model of a directory of references, or of the references of a .pyr file.

        Where the method needs a pyramid, and there is none, the default method builds it.
        """
        pyramid = None if path.is_dir() else read_pyramid_file(path)
        references = pyramid.references if pyramid else read_texts(path)
        if pyramid is None and Need.PYRAMID in engine.method.needs:
            main = self.host.load_engine(None, None)
            pyramid = build_pyramid(references, main, progress=self.host.progress)
        return build_content_model(
            references,
            engine,
            source=read_text(source) if source else None,
            pyramid=pyramid,
            progress=self.host.progress,
        )


def _model_in(path: Path) -> ContentModel | None:
    """The model of content in a file; None where the file is something else."""
    if path.suffix != ".json" or not path.is_file():
        return None
    try:
        return read_model(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise InputError(f"“{path}” is not UTF-8 text.") from None
    except InputError as error:
        raise InputError(f"“{path}”: {error}") from error


def deliver(table: Table, options: Options) -> str:
    """Write the table into the file of --out; return it where there is none."""
    content = table.written(Format(options["format"]))
    if options["out"] is None:
        return content
    with staged_files() as files:
        files.add(options["out"], content)
    return ""


def check_out(options: Options) -> None:
    """InputError before any work, where --out names a place that cannot be written to."""
    if options["out"] is not None:
        check_target(options["out"])


def sentence_of(error: OSError) -> str:
    """What is wrong with a file."""
    place = f"“{error.filename}”" if error.filename else "A file"
    return f"{place} cannot be used: {error.strerror}."


def progress_line(text: str, done: int, total: int) -> str:
    """What is being done, on one line of the terminal that the next call overwrites."""
    count = f" ({done} of {total})" if total else ""
    return f"{CLEAR_LINE}{text}{count}"


def _name_and_value(option: str) -> tuple[str, str]:
    name, sign, value = option.partition("=")
    if not sign:
        raise InputError(f"The option “{option}” is not of the form NAME=VALUE.")
    return name, value
