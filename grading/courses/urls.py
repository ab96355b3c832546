"""Addresses of courses."""

from django.urls import path

from grading.courses import views as courses

urlpatterns = [
    path("", courses.home, name="home"),
    path("courses/new/", courses.course_new, name="course_new"),
    path("courses/join/", courses.course_join_by_code, name="course_join"),
    path("courses/<id:pk>/", courses.course, name="course"),
    path("courses/<id:pk>/edit/", courses.course_edit, name="course_edit"),
    path("courses/<id:pk>/code/", courses.course_code, name="course_code"),
    path("courses/<id:pk>/members/", courses.members, name="members"),
    path("courses/<id:pk>/members/<id:member_pk>/role/", courses.member_role, name="member_role"),
    path(
        "courses/<id:pk>/members/<id:member_pk>/delete/",
        courses.member_delete,
        name="member_delete",
    ),
]
