"""The product's settings, for processes that fail where a test wants them to."""

import os

from pyreval_site.settings import *  # noqa: F403
from pyreval_site.settings import CELERY_TASK_TIME_LIMIT, STORAGES
from tests.faults.failing import prepare

STORAGES = STORAGES | {  # nobody looks at the pages
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
CELERY_TASK_TIME_LIMIT = int(os.environ.get("FAULTS_TIME_LIMIT", CELERY_TASK_TIME_LIMIT))
prepare()
