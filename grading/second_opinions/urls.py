"""Addresses of second opinions; those of a class are among class figures."""

from django.urls import path

from grading.second_opinions import views

urlpatterns = [
    path("assignments/<id:pk>/second-opinions/", views.second_opinions, name="second_opinions"),
    path(
        "assignments/<id:pk>/second-opinions/methods/",
        views.opinion_methods,
        name="opinion_methods",
    ),
    path(
        "submissions/<id:pk>/second-opinions/",
        views.submission_opinions,
        name="submission_opinions",
    ),
]
