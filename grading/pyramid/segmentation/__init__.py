"""Ways to cut a sentence into clause-like segments."""
