"""Addresses of housekeeping."""

from django.urls import path

from grading.housekeeping import views

urlpatterns = [
    path("assignments/<id:pk>/copy/", views.copy_assignment, name="assignment_copy"),
    path("courses/<id:pk>/copy/", views.copy_course, name="course_copy"),
    path("assignments/<id:pk>/archive/", views.archive_assignment, name="assignment_archive"),
    path("courses/<id:pk>/archive/", views.archive_course, name="course_archive"),
    path("assignments/<id:pk>/delete/", views.delete_assignment, name="assignment_delete"),
    path("courses/<id:pk>/delete/", views.delete_course, name="course_delete"),
    path(
        "courses/<id:pk>/people/<id:user_pk>/delete-data/",
        views.delete_student,
        name="student_delete",
    ),
    path("courses/<id:pk>/deletions/", views.deletions, name="deletions"),
    path("deletions/<id:pk>/bring-back/", views.deletion_bring_back, name="deletion_bring_back"),
    path("courses/<id:pk>/exports/", views.course_exports, name="course_exports"),
    path("course-files/<id:pk>/course.zip", views.course_file, name="course_file"),
    path("courses/import/", views.course_import, name="course_import"),
    path("courses/import/<id:pk>/", views.course_import_look, name="course_import_look"),
    path("course-jobs/<id:pk>/", views.course_job, name="course_job"),
    path(
        "course-jobs/<id:pk>/try-again/",
        views.course_job_try_again,
        name="course_job_try_again",
    ),
]
