"""The command `pyreval`: the tasks of researchers on a terminal, without a server or a database."""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from grading.pyramid.cli.building import BuildTask
from grading.pyramid.cli.calibrating import CalibrateTask
from grading.pyramid.cli.comparing import CompareTask
from grading.pyramid.cli.evaluating import EvaluateTask
from grading.pyramid.cli.explaining import ExplainTask
from grading.pyramid.cli.scoring import ScoreTask
from grading.pyramid.cli.tables import Format, format_of
from grading.pyramid.cli.tasks import CLEAR_LINE, Task, progress_line, sentence_of
from grading.pyramid.cli.units import UnitsTask
from grading.pyramid.errors import PyramidError
from grading.pyramid.pipeline import Engine, make_engine
from grading.pyramid.registry import DEFAULT_METHOD, check_encoder

_TASKS: dict[str, type[Task]] = {
    "build": BuildTask,
    "score": ScoreTask,
    "compare": CompareTask,
    "evaluate": EvaluateTask,
    "calibrate": CalibrateTask,
    "explain": ExplainTask,
    "units": UnitsTask,
}
_WIDTH = 78  # of a description
_FAILED = 1  # argparse ends with 2 where the options are wrong
_INTERRUPTED = 130  # as shells have it


class _Terminal:
    """The host of the tasks: no settings, and progress where somebody is watching."""

    default_method = DEFAULT_METHOD

    def load_engine(self, method_name: str | None, encoder_dir: Path | None) -> Engine:
        name = method_name or self.default_method
        check_encoder(name, encoder_dir)
        return make_engine(name, encoder_dir=encoder_dir)

    def progress(self, text: str, done: int, total: int) -> None:
        self._show(progress_line(text, done, total))

    def clear(self) -> None:
        self._show(CLEAR_LINE)

    def _show(self, words: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(words)
            sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a task. 0: it is done; 1: a file cannot be used; 2: an option is wrong; 130: Ctrl-C."""
    terminal = _Terminal()
    tasks = {name: task(terminal) for name, task in _TASKS.items()}
    options = vars(_parser(tasks).parse_args(arguments))
    if "format" in options:
        options["format"] = options["format"] or format_of(options["out"])
    if options.get("colour") == "auto":
        watched = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        options["colour"] = "always" if watched else "never"
    try:
        output = tasks[options["task"]].run(options)
    except PyramidError as error:
        return _failed(terminal, str(error))
    except OSError as error:
        return _failed(terminal, sentence_of(error))
    except KeyboardInterrupt:
        terminal.clear()
        return _INTERRUPTED
    terminal.clear()
    try:
        sys.stdout.write(output)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _failed(terminal: _Terminal, sentence: str) -> int:
    terminal.clear()
    sys.stderr.write(f"pyreval: {sentence}\n")
    return _FAILED


def _parser(tasks: dict[str, Task]) -> ArgumentParser:
    parser = ArgumentParser("pyreval", description="Pyramid evaluation of summaries.")
    commands = parser.add_subparsers(dest="task", required=True, metavar="COMMAND")
    for name, task in tasks.items():
        command = commands.add_parser(
            name,
            help=task.help.replace("%", "%%"),
            description=fill(task.help, _WIDTH),
            epilog=f"example:\n  {task.example}",
            formatter_class=RawDescriptionHelpFormatter,
        )
        task.add_arguments(command)
        command.add_argument(
            "--out", type=Path, metavar="FILE", required=not task.makes_table, help=task.out_help
        )
        if task.makes_table:
            command.add_argument(
                "--format",
                type=Format,
                choices=list(Format),
                help="of the table; by default the ending of FILE decides, else text",
            )
    return parser
