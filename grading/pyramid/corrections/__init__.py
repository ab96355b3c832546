"""What people say against a program's evidence, step by step, and what comes of it."""

from grading.pyramid.corrections.evidence import (
    correct_evidence,
    correct_report,
    correction_count,
    report_by_person,
)
from grading.pyramid.corrections.steps import Step, StepHistory, step_history
from grading.pyramid.corrections.verdicts import Correction, Verdict, in_force, left_out_in_vain

__all__ = [
    "Correction",
    "Step",
    "StepHistory",
    "Verdict",
    "correct_evidence",
    "correct_report",
    "correction_count",
    "in_force",
    "left_out_in_vain",
    "report_by_person",
    "step_history",
]
