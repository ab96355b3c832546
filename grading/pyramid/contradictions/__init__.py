"""What a text says differently from the experts: a denial, swapped roles, another number.

Not in the paper: similarities of words or vectors hardly see such differences. ``judge`` reads the
parses (docs/methods.md, "Contradictions"); ``contradictions`` is the earlier rule over words alone.
"""

from grading.pyramid.contradictions.judgement import Judgement, judge
from grading.pyramid.contradictions.statements import Statement, statement_of
from grading.pyramid.contradictions.words_only import PENALTIES, Contradiction, contradictions

__all__ = [
    "PENALTIES",
    "Contradiction",
    "Judgement",
    "Statement",
    "contradictions",
    "judge",
    "statement_of",
]
