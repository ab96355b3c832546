"""Addresses of roster."""

from django.urls import path

from grading.roster import views

urlpatterns = [
    path("courses/<id:pk>/roster/", views.roster_file, name="roster"),
    path("courses/<id:pk>/roster/apply/", views.roster_apply, name="roster_apply"),
    path("courses/<id:pk>/members/links/", views.member_links, name="member_links"),
    path("courses/<id:pk>/members/<id:member_pk>/link/", views.member_link, name="member_link"),
]
