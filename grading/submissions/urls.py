"""Addresses of submissions."""

from django.urls import path

from grading.submissions import views

urlpatterns = [
    path("assignments/<id:pk>/submit/", views.submit, name="submit"),
    path("assignments/<id:pk>/writing/", views.writing, name="writing"),
    path("assignments/<id:pk>/writing/file/", views.writing_file, name="writing_file"),
    path("assignments/<id:pk>/writing/bring-back/", views.bring_back, name="writing_bring_back"),
]
