"""Every URL of the product."""

from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import path, register_converter
from django.urls.converters import IntConverter

from grading.forms import LogInForm
from grading.views import (
    accounts,
    assignments,
    courses,
    gradebook,
    jobs,
    pyramids,
    references,
    submissions,
)


class IdConverter(IntConverter):
    """Numbers that a database can hold; others are addresses that do not exist."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")

urlpatterns = [
    path("", courses.home, name="home"),
    path("healthz", accounts.health, name="health"),
    # Accounts
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
    path("accounts/sign-up/", accounts.sign_up, name="sign_up"),
    path("accounts/", accounts.account, name="account"),
    path("accounts/password/", auth.PasswordChangeView.as_view(), name="password_change"),
    path(
        "accounts/password/done/",
        auth.PasswordChangeDoneView.as_view(),
        name="password_change_done",
    ),
    path("accounts/reset/", auth.PasswordResetView.as_view(), name="password_reset"),
    path("accounts/reset/sent/", auth.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path(
        "accounts/reset/<uidb64>/<token>/",
        accounts.PasswordResetConfirmView.as_view(),
        name="password_reset_confirm",
    ),
    path(
        "accounts/reset/done/",
        auth.PasswordResetCompleteView.as_view(),
        name="password_reset_complete",
    ),
    # Courses
    path("courses/new/", courses.course_new, name="course_new"),
    path("courses/join/", courses.course_join_by_code, name="course_join"),
    path("courses/<id:pk>/", courses.course, name="course"),
    path("courses/<id:pk>/edit/", courses.course_edit, name="course_edit"),
    path("courses/<id:pk>/code/", courses.course_code, name="course_code"),
    path("courses/<id:pk>/members/", courses.members, name="members"),
    path("courses/<id:pk>/members/<id:member_pk>/role/", courses.member_role, name="member_role"),
    path(
        "courses/<id:pk>/members/<id:member_pk>/delete/",
        courses.member_delete,
        name="member_delete",
    ),
    path("courses/<id:pk>/assignments/new/", assignments.assignment_new, name="assignment_new"),
    # Assignments
    path("assignments/<id:pk>/", assignments.assignment, name="assignment"),
    path("assignments/<id:pk>/edit/", assignments.assignment_edit, name="assignment_edit"),
    path("assignments/<id:pk>/state/", assignments.assignment_state, name="assignment_state"),
    path("assignments/<id:pk>/references/", references.references, name="references"),
    path("references/<id:pk>/edit/", references.reference_edit, name="reference_edit"),
    path("references/<id:pk>/delete/", references.reference_delete, name="reference_delete"),
    path("assignments/<id:pk>/pyramid/", pyramids.pyramid, name="pyramid"),
    path("assignments/<id:pk>/pyramid/build/", pyramids.pyramid_build, name="pyramid_build"),
    path("assignments/<id:pk>/pyramid.pyr", pyramids.pyramid_file, name="pyramid_file"),
    path("assignments/<id:pk>/submit/", submissions.submit, name="submit"),
    path("submissions/<id:pk>/", submissions.submission, name="submission"),
    path("assignments/<id:pk>/gradebook/", gradebook.gradebook, name="gradebook"),
    path("assignments/<id:pk>/gradebook.csv", gradebook.gradebook_file, name="gradebook_file"),
    # Work in the background
    path("jobs/<id:pk>/", jobs.job, name="job"),
    path("jobs/<id:pk>/try-again/", jobs.job_try_again, name="job_try_again"),
]
