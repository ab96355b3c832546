"""Addresses of assignments."""

from django.urls import path

from grading.assignments import views

urlpatterns = [
    path("courses/<id:pk>/assignments/new/", views.assignment_new, name="assignment_new"),
    path("assignments/<id:pk>/edit/", views.assignment_edit, name="assignment_edit"),
    path("assignments/<id:pk>/score-changes/", views.score_changes, name="score_changes"),
    path(
        "assignments/<id:pk>/score-changes/dismiss/",
        views.score_changes_dismiss,
        name="score_changes_dismiss",
    ),
    path("assignments/<id:pk>/state/", views.assignment_state, name="assignment_state"),
    path("assignments/<id:pk>/release/", views.release, name="release"),
]
