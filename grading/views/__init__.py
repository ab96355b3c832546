"""Pages, one file a topic: access, form, action, render."""
