"""Signs that a grader should look at a text: copied, very like another, off the topic, gibberish."""
