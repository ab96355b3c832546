"""The commands for researchers: tasks of the core, with the settings and no database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from grading.pyramid.cli.tables import Format
from grading.pyramid.cli.tasks import CLEAR_LINE, Task, progress_line, sentence_of
from grading.pyramid.errors import PyramidError
from grading.pyramid.pipeline import Engine
from grading.scoring.engine import load_engine


class ResearchCommand(BaseCommand):
    """Runs a task; what is wrong with its files ends it with one sentence."""

    requires_system_checks = []
    task_type: type[Task]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.task = self.task_type(self)
        self.help = self.task.help

    @property
    def default_method(self) -> str:
        return settings.PYREVAL_METHOD

    def load_engine(self, method_name: str | None, encoder_dir: Path | None) -> Engine:
        return load_engine(method_name, encoder_dir)

    def progress(self, text: str, done: int, total: int) -> None:
        self._show(progress_line(text, done, total))

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.task.add_arguments(parser)
        out_help = "the table, a .csv file" if self.task.makes_table else self.task.out_help
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=out_help)
        parser.set_defaults(format=Format.CSV)

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        try:
            output = self.task.run(options)
        except PyramidError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(sentence_of(error)) from error
        finally:
            self._show(CLEAR_LINE)
        if output:
            self.stdout.write(output, ending="")

    def _show(self, words: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(words, style_func=str, ending="")
            self.stderr.flush()
