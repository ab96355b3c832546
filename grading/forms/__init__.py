"""What people fill in, and what is wrong with it in plain words; a file a topic."""
