"""Addresses of marking."""

from django.urls import path

from grading.marking import views as marking
from grading.marking import views_annotations as annotations
from grading.marking import views_comments as comments

urlpatterns = [
    path("submissions/<id:pk>/marking/", marking.marking, name="marking"),
    path("submissions/<id:pk>/marking/step/", marking.marking_step, name="marking_step"),
    path("submissions/<id:pk>/comments/", comments.comment_new, name="comment_new"),
    path("comments/<id:pk>/reword/", comments.comment_reword, name="comment_reword"),
    path("comments/<id:pk>/delete/", comments.comment_remove, name="comment_remove"),
    path("comments/<id:pk>/bring-back/", comments.comment_return, name="comment_return"),
    path("submissions/<id:pk>/annotation.pan", annotations.annotation_file, name="annotation_file"),
    path(
        "submissions/<id:pk>/annotation/", annotations.annotation_upload, name="annotation_upload"
    ),
    path(
        "assignments/<id:pk>/annotations.zip", annotations.annotations_file, name="annotations_file"
    ),
    path("assignments/<id:pk>/annotations/", annotations.annotations, name="annotations"),
    path(
        "assignments/<id:pk>/annotations/take/",
        annotations.annotations_take,
        name="annotations_take",
    ),
]
