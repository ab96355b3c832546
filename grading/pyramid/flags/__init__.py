"""Flags that a worker finds: copied, like another's text, off the topic, gibberish."""
