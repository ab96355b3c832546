"""Addresses of feedback."""

from django.urls import path

from grading.feedback import views

urlpatterns = [
    path("accounts/data/", views.own_data, name="own_data"),
    path("accounts/data/my-work.zip", views.own_data_file, name="own_data_file"),
    path("submissions/<id:pk>/", views.submission, name="submission"),
    path(
        "submissions/<id:pk>/as-student/", views.submission_as_student, name="submission_as_student"
    ),
    path("submissions/<id:pk>/compare/", views.attempts_compare, name="attempts_compare"),
]
