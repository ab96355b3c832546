"""The Celery application. Started by ``celery -A pyreval_site worker``."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import celeryd_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyreval_site.settings")

app = Celery("pyreval_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def make_message_folders(**_: object) -> None:
    """The embedded broker is a folder, and kombu wants it to be there before it is used."""
    for folder in (app.conf.broker_transport_options or {}).values():
        if isinstance(folder, Path):
            folder.mkdir(parents=True, exist_ok=True)


celeryd_init.connect(make_message_folders)
