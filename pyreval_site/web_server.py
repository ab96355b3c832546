"""How gunicorn serves the product: ``gunicorn --config python:pyreval_site.web_server``.

`make run`, the systemd unit and the container all start it with this, and add where to listen.
"""

import os
from typing import Any

from django.conf import settings
from prometheus_client import multiprocess

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyreval_site.settings")

wsgi_app = "pyreval_site.wsgi"
worker_class = "gthread"
workers = settings.WEB_PROCESSES
threads = 4
timeout = 60
# Longer than nginx keeps an idle connection (deploy/nginx.conf), so that nginx ends it. After
# gunicorn's two seconds a form could meet a connection that was just ended: 502.
keepalive = 75
loglevel = "warning"
control_socket_disable = True
# The master writes its lines as the product does.
logconfig_dict: dict[str, Any] = dict(settings.LOGGING)
logconfig_dict["loggers"] = {
    **logconfig_dict["loggers"],
    "gunicorn.error": {"handlers": [], "level": "WARNING", "propagate": True},
}


def on_starting(server: object) -> None:
    """Forget what the processes of the last start have counted: Prometheus expects that."""
    del server
    settings.METRICS_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    for counted in settings.METRICS_DIR.glob("*.db"):
        counted.unlink()


def child_exit(server: object, worker: Any) -> None:
    """Leave its counts, and drop what only a living process has (its memory)."""
    del server
    multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
