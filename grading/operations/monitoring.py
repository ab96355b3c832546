"""The outermost middleware: it answers monitoring, and measures all other requests.

Probes come from machines: over plain HTTP, under an address instead of a host name, without a
session. So they are answered before anything else looks at the request, and only to networks that
are allowed; to all others there is no such page.
"""

from collections.abc import Callable
from ipaddress import ip_address
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from grading.access import get_client_address
from grading.operations.metrics import CONTENT_TYPE, exposition, make_folder, observe
from grading.operations.readiness import readiness

GetResponse = Callable[[HttpRequest], HttpResponse]


def _healthz() -> HttpResponse:
    """This process answers. Nothing else is asked: a restart would fix nothing else."""
    return HttpResponse("ok", content_type="text/plain")


def _readyz() -> HttpResponse:
    """Everything that the product needs is there: 200, or 503 with what is wrong."""
    checks = readiness()
    is_ready = all(check.is_ok for check in checks)
    document = {
        "ready": is_ready,
        "checks": {check.name: check.problem or "ok" for check in checks},
    }
    return JsonResponse(document, status=200 if is_ready else 503)


def _metrics() -> HttpResponse:
    return HttpResponse(exposition(), content_type=CONTENT_TYPE)


PROBES: dict[str, Callable[[], HttpResponse]] = {
    "/healthz": _healthz,
    "/readyz": _readyz,
    "/metrics": _metrics,
}


class MonitoringMiddleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        make_folder()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        if probe is not None and request.method in {"GET", "HEAD"} and _is_allowed(request):
            response = probe()
            response["Cache-Control"] = "no-store"
            return response
        began = monotonic()
        response = self.get_response(request)
        observe(request, response, monotonic() - began)
        return response


def _is_allowed(request: HttpRequest) -> bool:
    try:
        address = ip_address(get_client_address(request))
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in settings.MONITORING_NETWORKS)
