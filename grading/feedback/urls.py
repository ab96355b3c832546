"""Addresses of feedback."""

from django.urls import path

from grading.feedback import views as submissions
from grading.feedback import views_attempts as attempts
from grading.feedback import views_own_data as own_data

urlpatterns = [
    path("accounts/data/", own_data.own_data, name="own_data"),
    path("accounts/data/my-work.zip", own_data.own_data_file, name="own_data_file"),
    path("submissions/<id:pk>/", submissions.submission, name="submission"),
    path(
        "submissions/<id:pk>/as-student/",
        submissions.submission_as_student,
        name="submission_as_student",
    ),
    path("submissions/<id:pk>/compare/", attempts.attempts_compare, name="attempts_compare"),
]
