"""Addresses of progress."""

from django.urls import path

from grading.progress import views

urlpatterns = [
    path("jobs/<id:pk>/", views.job, name="job"),
    path("jobs/<id:pk>/try-again/", views.job_try_again, name="job_try_again"),
]
