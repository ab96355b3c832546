"""From scores to grades: points, bands, rounding, late penalties."""
