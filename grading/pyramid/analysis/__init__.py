"""How good a pyramid is, and what could be better: each suggestion with the edit that does it."""

from grading.pyramid.analysis.analysing import Analysis, analyse
from grading.pyramid.analysis.new_uids import with_new_uids
from grading.pyramid.analysis.quality import Quality
from grading.pyramid.analysis.suggestions import Kind, Quote, Suggestion

__all__ = ["Analysis", "Kind", "Quality", "Quote", "Suggestion", "analyse", "with_new_uids"]
