"""Addresses of accounts."""

from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import path

from grading.accounts import views
from grading.accounts.forms import ChangedPasswordForm, ForgottenPasswordForm, LogInForm

urlpatterns = [
    path("healthz", views.health, name="health"),
    path(
        "accounts/login/",
        auth.LoginView.as_view(
            authentication_form=LogInForm,
            redirect_authenticated_user=True,
            extra_context={"open_sign_up": settings.OPEN_SIGN_UP},
        ),
        name="login",
    ),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/sign-up/", views.sign_up, name="sign_up"),
    path("accounts/", views.account, name="account"),
    path(
        "accounts/password/",
        auth.PasswordChangeView.as_view(form_class=ChangedPasswordForm),
        name="password_change",
    ),
    path(
        "accounts/password/done/",
        auth.PasswordChangeDoneView.as_view(),
        name="password_change_done",
    ),
    path(
        "accounts/reset/",
        auth.PasswordResetView.as_view(form_class=ForgottenPasswordForm),
        name="password_reset",
    ),
    path("accounts/reset/sent/", auth.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path(
        "accounts/reset/<uidb64>/<token>/",
        views.PasswordResetConfirmView.as_view(),
        name="password_reset_confirm",
    ),
    path(
        "accounts/reset/done/",
        auth.PasswordResetCompleteView.as_view(),
        name="password_reset_complete",
    ),
]
