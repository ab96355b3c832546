"""Readers of files get what no program writes: ``make fuzz``. ``finds`` keeps what it found."""
