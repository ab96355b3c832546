#!/usr/bin/env python3
"""Django's command line for PyrEval Classroom."""

import os
import secrets
import sys
from importlib import import_module

# These read and write files only and sign nothing: they run without a configured secret, and start
# in a third of the time without the apps.
COMMANDS_FOR_FILES = {"build_pyramid", "calibrate", "score_summaries", "train_wtmf"}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyreval_site.settings")
    # More threads double the processor time of small matrices, and gain nothing.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if len(sys.argv) > 1 and sys.argv[1] in COMMANDS_FOR_FILES:
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
        module = import_module(f"grading.management.commands.{sys.argv[1]}")
        module.Command().run_from_argv(sys.argv)
        return
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
