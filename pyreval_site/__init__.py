"""The Django project: settings, URLs, and the doors for web servers and workers."""

from pyreval_site.celery import app as celery_app

__all__ = ["celery_app"]
