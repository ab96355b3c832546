"""What a text says differently from the experts: a denial, swapped roles, another number.

Not in the paper: similarities of words or vectors hardly see such differences. ``judge`` in
``judgement`` reads the parses (docs/methods.md, "Contradictions"); ``contradictions`` in
``words_only`` is the earlier rule over words alone.
"""
