"""Addresses of operations."""

from django.urls import path

from grading.operations import views

urlpatterns = [
    path("operations/", views.operations, name="operations"),
    path("operations/jobs/<id:pk>/try-again/", views.job_retry, name="operations_job_retry"),
    path("operations/jobs/<id:pk>/cancel/", views.job_cancel, name="operations_job_cancel"),
]
