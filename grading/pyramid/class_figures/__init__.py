"""What a class's results say of the class, and of the ideas that it was asked for."""
