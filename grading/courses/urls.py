"""Addresses of courses."""

from django.urls import path

from grading.courses import views

urlpatterns = [
    path("", views.home, name="home"),
    path("courses/new/", views.course_new, name="course_new"),
    path("courses/join/", views.course_join_by_code, name="course_join"),
    path("courses/<id:pk>/", views.course, name="course"),
    path("courses/<id:pk>/edit/", views.course_edit, name="course_edit"),
    path("courses/<id:pk>/code/", views.course_code, name="course_code"),
    path("courses/<id:pk>/code/until/", views.course_code_expiry, name="course_code_expiry"),
    path(
        "courses/<id:pk>/removed/<id:removed_pk>/restore/",
        views.member_restore,
        name="member_restore",
    ),
    path("courses/<id:pk>/members/", views.members, name="members"),
    path("courses/<id:pk>/members/<id:member_pk>/role/", views.member_role, name="member_role"),
    path(
        "courses/<id:pk>/members/<id:member_pk>/delete/",
        views.member_delete,
        name="member_delete",
    ),
]
