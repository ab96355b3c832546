"""The pyramid core: pure Python, no Django, no Celery, no environment, no global files."""
