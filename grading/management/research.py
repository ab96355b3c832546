"""What the commands for researchers share: no database, plain errors, progress on a terminal."""

from abc import abstractmethod
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from grading.pyramid.errors import PyramidError
from grading.pyramid.registry import CONTENT_METHODS, METHODS

_CLEAR_LINE = "\r\x1b[K"


class ResearchCommand(BaseCommand):
    """Reads files and writes files; what is wrong with them ends it with one sentence."""

    requires_system_checks = []
    out_help: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join((*METHODS, *CONTENT_METHODS))
        parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=self.out_help)
        parser.add_argument(
            "--method", metavar="NAME", help=f"one of {names}; by default {settings.PYREVAL_METHOD}"
        )
        parser.add_argument(
            "--encoder",
            type=Path,
            metavar="DIR",
            help=(
                "a directory with model.onnx and tokenizer.json; by default PYREVAL_ENCODER_DIR, "
                "or MiniLM"
            ),
        )

    def handle(self, *args: Any, **options: Any) -> None:
        del args
        try:
            self.run(options)
        except PyramidError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            place = f"“{error.filename}”" if error.filename else "A file"
            raise CommandError(f"{place} cannot be used: {error.strerror}.") from error
        finally:
            self._clear_progress()

    @abstractmethod
    def run(self, options: dict[str, Any]) -> None:
        """Read files, and write files."""

    def progress(self, text: str, done: int, total: int) -> None:
        """What is being done, on one line of the terminal that the next call overwrites."""
        if self.stderr.isatty():
            count = f" ({done} of {total})" if total else ""
            self.stderr.write(f"{_CLEAR_LINE}{text}{count}", style_func=str, ending="")
            self.stderr.flush()

    def _clear_progress(self) -> None:
        if self.stderr.isatty():
            self.stderr.write(_CLEAR_LINE, style_func=str, ending="")
