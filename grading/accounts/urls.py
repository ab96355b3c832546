"""Addresses of accounts: django-allauth's, and ours beside them."""

from allauth.mfa.webauthn.views import login_webauthn
from allauth.socialaccount import views as single_sign_on
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path

from grading.accounts import views

urlpatterns = [
    path("accounts/", views.account, name="account"),
    path("accounts/claim/<account>/<token>/", views.account_claim, name="account_claim"),
    # These stand for allauth's own: ours, or those that it does not open to who is logged out.
    path("accounts/confirm-email/", views.address_ask, name="account_email_verification_sent"),
    path(
        "accounts/2fa/webauthn/login/",
        login_not_required(login_webauthn),
        name="mfa_login_webauthn",
    ),
    path(
        "accounts/3rdparty/login/cancelled/",
        login_not_required(single_sign_on.login_cancelled),
        name="socialaccount_login_cancelled",
    ),
    path(
        "accounts/3rdparty/login/error/",
        login_not_required(single_sign_on.login_error),
        name="socialaccount_login_error",
    ),
    path(
        "accounts/3rdparty/signup/",
        login_not_required(single_sign_on.signup),
        name="socialaccount_signup",
    ),
    path("accounts/sessions/<int:pk>/end/", views.session_end, name="session_end"),
    path("accounts/", include("allauth.urls")),
]
