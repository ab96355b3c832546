"""Addresses of housekeeping."""

from django.urls import path

from grading.housekeeping import views as course_files
from grading.housekeeping import views_copies as copies
from grading.housekeeping import views_deletions as deletions

urlpatterns = [
    path("assignments/<id:pk>/copy/", copies.copy_assignment, name="assignment_copy"),
    path("courses/<id:pk>/copy/", copies.copy_course, name="course_copy"),
    path("assignments/<id:pk>/archive/", copies.archive_assignment, name="assignment_archive"),
    path("courses/<id:pk>/archive/", copies.archive_course, name="course_archive"),
    path("assignments/<id:pk>/delete/", deletions.delete_assignment, name="assignment_delete"),
    path("courses/<id:pk>/delete/", deletions.delete_course, name="course_delete"),
    path(
        "courses/<id:pk>/people/<id:user_pk>/delete-data/",
        deletions.delete_student,
        name="student_delete",
    ),
    path("courses/<id:pk>/deletions/", deletions.deletions, name="deletions"),
    path(
        "deletions/<id:pk>/bring-back/", deletions.deletion_bring_back, name="deletion_bring_back"
    ),
    path("courses/<id:pk>/exports/", course_files.course_exports, name="course_exports"),
    path("course-files/<id:pk>/course.zip", course_files.course_file, name="course_file"),
    path("courses/import/", course_files.course_import, name="course_import"),
    path("courses/import/<id:pk>/", course_files.course_import_look, name="course_import_look"),
    path("course-jobs/<id:pk>/", course_files.course_job, name="course_job"),
    path(
        "course-jobs/<id:pk>/try-again/",
        course_files.course_job_try_again,
        name="course_job_try_again",
    ),
]
