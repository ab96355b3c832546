"""The Django application."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GradingConfig(AppConfig):
    name = "grading"
    verbose_name = "PyrEval Classroom"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load what registers itself: checks, and who listens for log-ins and migrations."""
        from grading import checks  # noqa: F401, PLC0415  (the apps are ready only now)
        from grading.audit_log import log_ins  # noqa: PLC0415
        from grading.models.append_only import rights_give_up  # noqa: PLC0415

        log_ins.connect()
        post_migrate.connect(rights_give_up, sender=self)
