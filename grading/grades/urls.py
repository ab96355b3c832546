"""Addresses of grades and gradebook files."""

from django.urls import path

from grading.grades import views

urlpatterns = [
    path("assignments/<id:pk>/gradebook/", views.gradebook, name="gradebook"),
    path("assignments/<id:pk>/gradebook.csv", views.gradebook_file, name="gradebook_file"),
    path("assignments/<id:pk>/grade-rule/", views.grade_rule, name="grade_rule"),
    path(
        "assignments/<id:pk>/grades/<person_key:student_key>/",
        views.manual_grade,
        name="manual_grade",
    ),
    path("assignments/<id:pk>/export/", views.gradebook_export, name="gradebook_export"),
    path("assignments/<id:pk>/export/fresh/", views.gradebook_fresh, name="gradebook_fresh"),
    path("gradebook-uploads/<id:pk>/", views.gradebook_fill, name="gradebook_fill"),
    path(
        "gradebook-exports/<id:pk>/file/",
        views.gradebook_exported_file,
        name="gradebook_exported_file",
    ),
]
