"""Addresses of roster."""

from django.urls import path

from grading.roster import views as roster

urlpatterns = [
    path("courses/<id:pk>/roster/", roster.roster, name="roster"),
    path("courses/<id:pk>/roster/apply/", roster.roster_do, name="roster_apply"),
    path("courses/<id:pk>/members/<id:member_pk>/link/", roster.member_link, name="member_link"),
]
