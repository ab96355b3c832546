"""Version 1 of the API, under /api/v1/."""
