"""``manage.py build_pyramid``: references to a pyramid (DUCView's format) or model of content."""

from grading.management.research import ResearchCommand
from grading.pyramid.cli.building import BuildTask


class Command(ResearchCommand):
    task_type = BuildTask
