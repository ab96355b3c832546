"""``manage.py calibrate``: a pyramid, summaries and annotations to a curve learnt from them."""

from grading.management.research import ResearchCommand
from grading.pyramid.cli.calibrating import CalibrateTask


class Command(ResearchCommand):
    task_type = CalibrateTask
