"""Addresses of the review desk."""

from django.urls import path

from grading.marking import views

urlpatterns = [
    path("submissions/<id:pk>/marking/", views.marking, name="marking"),
    path("submissions/<id:pk>/marking/step/", views.marking_step, name="marking_step"),
    path(
        "submissions/<id:pk>/marking/<id:step>/same-wording/",
        views.same_wording,
        name="same_wording",
    ),
    path("submissions/<id:pk>/comments/", views.comment_new, name="comment_new"),
    path("courses/<id:pk>/saved-comments/", views.saved_comments, name="saved_comments"),
    path("saved-comments/<id:pk>/", views.saved_comment_edit, name="saved_comment_edit"),
    path("comments/<id:pk>/reword/", views.comment_reword, name="comment_reword"),
    path("comments/<id:pk>/delete/", views.comment_remove, name="comment_remove"),
    path("comments/<id:pk>/bring-back/", views.comment_return, name="comment_return"),
    path("submissions/<id:pk>/annotation.pan", views.annotation_file, name="annotation_file"),
    path("submissions/<id:pk>/annotation/", views.annotation_upload, name="annotation_upload"),
    path("assignments/<id:pk>/annotations.zip", views.annotations_file, name="annotations_file"),
    path("assignments/<id:pk>/annotations/", views.annotations, name="annotations"),
    path(
        "assignments/<id:pk>/annotations/take/", views.annotations_accept, name="annotations_take"
    ),
]
