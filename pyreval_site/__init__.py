"""The Django project: settings, URLs, and the doors for web servers and workers."""
