"""Accounts: one's own details, claims and sessions. The rest are allauth's own views."""

from copy import copy

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import EmailAddress, Login
from allauth.account.stages import EmailVerificationStage, LoginStageController
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import base36_to_int
from django.views.decorators.http import require_http_methods, require_POST

from grading.accounts.actions import address_prove
from grading.accounts.forms import AccountForm, AddressForm, ClaimForm
from grading.models import RosterAccount, User
from grading.models.rosters import unclaimed_accounts
from grading.web.claims import HANDED, MAILED
from grading.web.rendering import SignedInRequest, render_form_page, render_page
from grading.web.same_person import needs_password_again

CLAIM_TOKEN = "claim_token"  # noqa: S105  (its name in the session)
TOKEN_IN_SESSION = "choose-password"  # noqa: S105  (in the address instead of the token)


@require_http_methods(["GET", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    # A form changes its instance even when it refuses: the page around it shows the original.
    form = AccountForm(request.POST or None, instance=copy(request.user))
    if form.is_valid():
        form.save()
        messages.success(request, "Details saved.")
        return redirect("account")
    context = {
        "form": form,
        "pending_email": request.user.pending_email,
        "has_second_factor": is_mfa_enabled(request.user),
        "has_single_sign_on": bool(settings.SOCIALACCOUNT_PROVIDERS),
    }
    return render_form_page(request, "account/account.html", context)


@login_not_required
@require_http_methods(["GET", "POST"])
def address_ask(request: HttpRequest) -> HttpResponse:
    """Between password and log-in: a link was mailed; it can be sent again, or elsewhere.

    Somebody who signed up with another's address sees the same page.
    """
    stage = LoginStageController.enter(request, EmailVerificationStage.key)
    if stage is None:
        return redirect("account_login")
    user: User | None = stage.login.user
    address = user.pending_email if user else stage.login.email or ""
    form = AddressForm(request.POST or None, initial={"email": address})
    if form.is_valid():
        if user is not None:
            EmailAddress.objects.add_new_email(request, user, form.cleaned_data["email"])
        return redirect("account_email_verification_sent")
    context = {"form": form, "address": address}
    return render_form_page(request, "account/verification_sent.html", context)


@login_not_required
@require_http_methods(["GET", "POST"])
def account_claim(request: HttpRequest, account: str, token: str) -> HttpResponse:
    """The owner of an account that a roster made chooses a password.

    The token leaves the address of the page at once, so that no link on it gives it away.
    """
    if token != TOKEN_IN_SESSION:
        request.session[CLAIM_TOKEN] = token
        return redirect("account_claim", account, TOKEN_IN_SESSION)
    claimed, is_mailed = _claimed(account, str(request.session.get(CLAIM_TOKEN, "")))
    if claimed is None:
        return render_page(request, "account/claim_ended.html", {}, status=404)
    form = ClaimForm(data=request.POST or None, user=claimed.user)
    if form.is_valid():
        form.save()
        request.session.pop(CLAIM_TOKEN)
        if is_mailed:
            address_prove(user=claimed.user, address=claimed.email)
        elif claimed.email:
            EmailAddress.objects.create(user=claimed.user, email=claimed.email.lower())
        response: HttpResponse = perform_login(request, Login(user=claimed.user))
        return response
    context = {"form": form, "claimed": claimed, "is_mailed": is_mailed}
    return render_form_page(request, "account/claim.html", context)


def _claimed(account: str, token: str) -> tuple[RosterAccount | None, bool]:
    """The account that the link is of, and whether it came by mail."""
    try:
        unclaimed = unclaimed_accounts().filter(pk=base36_to_int(account)).first()
    except ValueError:
        return None, False
    for tokens in (MAILED, HANDED):
        if unclaimed and tokens.check_token(unclaimed, token):  # type: ignore[arg-type]
            return unclaimed, tokens.is_mailed
    return None, False


@require_POST
@needs_password_again
def session_end(request: SignedInRequest, pk: int) -> HttpResponse:
    session = get_object_or_404(UserSession, pk=pk, user=request.user)
    end_sessions(request, [session])
    messages.success(request, "Session ended.")
    return redirect("usersessions_list")
