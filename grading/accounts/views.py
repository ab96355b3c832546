"""Accounts: signing up and one's own details. Log-in and passwords are Django's own views."""

from copy import copy

from axes.utils import reset as lift_lock
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_safe

from grading.accounts.forms import AccountForm, NewPasswordForm, SignUpForm
from grading.models import User
from grading.web.destinations import own_destination
from grading.web.rendering import SignedInRequest, render_form_page


@login_not_required
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if not settings.OPEN_SIGN_UP:
        raise Http404("Accounts are made by the administrator here.")
    destination = own_destination(request)
    form = SignUpForm(request.POST or None)
    if form.is_valid() and (user := form.try_save()):
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        if destination:
            messages.success(request, f"Welcome, {user.name}.")
            return redirect(destination)
        messages.success(request, f"Welcome, {user.name}. Join a course with its code.")
        return redirect("home")
    context = {"form": form, "next": destination}
    return render_form_page(request, "registration/sign_up.html", context)


class PasswordResetConfirmView(auth.PasswordResetConfirmView):
    """A new password by mail also lifts the lock that wrong passwords have put on the login."""

    form_class = NewPasswordForm

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        response = super().form_valid(form)
        lift_lock(username=form.user.get_username())
        return response


@require_http_methods(["GET", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    # A form changes its instance even when it refuses: the page around it shows the original.
    form = AccountForm(request.POST or None, instance=copy(request.user))
    if form.is_valid():
        form.save()
        messages.success(request, "Your details are saved.")
        return redirect("account")
    return render_form_page(request, "registration/account.html", {"form": form})


@login_not_required
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Answer monitoring: the database can be reached."""
    del request
    User.objects.exists()
    return HttpResponse("ok", content_type="text/plain")
