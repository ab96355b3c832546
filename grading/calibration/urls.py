"""Addresses of calibration."""

from django.urls import path

from grading.calibration import views as calibration
from grading.calibration import views_learning as learning
from grading.calibration import views_results as calibration_results

urlpatterns = [
    path("assignments/<id:pk>/calibration/", calibration.calibration, name="calibration"),
    path(
        "calibration/<id:pk>/texts/<id:place>/",
        calibration.calibration_text,
        name="calibration_text",
    ),
    path(
        "calibration/<id:pk>/result/",
        calibration_results.calibration_result,
        name="calibration_result",
    ),
    path(
        "calibration/<id:pk>/delete/",
        calibration.calibration_delete,
        name="calibration_delete",
    ),
    path(
        "calibration/<id:pk>/<calibration_file:kind>.csv",
        calibration_results.calibration_file,
        name="calibration_file",
    ),
    path(
        "assignments/<id:pk>/calibration/learning/",
        learning.learning,
        name="calibration_learning",
    ),
    path(
        "assignments/<id:pk>/calibration/learning/set/",
        learning.learning_set,
        name="calibration_learning_set",
    ),
    path(
        "assignments/<id:pk>/calibration/learning/undo/",
        learning.learning_undo,
        name="calibration_learning_undo",
    ),
]
