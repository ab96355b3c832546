"""Addresses of grades."""

from django.urls import path

from grading.grades import views as grades
from grading.grades import views_gradebook as gradebook
from grading.grades import views_gradebook_exports as gradebook_exports
from grading.grades import views_gradebook_fill as gradebook_fill
from grading.grades import views_hand_grades as hand_grades

urlpatterns = [
    path("assignments/<id:pk>/gradebook/", gradebook.gradebook, name="gradebook"),
    path("assignments/<id:pk>/gradebook.csv", gradebook.gradebook_file, name="gradebook_file"),
    path("assignments/<id:pk>/grade-rule/", grades.grade_rule, name="grade_rule"),
    path(
        "assignments/<id:pk>/grades/<id:student_pk>/",
        hand_grades.grade_by_hand,
        name="grade_by_hand",
    ),
    path(
        "assignments/<id:pk>/export/", gradebook_exports.gradebook_export, name="gradebook_export"
    ),
    path(
        "assignments/<id:pk>/export/fresh/",
        gradebook_exports.gradebook_fresh,
        name="gradebook_fresh",
    ),
    path("gradebook-uploads/<id:pk>/", gradebook_fill.gradebook_fill, name="gradebook_fill"),
    path(
        "gradebook-exports/<id:pk>/file/",
        gradebook_exports.gradebook_exported_file,
        name="gradebook_exported_file",
    ),
]
