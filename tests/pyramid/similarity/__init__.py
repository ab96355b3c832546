"""Two batches of units to a matrix of similarities."""
