"""The Django application."""

import django_stubs_ext
from django.apps import AppConfig
from django.db.models.signals import post_migrate

# Lets generic classes such as ModelForm[User] be written down for the type checker.
django_stubs_ext.monkeypatch()


class GradingConfig(AppConfig):
    name = "grading"
    verbose_name = "PyrEval Classroom"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Load what registers itself: checks, who listens for log-ins and migrations, and Celery.

        Through it each process wakes workers.
        """
        from grading import checks  # noqa: F401, PLC0415  (the apps are ready only now)
        from grading.audit_log import log_ins  # noqa: PLC0415
        from grading.models.append_only import rights_give_up  # noqa: PLC0415
        from pyreval_site import celery  # noqa: F401, PLC0415

        log_ins.connect()
        post_migrate.connect(rights_give_up, sender=self)
