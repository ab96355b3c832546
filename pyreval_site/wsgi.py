"""The door for WSGI servers."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyreval_site.settings")

application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - imports the pages now, so that nobody waits for that
