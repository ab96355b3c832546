"""Extensions of due dates and attempts."""
