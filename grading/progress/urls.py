"""Addresses of progress."""

from django.urls import path

from grading.progress import views as jobs

urlpatterns = [
    path("jobs/<id:pk>/", jobs.job, name="job"),
    path("jobs/<id:pk>/try-again/", jobs.job_try_again, name="job_try_again"),
]
