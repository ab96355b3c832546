"""Editing a pyramid: typed commands, each with its inverse."""

from grading.pyramid.editing.command_json import command_from_json, command_to_json
from grading.pyramid.editing.commands import Command
from grading.pyramid.editing.patches import Patch, patch_between

__all__ = ["Command", "Patch", "command_from_json", "command_to_json", "patch_between"]
