"""Addresses of queue."""

from django.urls import path

from grading.queue import views as queue
from grading.queue import views_likeness as likeness
from grading.queue import views_reviews as reviews

urlpatterns = [
    path("assignments/<id:pk>/queue/", queue.queue, name="queue"),
    path("assignments/<id:pk>/queue/start/", queue.queue_start, name="queue_start"),
    path("assignments/<id:pk>/queue/do/", reviews.queue_do, name="queue_do"),
    path("assignments/<id:pk>/queue/flags/", queue.queue_signs, name="queue_signs"),
    path("assignments/<id:pk>/queue/names/", queue.queue_names, name="queue_names"),
    path("assignments/<id:pk>/queue/views/", reviews.queue_view_new, name="queue_view_new"),
    path("queue-views/<id:pk>/delete/", reviews.queue_view_delete, name="queue_view_delete"),
    path("submissions/<id:pk>/review/", reviews.review, name="review"),
    path("submissions/<id:pk>/beside/<id:other>/", likeness.likeness, name="likeness"),
]
