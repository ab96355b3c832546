"""Addresses of the queue."""

from django.urls import path

from grading.queue import views

urlpatterns = [
    path("assignments/<id:pk>/queue/", views.queue, name="queue"),
    path("assignments/<id:pk>/queue/start/", views.queue_start, name="queue_start"),
    path("assignments/<id:pk>/queue/do/", views.queue_do, name="queue_do"),
    path("assignments/<id:pk>/queue/flags/", views.queue_flags, name="queue_flags"),
    path("assignments/<id:pk>/queue/names/", views.queue_names, name="queue_names"),
    path("assignments/<id:pk>/queue/views/", views.queue_view_new, name="queue_view_new"),
    path("queue-views/<id:pk>/delete/", views.queue_view_delete, name="queue_view_delete"),
    path("submissions/<id:pk>/review/", views.review, name="review"),
    path("submissions/<id:pk>/review/state/", views.review_state, name="review_state"),
    path("submissions/<id:pk>/beside/<id:other>/", views.likeness, name="likeness"),
]
