"""People who log in, and the e-mail address that is theirs.

``User.email`` is an address that its owner has confirmed, or that an administrator vouched for; it
is empty until then. What somebody only typed is an unverified row of allauth's ``EmailAddress``,
and identifies nobody.
"""

import unicodedata
from functools import cache
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, available_timezones

from django.apps import apps
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.db.models.signals import post_delete, post_save
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
    if not any(character.isalnum() and is_seen(character) for character in name):
        raise ValidationError({"name": "Enter a name with at least one letter."})
    if any(character in TURNING or unicodedata.category(character) == "Cc" for character in name):
        raise ValidationError({"name": "This name has invisible characters. Type it again."})


def _addresses() -> "models.Manager[Any]":
    """The addresses of everybody, verified or not: allauth's table, which needs ours first."""
    manager: models.Manager[Any] = apps.get_model("account", "EmailAddress").objects
    return manager


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """The user of this verified address or login, in whatever case it was typed.

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
        """Make an account whose address the caller vouches for."""
        user = self.model(username=username, **fields)
        user.set_password(password)
        user.save(using=self._db)
        if email:
            user.verify_email(email)
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
        help_text="You log in with it. Letters, digits and @ . + - _",
        validators=[UnicodeUsernameValidator()],
    )
    name = models.CharField("full name", max_length=200)
    email = models.EmailField("verified e-mail address", blank=True)
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
                violation_error_message="An account with this e-mail address exists.",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.username

    def clean(self) -> None:
        super().clean()
        self.name = " ".join(self.name.split())
        if self.name:
            check_name(self.name)
        if self._state.adding and "@" in self.username:
            raise ValidationError({"username": "A login has no @. You can log in by e-mail, too."})

    @property
    def verified_email(self) -> str:
        """The address that mail may go to, and by which the user is known; empty if none is."""
        return self.email

    @property
    def pending_email(self) -> str:
        """An address that the user has given and not confirmed yet."""
        addresses = _addresses()
        waiting = addresses.filter(user=self, verified=False).order_by("-pk")
        return str(waiting.values_list("email", flat=True).first() or "")

    def verify_email(self, address: str) -> None:
        """Make this the user's one address: the caller knows that it is theirs. Empty: none."""
        addresses = _addresses()
        addresses.filter(user=self).exclude(email=address.lower()).delete()
        if address:
            addresses.update_or_create(
                user=self, email=address.lower(), defaults={"verified": True, "primary": True}
            )
        self.email = address.lower()

    @property
    def sort_key(self) -> tuple[str, str]:
        """By name as a reader looks for it: accents and case make no difference."""
        plain = unicodedata.normalize("NFKD", self.name.casefold()).translate(STROKES)
        bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
        return bare, self.username

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


def _copy_verified_email(instance: Any, **kwargs: object) -> None:
    """Keep ``User.email`` equal to the verified one of the user's addresses."""
    del kwargs
    rows = _addresses().filter(user=instance.user_id, verified=True)
    address = rows.order_by("-primary", "pk").values_list("email", flat=True).first() or ""
    User.objects.filter(pk=instance.user_id).exclude(email=address).update(email=address)
    if type(instance).user.is_cached(instance):
        instance.user.email = address


post_save.connect(_copy_verified_email, sender="account.EmailAddress")
post_delete.connect(_copy_verified_email, sender="account.EmailAddress")
