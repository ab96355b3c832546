"""What a class wrote, in figures: distributions, ideas, who needs help."""
