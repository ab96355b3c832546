"""``manage.py read_units``: the units of a method in texts, a line of JSON for each text."""

from grading.management.research import ResearchCommand
from grading.pyramid.cli.units import UnitsTask


class Command(ResearchCommand):
    task_type = UnitsTask
