"""Addresses of extensions."""

from django.urls import path

from grading.extensions import views

urlpatterns = [
    path("assignments/<id:pk>/extensions/", views.extensions, name="extensions"),
    path("assignments/<id:pk>/extensions/add/", views.extension_add, name="extension_add"),
    path("extensions/<id:pk>/", views.extension_change, name="extension_change"),
    path("extensions/<id:pk>/remove/", views.extension_delete, name="extension_remove"),
]
