"""What somebody may see of the result of a submission. Rules only, no table of its own."""

from dataclasses import dataclass

from django.db import models


class Missed(models.IntegerChoices):
    """How much students see of ideas that their text lacks; each level shows more."""

    NOTHING = 0, "Nothing"
    COUNTS = 1, "How many of each weight"
    HINTS = 2, "A hint: key words of each"
    LABELS = 3, "The ideas themselves"
    SENTENCES = 4, "The ideas and an expert's words"


@dataclass(frozen=True, slots=True)
class Sight:
    """``shown``: are scores and matches open? ``missed``: how much of what the text lacks?

    ``full`` is a grader's: also who is who, how it was computed, and what was thought of besides.
    """

    shown: bool
    missed: Missed
    full: bool = False


FULL_SIGHT = Sight(shown=True, missed=Missed.SENTENCES, full=True)
