"""The root of all URLs."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# Administrators log in as everybody does: with the same limits and their second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler500 = "grading.web.server_error.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("grading.urls")),
]
