"""Addresses of assignments."""

from django.urls import path

from grading.assignments import views as assignments
from grading.assignments import views_release as release
from grading.assignments import views_score_changes as score_changes

urlpatterns = [
    path("courses/<id:pk>/assignments/new/", assignments.assignment_new, name="assignment_new"),
    path("assignments/<id:pk>/", assignments.assignment, name="assignment"),
    path("assignments/<id:pk>/edit/", assignments.assignment_edit, name="assignment_edit"),
    path("assignments/<id:pk>/score-changes/", score_changes.score_changes, name="score_changes"),
    path(
        "assignments/<id:pk>/score-changes/dismiss/",
        score_changes.score_changes_dismiss,
        name="score_changes_dismiss",
    ),
    path("assignments/<id:pk>/state/", assignments.assignment_state, name="assignment_state"),
    path("assignments/<id:pk>/release/", release.release, name="release"),
]
