"""The Django application."""

from django.apps import AppConfig


class GradingConfig(AppConfig):
    name = "grading"
    verbose_name = "PyrEval Classroom"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from grading import checks  # noqa: F401, PLC0415  (registers them)
