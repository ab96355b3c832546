"""Every URL of the product: each topic has its own."""

from django.urls import include, path

from grading.web import url_converters  # noqa: F401  (registers them)

urlpatterns = [
    path("", include("grading.courses.urls")),
    path("", include("grading.accounts.urls")),
    path("", include("grading.feedback.urls")),
    path("", include("grading.assignments.urls")),
    path("", include("grading.pyramids.urls")),
    path("", include("grading.editor.urls")),
    path("", include("grading.submissions.urls")),
    path("", include("grading.grades.urls")),
    path("", include("grading.second_looks.urls")),
    path("", include("grading.roster.urls")),
    path("", include("grading.bulk_import.urls")),
    path("", include("grading.queue.urls")),
    path("", include("grading.marking.urls")),
    path("", include("grading.calibration.urls")),
    path("", include("grading.class_figures.urls")),
    path("", include("grading.housekeeping.urls")),
    path("", include("grading.progress.urls")),
]
