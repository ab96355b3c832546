"""Addresses of bulk import."""

from django.urls import path

from grading.bulk_import import views as imports

urlpatterns = [
    path("assignments/<id:pk>/import/", imports.submission_import, name="submission_import"),
    path("imports/<id:pk>/", imports.work_import, name="work_import"),
    path("imports/<id:pk>/take-in/", imports.import_take_in, name="import_take_in"),
    path("imports/<id:pk>/discard/", imports.import_discard, name="import_discard"),
]
