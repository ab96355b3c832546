"""The Celery application. Started by ``celery -A pyreval_site worker``."""

import os
import resource
from pathlib import Path

from celery import Celery
from celery.signals import celeryd_after_setup, celeryd_init, worker_process_init, worker_ready
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyreval_site.settings")
# More threads double the processor time of small matrices, and gain nothing.
os.environ.setdefault("OMP_NUM_THREADS", "1")

MOST_MEMORY = 6 * 2**30  # address space of a worker process in bytes; it needs 0.7 * 2**30

TRANSPORT_ALIASES["filesystem"] = "pyreval_site.broker:Transport"

app = Celery("pyreval_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def make_message_folders(**_: object) -> None:
    """The embedded broker is a folder, and kombu wants it to be there before it is used."""
    folders = app.conf.broker_transport_options or {}
    for folder in folders.values():
        if isinstance(folder, Path):
            folder.mkdir(parents=True, exist_ok=True)
    if control := folders.get("control_folder"):
        _mend_exchanges(control)


def _mend_exchanges(control: Path) -> None:
    """kombu makes these files empty and fills them: who reads, or is killed, between fails.

    An empty one would keep every later worker from starting.
    """
    ours = {control / f"{name}.exchange" for name in app.amqp.queues}
    for file in {*ours, *control.glob("*.exchange")}:
        if not (file.exists() and file.read_bytes().strip()):
            written = file.with_suffix(f".{os.getpid()}")
            written.write_text("[]")
            written.replace(file)


def refuse_changed_models(**_: object) -> None:
    """A worker runs what is in the packages of its models, so it does not begin with others."""
    from grading.pyramid.model_files import changed_packages  # noqa: PLC0415  (web: not needed)

    if changed := changed_packages():
        raise SystemExit(" ".join([*changed, "Install the packages of requirements.txt again."]))


def listen_to_quick_jobs(**_: object) -> None:
    """A worker that does slow jobs does quick ones too, so it must be woken for both."""
    queues = app.amqp.queues
    if "slow" in queues.consume_from:
        queues.select_add(queues["quick"])


def limit_memory(**_: object) -> None:
    """A text that needs more than this is an error of one job, not the end of the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def start_pulse(**_: object) -> None:
    """Each process of the pool says that it lives; they fork no more, so a thread is safe there."""
    from grading.jobs.pulse import worker_pulse_start  # noqa: PLC0415  (Django is ready only now)

    worker_pulse_start()


def renew_scores(**_: object) -> None:
    """A worker that starts may be a newer version than the one that scored last."""
    app.send_task("grading.renew_scores")


celeryd_init.connect(refuse_changed_models)
celeryd_init.connect(make_message_folders)
celeryd_after_setup.connect(listen_to_quick_jobs)
worker_process_init.connect(limit_memory)
worker_process_init.connect(start_pulse)
worker_ready.connect(renew_scores)
