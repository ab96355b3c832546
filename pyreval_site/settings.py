"""All settings, read from the environment (and from ``.env`` beside manage.py, which it overrides).

A value that cannot be understood, or a secret that is missing, stops the start with a sentence.
``.env.example`` lists every name; a test keeps the two equal.
"""

import tomllib
from pathlib import Path

import dj_database_url
import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env

# Lets generic classes such as ModelForm[User] be written down for the type checker.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent

PRODUCT_VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]

env = Env()
env.read_env(str(BASE_DIR / ".env"), recurse=False)

# --- Where we run ---------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", False)
# Plain HTTP on this machine only (`make run`): no TLS redirect, no secure cookies, no HSTS.
LOCAL_HTTP = env.bool("LOCAL_HTTP", False)
SECURE = not (DEBUG or LOCAL_HTTP)

# Everything that the embedded default writes: database, message folder, secret key, static files.
DATA_DIR = Path(env.str("DATA_DIR", "") or BASE_DIR / ".run").resolve()


def _secret_key() -> str:
    if given := env.str("SECRET_KEY", ""):
        return given
    try:
        return (DATA_DIR / "secret_key").read_text().strip()
    except FileNotFoundError:
        raise ImproperlyConfigured(
            f"SECRET_KEY is not set, and there is no file {DATA_DIR / 'secret_key'}. Set it to a "
            "long random string, or run `make setup` with the same DATA_DIR: it writes that file."
        ) from None


SECRET_KEY = _secret_key()
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
# Number of reverse proxies in front of the web server; 0 means that clients connect directly.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)

# --- Parts ----------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "axes",
    "grading",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "grading.web.middleware.LargestRequestMiddleware",
    "grading.web.middleware.CharsetMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "grading.web.middleware.LoggedOutPartMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "grading.web.middleware.ReaderMiddleware",
    "grading.web.middleware.VisitMiddleware",
    "grading.web.middleware.PlainErrorMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "pyreval_site.urls"
WSGI_APPLICATION = "pyreval_site.wsgi.application"
ASGI_APPLICATION = "pyreval_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "grading.web.middleware.only_read",
            ],
        },
    },
]

# --- Data -----------------------------------------------------------------------------------------

DATABASES = {
    "default": dj_database_url.parse(
        env.str("DATABASE_URL", "") or f"sqlite:///{DATA_DIR / 'classroom.sqlite3'}",
        conn_max_age=60,
        conn_health_checks=True,
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets pages read while a worker writes; immediate transactions wait for their turn
    # instead of failing at the first write.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Work in the background -----------------------------------------------------------------------

EMBEDDED_BROKER = "filesystem://localhost"
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "") or EMBEDDED_BROKER
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
if CELERY_BROKER_URL == EMBEDDED_BROKER:
    _messages = DATA_DIR / "messages"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": _messages / "waiting",
        "data_folder_out": _messages / "waiting",
        "control_folder": _messages / "control",
        "polling_interval": 0.1,
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A worker process that is at one job for so long is killed; the job then counts as one whose
# worker died. One that has grown above so many KiB is replaced after its job.
CELERY_TASK_TIME_LIMIT = 30 * 60
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1_500_000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TASK_DEFAULT_QUEUE = "pyreval"
CELERY_TASK_PUBLISH_RETRY = False
# A worker that says nothing for this long is taken for dead, and its job is given to another.
JOB_LEASE_SECONDS = env.int("JOB_LEASE_SECONDS", 30)
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "grading.sweep_jobs", "schedule": max(1.0, JOB_LEASE_SECONDS / 2)},
    "clear-away": {"task": "grading.clear_away", "schedule": 10 * 60.0},
}
# Remembered nowhere: a file that was half written when the machine stopped would keep the sweeper
# from ever starting again, and an interval needs no memory.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"

# The method by which pyramids are built and summaries are scored (grading/pyramid/registry.py).
PYREVAL_METHOD = env.str("PYREVAL_METHOD", "classroom")
# A directory with another encoder of words in context (model.onnx, tokenizer.json); None: MiniLM.
PYREVAL_ENCODER_DIR = (
    Path(_encoder).expanduser().resolve()
    if (_encoder := env.str("PYREVAL_ENCODER_DIR", ""))
    else None
)

# --- People ---------------------------------------------------------------------------------------

AUTH_USER_MODEL = "grading.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
# May visitors create an account by themselves? (Course codes decide what they can then see.)
OPEN_SIGN_UP = env.bool("OPEN_SIGN_UP", True)

# Ten wrong passwords for one name from one address close that pair for fifteen minutes.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "registration/locked_out.html"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_USERNAME_CALLABLE = "grading.access.get_tried_login"
AXES_CLIENT_IP_CALLABLE = "grading.access.get_client_address"
AXES_VERBOSE = False

EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = env.str("EMAIL_HOST", "")
EMAIL_PORT = env.int("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", True)
if not EMAIL_HOST:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "PyrEval Classroom <classroom@localhost>")

# --- Language, time, files ------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", "UTC")

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG

# A whole request; one text is limited by its form (grading/web/texts_in_forms.py).
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
LARGEST_REQUEST = 10_000_000  # with its files, in bytes
LARGEST_WORK_UPLOAD = 50_000_000  # of files that are sent in for a class at once
# A whole course in a file (a zip), as it is exported and imported; and what may come out of it.
LARGEST_COURSE_FILE = 1_000_000 * env.int("LARGEST_COURSE_FILE_MB", 100)
LARGEST_COURSE_UNPACKED = 20 * LARGEST_COURSE_FILE
COURSE_FILE_DAYS = 7  # after which it is deleted
# What is deleted for good is hidden at once, and can be brought back for so long.
GRACE_DAYS = 7
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6_000  # an upload of 2,000 files as it is looked at
DATA_UPLOAD_MAX_NUMBER_FILES = 520

# --- Security -------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
SECURE_SSL_REDIRECT = SECURE
SESSION_COOKIE_SECURE = SECURE
CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
SECURE_HSTS_PRELOAD = SECURE
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Log ------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname:7} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"grading": {"level": env.str("LOG_LEVEL", "INFO")}},
}
