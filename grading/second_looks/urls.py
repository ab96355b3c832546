"""Addresses of second looks."""

from django.urls import path

from grading.second_looks import page_figures as second_look_figures
from grading.second_looks import views as second_looks
from grading.second_looks import views_answers as second_look_answers

urlpatterns = [
    path(
        "submissions/<id:pk>/second-looks/new/",
        second_looks.second_look_new,
        name="second_look_new",
    ),
    path(
        "second-looks/<id:pk>/withdraw/",
        second_looks.second_look_withdraw,
        name="second_look_withdraw",
    ),
    path(
        "assignments/<id:pk>/second-looks/",
        second_look_answers.second_looks,
        name="second_looks",
    ),
    path("second-looks/<id:pk>/", second_look_answers.second_look, name="second_look"),
    path(
        "second-looks/<id:pk>/answer/",
        second_look_answers.second_look_answer,
        name="second_look_answer",
    ),
    path(
        "assignments/<id:pk>/second-looks/figures/",
        second_look_figures.second_look_figures,
        name="second_look_figures",
    ),
]
