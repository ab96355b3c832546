"""Addresses of calibration."""

from django.urls import path

from grading.calibration import views

urlpatterns = [
    path("assignments/<id:pk>/calibration/", views.calibration, name="calibration"),
    path("calibration/<id:pk>/texts/<id:place>/", views.calibration_text, name="calibration_text"),
    path("calibration/<id:pk>/result/", views.calibration_result, name="calibration_result"),
    path("calibration/<id:pk>/delete/", views.calibration_delete, name="calibration_delete"),
    path(
        "calibration/<id:pk>/<calibration_file:kind>.csv",
        views.calibration_file,
        name="calibration_file",
    ),
    path("assignments/<id:pk>/calibration/learning/", views.learning, name="calibration_learning"),
    path(
        "assignments/<id:pk>/calibration/learning/set/",
        views.learning_set,
        name="calibration_learning_set",
    ),
    path(
        "assignments/<id:pk>/calibration/learning/undo/",
        views.learning_undo,
        name="calibration_learning_undo",
    ),
]
