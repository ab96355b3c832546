"""Addresses of submissions."""

from django.urls import path

from grading.submissions import views as writings

urlpatterns = [
    path("assignments/<id:pk>/submit/", writings.submit, name="submit"),
    path("assignments/<id:pk>/writing/", writings.writing, name="writing"),
    path("assignments/<id:pk>/writing/file/", writings.writing_file, name="writing_file"),
    path("assignments/<id:pk>/writing/bring-back/", writings.bring_back, name="writing_bring_back"),
]
