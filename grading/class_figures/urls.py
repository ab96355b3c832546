"""Addresses of class figures."""

from django.urls import path

from grading.class_figures import views

urlpatterns = [
    path("assignments/<id:pk>/class/", views.class_figures, name="class_figures"),
    path("assignments/<id:pk>/class/ideas/", views.class_ideas, name="class_ideas"),
    path("assignments/<id:pk>/class/ideas.csv", views.class_ideas_file, name="class_ideas_file"),
    path("assignments/<id:pk>/class/ideas/<id:uid>/", views.class_idea, name="class_idea"),
    path("assignments/<id:pk>/class/missed/", views.class_missed, name="class_missed"),
    path("assignments/<id:pk>/class/help/", views.class_help, name="class_help"),
    path("assignments/<id:pk>/class/new-ideas/", views.class_new_ideas, name="class_new_ideas"),
    path("drafts/<id:pk>/class-ideas/", views.class_new_idea_take, name="class_new_idea_take"),
    path("assignments/<id:pk>/class/second-opinions/", views.class_opinions, name="class_opinions"),
    path("assignments/<id:pk>/class/sections/", views.class_sections, name="class_sections"),
]
