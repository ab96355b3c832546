"""Addresses of second looks."""

from django.urls import path

from grading.second_looks import views

urlpatterns = [
    path("submissions/<id:pk>/second-looks/new/", views.second_look_new, name="second_look_new"),
    path("assignments/<id:pk>/second-looks/", views.second_looks, name="second_looks"),
    path(
        "assignments/<id:pk>/second-looks/figures/",
        views.second_look_figures,
        name="second_look_figures",
    ),
    path("second-looks/<id:pk>/", views.second_look, name="second_look"),
    path("second-looks/<id:pk>/answer/", views.second_look_answer, name="second_look_answer"),
    path("second-looks/<id:pk>/withdraw/", views.second_look_withdraw, name="second_look_withdraw"),
]
