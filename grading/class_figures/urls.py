"""Addresses of class figures."""

from django.urls import path

from grading.class_figures import views as class_figures
from grading.class_figures import views_help as class_help
from grading.class_figures import views_ideas as class_ideas
from grading.class_figures import views_new_ideas as class_new_ideas

urlpatterns = [
    path("assignments/<id:pk>/class/", class_figures.class_figures, name="class_figures"),
    path("assignments/<id:pk>/class/ideas/", class_ideas.class_ideas, name="class_ideas"),
    path(
        "assignments/<id:pk>/class/ideas.csv", class_ideas.class_ideas_file, name="class_ideas_file"
    ),
    path("assignments/<id:pk>/class/ideas/<id:uid>/", class_ideas.class_idea, name="class_idea"),
    path("assignments/<id:pk>/class/missed/", class_ideas.class_missed, name="class_missed"),
    path("assignments/<id:pk>/class/help/", class_help.class_help, name="class_help"),
    path(
        "assignments/<id:pk>/class/new-ideas/",
        class_new_ideas.class_new_ideas,
        name="class_new_ideas",
    ),
    path(
        "drafts/<id:pk>/class-ideas/",
        class_new_ideas.class_new_idea_take,
        name="class_new_idea_take",
    ),
    path(
        "assignments/<id:pk>/class/sections/", class_figures.class_sections, name="class_sections"
    ),
]
