"""Two batches of units to a matrix of similarities in [0, 1]."""
