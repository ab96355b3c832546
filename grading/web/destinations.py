"""Where a visitor goes when a task is done: the page of ours that a link asked for."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def own_destination(request: HttpRequest) -> str:
    """The address in ``next``, such as a join link. Empty where there is none, or not of ours."""
    address = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else ""
