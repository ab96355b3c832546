"""What a worker does for class figures."""

from grading.class_figures.actions import new_ideas_find
from grading.jobs.runner import register
from grading.models import Job

register(Job.Kind.FIND_NEW_IDEAS, new_ideas_find)
