"""Every URL of the product: each topic has its own, but for the page that two topics share."""

from django.urls import include, path

from grading.assignments.views import assignment_overview
from grading.submissions.views import student_page
from grading.web import url_converters  # noqa: F401  (registers them)
from grading.web.by_role import by_role

urlpatterns = [
    path("", include("grading.courses.urls")),
    path("", include("grading.api.urls")),  # before the accounts: allauth has all the rest there
    path("", include("grading.accounts.urls")),
    path("", include("grading.notifications.urls")),
    path("", include("grading.feedback.urls")),
    path(
        "assignments/<id:pk>/",
        by_role(student=student_page, grader=assignment_overview),
        name="assignment",
    ),
    path("", include("grading.assignments.urls")),
    path("", include("grading.extensions.urls")),
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
    path("", include("grading.second_opinions.urls")),
    path("", include("grading.housekeeping.urls")),
    path("", include("grading.progress.urls")),
    path("", include("grading.operations.urls")),
    path("", include("grading.audit_log.urls")),
    path("", include("grading.lti.urls")),
]
