"""Signs that a grader should look at a text: copied, like another's, off the topic, gibberish."""
