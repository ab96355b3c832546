"""Second opinions: other methods beside the main one, for graders."""
