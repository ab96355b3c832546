"""Measurements: agreement with people and speed. ``make bench``."""

import os

# Before numpy is loaded: with more threads OpenBLAS spins at our many small products, which then
# take four times the processor's time. Workers must do the same.
THREADS = os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
