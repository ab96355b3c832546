"""All settings, read from the environment (and from ``.env`` beside manage.py, which it overrides).

A value that cannot be understood, or a secret that is missing, stops the start with a sentence.
``.env.example`` lists every name; a test keeps the two equal.
"""

import os
import tomllib
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env, validate

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

# Whatever the program writes, only its own account reads.
os.umask(0o077)
# Everything that the embedded default writes: database, message folder, secret key, static files.
DATA_DIR = Path(env.str("DATA_DIR", "") or BASE_DIR / ".run").expanduser().resolve()


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
WEB_PROCESSES = env.int("WEB_PROCESSES", 2)  # of gunicorn, with four threads each
# Where people reach the site; links in e-mails begin with it. Never taken from a request.
SITE_URL = env.str("SITE_URL", "http://localhost:8000" if not SECURE else "").rstrip("/")
if not SITE_URL:
    SITE_URL = f"https://{ALLOWED_HOSTS[0].lstrip('.')}"
# Number of reverse proxies in front of the web server; 0 means that clients connect directly.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)

# From where /healthz, /readyz and /metrics are answered; they need no log-in and no HTTPS.
MONITORING_NETWORKS = [
    ip_network(network) for network in env.list("MONITORING_NETWORKS", ["127.0.0.0/8", "::1/128"])
]
# /readyz says that something is wrong when less is free where DATA_DIR is.
LEAST_FREE_DISK_MB = env.int("LEAST_FREE_DISK_MB", 500)
# What the web processes of this machine have counted; prometheus_client reads the variable.
METRICS_DIR = Path(env.str("METRICS_DIR", "") or DATA_DIR / "metrics").resolve()
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)

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
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.saml",
    "grading",
]

MIDDLEWARE = [
    "grading.operations.monitoring.MonitoringMiddleware",
    "grading.web.requests.CallerMiddleware",
    "grading.api.middleware.ApiProblemMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "grading.web.middleware.LargestRequestMiddleware",
    "grading.web.middleware.CharsetMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "grading.lti.middleware.LaunchedPagesMiddleware",
    "grading.accounts.middleware.SessionMiddleware",
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
    "allauth.account.middleware.AccountMiddleware",
    "grading.accounts.middleware.IdleSessionMiddleware",
    "grading.accounts.middleware.SecondFactorMiddleware",
    "grading.accounts.middleware.SingleSignOnMiddleware",
    "grading.api.middleware.ApiTokenMiddleware",
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
    # instead of failing at the first write. What is saved is on the disk before anybody is told
    # (FULL), so a power cut takes no grade back. What is deleted is overwritten in the file.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
        "PRAGMA secure_delete=ON;",
    }
else:
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Rate limits are counted here, for all web processes: in the database, or in Redis.
CACHE_URL = env.str("CACHE_URL", "")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache"
        if CACHE_URL
        else "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": CACHE_URL or "cache_entries",
        "KEY_PREFIX": "pyreval",
        **({} if CACHE_URL else {"OPTIONS": {"MAX_ENTRIES": 100_000}}),
    }
}

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
else:
    # A page that starts a job wakes a worker through the broker. Where that is away or hangs, it
    # waits a few seconds at most: the sweeper sends what was not sent.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"max_retries": 0}
    if CELERY_BROKER_URL.startswith(("redis://", "rediss://")):
        CELERY_BROKER_TRANSPORT_OPTIONS |= {"socket_connect_timeout": 2, "socket_timeout": 2}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# A worker process that is at one job for so long is killed; the job then counts as one whose
# worker died. One that has grown above so many KiB is replaced after its job.
CELERY_TASK_TIME_LIMIT = 30 * 60
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1_500_000
# Seconds until a killed process is replaced. Celery waits 10 for its result; ours are Job rows.
CELERY_WORKER_LOST_WAIT = 1.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
# Workers are woken through two queues: “quick” for what somebody waits for, “slow” for all else.
CELERY_TASK_DEFAULT_QUEUE = "slow"
CELERY_TASK_QUEUES = {
    name: {"exchange": name, "exchange_type": "direct"} for name in ("quick", "slow")
}
# Once more, at once: the connection may be that to a broker which has been restarted since.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0}
# A worker that says nothing for this long is taken for dead, and its job is given to another.
JOB_LEASE_SECONDS = env.int("JOB_LEASE_SECONDS", 30)
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {"task": "grading.sweep_jobs", "schedule": max(1.0, JOB_LEASE_SECONDS / 2)},
    "look-for-mails": {"task": "grading.look_for_mails", "schedule": 5 * 60.0},
    "look-for-webhooks": {"task": "grading.look_for_webhooks", "schedule": 30.0},
    "clear-away": {"task": "grading.clear_away", "schedule": 10 * 60.0},
    "look-for-grades": {"task": "grading.look_for_grades", "schedule": 5 * 60.0},
    "sync-lms-rosters": {"task": "grading.sync_lms_rosters", "schedule": 60 * 60.0},
}
# Remembered nowhere: a file that was half written when the machine stopped would keep the sweeper
# from ever starting again, and an interval needs no memory.
CELERY_BEAT_SCHEDULER = "pyreval_site.clock:Clock"
# So many builds, and jobs about a whole class or course, run at once for one course.
JOBS_PER_COURSE = env.int("JOBS_PER_COURSE", 2, validate=validate.Range(min=1))

# Quotas: of one student at one assignment in 24 hours, and of one person in an hour.
ATTEMPTS_A_DAY = env.int("ATTEMPTS_A_DAY", 30, validate=validate.Range(min=1))
BUILDS_AN_HOUR = env.int("BUILDS_AN_HOUR", 30, validate=validate.Range(min=1))
# The longest source text of an assignment, in characters: some 30,000 words.
SOURCE_TEXT_CHARACTERS = env.int("SOURCE_TEXT_CHARACTERS", 200_000, validate=validate.Range(min=1))

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
# Logs in by login or verified address (grading/models/users.py).
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
# The first makes new hashes. What the second made still works until the next log-in.
PASSWORD_HASHERS = [
    "pyreval_site.password_hasher.Argon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "grading.accounts.passwords.LongEnoughValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "grading.accounts.passwords.ProductNameValidator"},
    {"NAME": "grading.accounts.passwords.BreachedPasswordValidator"},
]
# SHA-1 hashes of breached passwords in hexadecimal, one a line, sorted; None: not checked.
BREACHED_PASSWORDS_FILE = (
    Path(_breached).expanduser().resolve()
    if (_breached := env.str("BREACHED_PASSWORDS_FILE", ""))
    else None
)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"
# May visitors create an account by themselves? (Course codes decide what they can then see.)
OPEN_SIGN_UP = env.bool("OPEN_SIGN_UP", True)
# A session that is not used for so many minutes ends; 0: it lasts two weeks in any case.
SESSION_IDLE_MINUTES = env.int("SESSION_IDLE_MINUTES", 24 * 60)
# Must instructors, TAs and administrators have a second factor before they see anything?
REQUIRE_SECOND_FACTOR = env.bool("REQUIRE_SECOND_FACTOR", False)

# django-allauth. Sign-up, log-in and the rest are its; docs/decisions/0023-allauth.md.
ACCOUNT_ADAPTER = "grading.accounts.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_EMAIL_FIELD = None  # ours holds verified addresses only
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
# “mandatory”: nobody gets in without a verified address. “optional”: for servers without mail.
ACCOUNT_EMAIL_VERIFICATION = env.str(
    "EMAIL_VERIFICATION", "mandatory", validate=validate.OneOf(["mandatory", "optional"])
)
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 10 * 60
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {
    "login": "grading.accounts.forms.LogInForm",
    "signup": "grading.accounts.forms.SignUpForm",
    "add_email": "grading.accounts.forms.EmailForm",
    "change_password": "grading.accounts.forms.ChangedPasswordForm",
    "set_password": "grading.accounts.forms.FirstPasswordForm",
    "reset_password": "grading.accounts.forms.ForgottenPasswordForm",
    "reset_password_from_key": "grading.accounts.forms.NewPasswordForm",
    "reauthenticate": "grading.accounts.forms.ReauthenticateForm",
}
# Of each API token (grading/api/).
API_REQUESTS_A_MINUTE = env.int("API_REQUESTS_A_MINUTE", 300)
# Wrong passwords count, right ones do not. A “key” is an account at an address, or an e-mail
# address. A class behind one address must still get in: see docs/operations.md.
ACCOUNT_RATE_LIMITS = {
    "login": "600/m/ip",
    "login_failed": "50/15m/ip,10/15m/key",
    "login_failed_anywhere": "100/h/key",
    "signup": "60/m/ip,300/h/ip",
    "reset_password": "30/h/ip,3/h/key",
    "reset_password_from_key": "60/m/ip",
    "confirm_email": "1/m/key,6/h/key",
    "change_password": "5/m/user,20/h/user",
    "manage_email": "10/m/user,30/h/user",
    "reauthenticate": "5/m/user,20/h/user",
    "join_code": "10/10m/user,50/10m/ip",
    "api": f"{API_REQUESTS_A_MINUTE}/m/key",
    "api_failed": "30/5m/ip",
    "saml_answer": "600/m/ip",
    "lti_login": "600/m/ip",  # a class launches from one address
}
MFA_ADAPTER = "grading.accounts.mfa_adapter.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "PyrEval Classroom"
MFA_TOTP_TOLERANCE = 1  # a clock that is half a minute wrong
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SECURE
MFA_FORMS = {
    "authenticate": "grading.accounts.second_factor_forms.CodeForm",
    "reauthenticate": "grading.accounts.second_factor_forms.CodeAgainForm",
    "add_webauthn": "grading.accounts.second_factor_forms.AddPasskeyForm",
    "authenticate_webauthn": "grading.accounts.second_factor_forms.PasskeyForm",
    "login_webauthn": "grading.accounts.second_factor_forms.PasskeyLogInForm",
    "reauthenticate_webauthn": "grading.accounts.second_factor_forms.PasskeyAgainForm",
    "activate_totp": "grading.accounts.second_factor_forms.ActivateAppForm",
}

# Single sign-on: one OpenID Connect provider, one SAML provider.
OIDC_SERVER_URL = env.str("OIDC_SERVER_URL", "")
SAML_METADATA_URL = env.str("SAML_METADATA_URL", "")
SAML_ENTITY_ID = env.str("SAML_ENTITY_ID", "")
SOCIALACCOUNT_ADAPTER = "grading.accounts.adapter.SingleSignOnAdapter"
# Whoever the provider says has a verified address is the account that has it here.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_LOGIN_ON_GET = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_FORMS = {"signup": "grading.accounts.forms.SingleSignOnSignUpForm"}
SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, list[dict[str, object]]]] = {}
if OIDC_SERVER_URL:
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {
        "APPS": [
            {
                "provider_id": "oidc",
                "name": env.str("OIDC_NAME", "your university"),
                "client_id": env.str("OIDC_CLIENT_ID"),
                "secret": env.str("OIDC_CLIENT_SECRET"),
                "settings": {"server_url": OIDC_SERVER_URL, "oauth_pkce_enabled": True},
            }
        ]
    }
if SAML_METADATA_URL:
    SOCIALACCOUNT_PROVIDERS["saml"] = {
        "APPS": [
            {
                "provider_id": "saml",
                "name": env.str("SAML_NAME", "your university"),
                "client_id": "saml",
                "settings": {
                    "verified_email": True,  # a university knows the addresses of its people
                    "idp": {"entity_id": SAML_ENTITY_ID, "metadata_url": SAML_METADATA_URL},
                },
            }
        ]
    }

# May platforms of LTI have http addresses and private ones? For development and tests only: they
# could make this server ask machines of its own network.
LTI_PRIVATE_PLATFORMS = env.bool("LTI_PRIVATE_PLATFORMS", False)

EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = env.str("EMAIL_HOST", "")
EMAIL_PORT = env.int("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", True)
EMAIL_TIMEOUT = 30  # seconds, for each answer of the mail server
if not EMAIL_HOST:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
ADMINISTRATOR_EMAIL = env.str("ADMINISTRATOR_EMAIL", "")
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "PyrEval Classroom <classroom@localhost>")

# --- Language, time, files ------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", "UTC")

STATIC_URL = "static/"
# Where `collectstatic` writes them. In a folder that a proxy can read, it sends them by itself.
STATIC_ROOT = Path(env.str("STATIC_ROOT", "") or DATA_DIR / "static").expanduser().resolve()
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "pyreval_site.static_files.PublicStaticFiles"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no page of another site needs our files

# A whole request; one text is limited by its form (grading/web/texts_in_forms.py).
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
LARGEST_REQUEST = 10_000_000  # with its files, in bytes
LARGEST_WORK_UPLOAD = 50_000_000  # of files that are sent in for a class at once
# A whole course in a file (a zip), as it is exported and imported; and what may come out of it.
LARGEST_COURSE_FILE = 1_000_000 * env.int("LARGEST_COURSE_FILE_MB", 100)
LARGEST_COURSE_UNPACKED = 20 * LARGEST_COURSE_FILE
COURSE_FILE_DAYS = 7  # after which it is deleted
# What a course's file may hold, and how much processor time it may take to read.
COURSE_FILE_PARTS = env.int("COURSE_FILE_PARTS", 50_000, validate=validate.Range(min=1))
COURSE_FILE_ROWS = env.int("COURSE_FILE_ROWS", 1_000_000, validate=validate.Range(min=1))
COURSE_FILE_PEOPLE = env.int("COURSE_FILE_PEOPLE", 20_000, validate=validate.Range(min=1))
COURSE_FILE_SECONDS = env.int("COURSE_FILE_SECONDS", 120, validate=validate.Range(min=1))
# Files that a web process (or a worker) reads at once, and how long others wait for a place.
FILES_READ_AT_ONCE = env.int("FILES_READ_AT_ONCE", 2, validate=validate.Range(min=1))
FILE_WAIT_SECONDS = env.float("FILE_WAIT_SECONDS", 2.0, validate=validate.Range(min=0))
# What is deleted for good is hidden at once, and can be brought back for so long.
GRACE_DAYS = 7
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6_000  # an upload of 2,000 files as it is looked at
DATA_UPLOAD_MAX_NUMBER_FILES = 520

# --- Security -------------------------------------------------------------------------------------

# Where people log in at a provider: where its metadata are, unless a federation serves those.
SIGN_ON_ORIGINS = [
    f"{urlsplit(url).scheme}://{urlsplit(url).netloc}"
    for url in (OIDC_SERVER_URL, SAML_METADATA_URL, *env.list("SIGN_ON_ORIGINS", []))
    if url
]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        # A form may lead on to the single sign-on, in the browsers that ask.
        "form-action": [SELF, *SIGN_ON_ORIGINS],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
SECURE_SSL_REDIRECT = SECURE
# With this prefix a browser takes a cookie over HTTPS only, of this very host, for all its pages.
_HOST_ONLY = "__Host-" if SECURE else ""
SESSION_COOKIE_NAME = f"{_HOST_ONLY}sessionid"
CSRF_COOKIE_NAME = f"{_HOST_ONLY}csrftoken"
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

# Webhooks go to addresses of the internet only; here, what they may reach besides.
WEBHOOK_NETWORKS = list(map(ip_network, env.list("WEBHOOK_NETWORKS", [])))

# --- Log ------------------------------------------------------------------------------------------

# “line” to read, or “json” for machines: one object a line, each request among them.
LOG_FORMAT = env.str("LOG_FORMAT", "line")
if LOG_FORMAT not in {"line", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT is “{LOG_FORMAT}”. Choose line or json.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"refusals": {"()": "pyreval_site.log_lines.RefusalsInOneLine"}},
    "formatters": {
        "line": {
            "()": "pyreval_site.log_lines.TraceWithoutMessages",
            "format": "{asctime} {levelname:7} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "pyreval_site.log_lines.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["refusals"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "grading": {"level": env.str("LOG_LEVEL", "INFO")},
        # Every request is a line for machines; to read, those that failed are enough.
        "grading.requests": {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"},
        # Django's own handlers would write each error a second time, with its message.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
    },
}
