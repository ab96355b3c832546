"""The Django application."""

import pkgutil
from importlib import import_module
from importlib.util import find_spec

from django.apps import AppConfig


class GradingConfig(AppConfig):
    name = "grading"
    verbose_name = "PyrEval Classroom"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load what registers itself: checks, each topic's work, and who listens for log-ins."""
        import grading  # noqa: PLC0415  (the apps are ready only now)
        from grading import checks  # noqa: F401, PLC0415
        from grading.audit_log import log_ins  # noqa: PLC0415

        log_ins.connect()
        for topic in pkgutil.iter_modules(grading.__path__):
            name = f"grading.{topic.name}.jobs"
            if topic.ispkg and find_spec(name):
                import_module(name)
