"""Addresses of e-mail choices."""

from django.urls import path

from grading.notifications import views

urlpatterns = [
    path("accounts/mail/", views.mail_choices, name="mail_choices"),
    path("mail/off/<str:token>/", views.switch_off, name="mail_switch_off"),
]
