"""The API for other programs: tokens, answers, webhooks, and its own documentation."""
