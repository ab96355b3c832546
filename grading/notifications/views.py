"""Choosing which e-mails to get, and switching them off by the link in an e-mail."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from grading.models import User
from grading.notifications.actions import mail_switch_off
from grading.notifications.mails import read_switch_off_token
from grading.notifications.page import mail_section
from grading.web.rendering import SignedInRequest, render_form_page, render_page


@require_http_methods(["GET", "POST"])
def mail_choices(request: SignedInRequest) -> HttpResponse:
    context = mail_section(request.user, request.POST or None)
    form = context["mail_form"]
    if form.is_valid():
        form.save()
        messages.success(request, "Your choices were saved.")
        return redirect("mail_choices")
    return render_form_page(request, "grading/notifications/choices.html", context | {"form": form})


@csrf_exempt  # mail programs post here on their own (RFC 8058); the signed link is the proof
@login_not_required
@require_http_methods(["GET", "POST"])
def switch_off(request: HttpRequest, token: str) -> HttpResponse:
    """Ask by GET, since programs follow links too; switch off by POST."""
    known = read_switch_off_token(token)
    user = User.objects.filter(pk=known[0]).first() if known else None
    if known is None or user is None:
        raise Http404("No such link.")
    is_done = request.method == "POST"
    if is_done:
        mail_switch_off(user=user, kind=known[1])
    context = {"what": _WORDS[known[1]], "is_done": is_done}
    return render_page(request, "grading/notifications/switch_off.html", context)


_WORDS = {
    "result": "when a result is ready",
    "answer": "when a second look is answered",
    "due": "before a due date",
    "second_look": "when students request second looks",
}
