"""Addresses of the API and of its pages."""

from django.urls import path

from grading.api import views
from grading.api.v1.api import api

urlpatterns = [
    path("api/", views.api_docs, name="api_docs"),
    path("api/v1/", api.urls),
    path("accounts/tokens/", views.api_tokens, name="api_tokens"),
    path("accounts/tokens/new/", views.api_token_new, name="api_token_new"),
    path("accounts/tokens/<id:pk>/revoke/", views.api_token_revoke, name="api_token_revoke"),
    path("courses/<id:pk>/webhooks/", views.webhooks, name="webhooks"),
    path("webhooks/<id:pk>/delete/", views.webhook_remove, name="webhook_delete"),
]
