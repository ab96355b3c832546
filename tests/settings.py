"""The product's settings with what tests need: their own folder, a broker that keeps nothing."""

import os
import tempfile

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="pyreval-tests-")
os.environ["SECRET_KEY"] = "only-for-tests-" + "0123456789" * 5
os.environ["LOCAL_HTTP"] = "true"
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "")
os.environ["CELERY_BROKER_URL"] = "memory://"
os.environ["PYREVAL_METHOD"] = "pyreval"
os.environ["SITE_URL"] = "https://classroom.example"

from pyreval_site.settings import *  # noqa: F403
from pyreval_site.settings import DATA_DIR, DATABASES, STORAGES

(DATA_DIR / "static").mkdir()

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = STORAGES | {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, not memory, so that a worker in another process sees the same rows.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
