"""Editing a pyramid: typed commands, each with its inverse."""

from grading.pyramid.editing.command_json import (
    Patch,
    command_from_json,
    command_to_json,
    patch_between,
)
from grading.pyramid.editing.commands import Command

__all__ = ["Command", "Patch", "command_from_json", "command_to_json", "patch_between"]
