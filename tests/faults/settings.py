"""The product's settings, for processes that fail where a test wants them to."""

from pyreval_site.settings import *  # noqa: F403
from pyreval_site.settings import STORAGES
from tests.faults.failing import prepare

STORAGES = STORAGES | {  # nobody looks at the pages
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
prepare()
