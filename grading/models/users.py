"""People who log in."""

import unicodedata
from functools import cache
from typing import ClassVar
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from grading.models.display_copies import DisplayCopyMixin
from grading.pyramid.characters import is_seen

# Letters that Unicode does not take apart into a plain one and an accent.
STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "þ": "th", "ð": "d", "æ": "ae", "œ": "oe"})

# Marks that turn the direction of what follows; letters know their own direction.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

LONGEST_LOGIN = 254  # an e-mail address; what is longer is nobody's


@cache
def known_time_zones() -> frozenset[str]:
    """Looked up once: the names are files, and a course in a file has a thousand people."""
    return frozenset(available_timezones())


def check_time_zone(name: str) -> None:
    if name not in known_time_zones():
        raise ValidationError(
            "“%(name)s” is not a time zone that we know. Try “Europe/Madrid”.",
            params={"name": name},
        )


def check_name(name: str) -> None:
    """One that a reader can see, and that does not turn the words around it."""
    if not any(one.isalnum() and is_seen(one) for one in name):
        raise ValidationError({"name": "A name has at least one letter."})
    if any(one in TURNING or unicodedata.category(one) == "Cc" for one in name):
        raise ValidationError(
            {"name": "This name holds characters that nobody sees. Type it by hand."}
        )


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """The user of this e-mail address or login, in whatever case it was typed.

        The address first: nobody shall catch another's log-in by a login that looks like it.
        """
        given = (username or "").strip()
        if len(given) > LONGEST_LOGIN:  # a database may not even look for it
            raise self.model.DoesNotExist
        user = self.filter(email__iexact=given).first() if "@" in given else None
        user = user or self.filter(username__iexact=given).first()
        if user is None:
            raise self.model.DoesNotExist
        return user

    def create_user(
        self, username: str, email: str = "", password: str | None = None, **fields: object
    ) -> "User":
        user = self.model(username=username, email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **fields: object
    ) -> "User":
        all_rights = {"is_staff": True, "is_superuser": True, "may_create_courses": True}
        return self.create_user(username, email, password, **{**all_rights, **fields})


class User(DisplayCopyMixin, AbstractBaseUser, PermissionsMixin):
    username = models.CharField(
        "login",
        max_length=150,
        unique=True,
        help_text="What you log in with: letters, digits and @ . + - _",
        validators=[UnicodeUsernameValidator()],
    )
    name = models.CharField("full name", max_length=200)
    email = models.EmailField("e-mail address", blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[check_time_zone])
    may_create_courses = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField("may open the administration pages", default=False)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="user_login_once",
                violation_error_message="Somebody has this login already. Choose another.",
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_once",
                condition=~models.Q(email=""),
                violation_error_message="There is an account with this e-mail address already.",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.username

    def clean(self) -> None:
        super().clean()
        self.name = " ".join(self.name.split())
        if self.name:
            check_name(self.name)

    @property
    def sort_key(self) -> tuple[str, str]:
        """By name as a reader looks for it: accents and case make no difference."""
        plain = unicodedata.normalize("NFKD", self.name.casefold()).translate(STROKES)
        bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
        return bare, self.username

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)
