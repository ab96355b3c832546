"""What a new password must be, besides what Django asks. Older ones work until they are changed."""

import hashlib
import mmap
import re
from pathlib import Path

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core.exceptions import ValidationError

from grading.models import User

LEAST, LEAST_WITH_SECOND_FACTOR = 12, 8
_PRODUCT_WORDS = re.compile("pyreval|classroom|pyramid")
_LEAST_BESIDE_PRODUCT = 8  # letters and digits that are not a word of the product


class LongEnoughValidator:
    """Twelve characters; eight for those who have a second factor."""

    def validate(self, password: str, user: User | None = None) -> None:
        has_second_factor = bool(user and user.id and is_mfa_enabled(user))
        least = LEAST_WITH_SECOND_FACTOR if has_second_factor else LEAST
        if len(password) < least:
            raise ValidationError(
                f"This password is too short. Use at least {least} characters.",
                code="password_too_short",
            )

    def get_help_text(self) -> str:
        return f"At least {LEAST} characters. Several words together are easy to remember."


class ProductNameValidator:
    """A word of the product and little else is what somebody would try first."""

    def validate(self, password: str, user: User | None = None) -> None:
        del user
        letters = "".join(filter(str.isalnum, password.lower()))
        rest, replaced = _PRODUCT_WORDS.subn("", letters)
        if replaced and len(rest) < _LEAST_BESIDE_PRODUCT:
            raise ValidationError(
                "This password is too similar to the name of this site. Choose other words.",
                code="password_product_name",
            )

    def get_help_text(self) -> str:
        return ""


class BreachedPasswordValidator:
    """Passwords that were published after a break-in, where the operator has a list of them."""

    def validate(self, password: str, user: User | None = None) -> None:
        del user
        path = settings.BREACHED_PASSWORDS_FILE
        if path is not None and is_breached(password, path):
            raise ValidationError(
                "This password was leaked from another site. Choose another.",
                code="password_breached",
            )

    def get_help_text(self) -> str:
        return ""


def is_breached(password: str, path: Path) -> bool:
    """Search the file by halves; its lines begin with SHA-1 hashes in rising order."""
    wanted = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as lines:
        low, high = 0, len(lines)  # the line, if it is there, starts in this range
        while low < high:
            middle = (low + high) // 2
            start = lines.rfind(b"\n", 0, middle) + 1
            end = lines.find(b"\n", middle)
            end = len(lines) if end < 0 else end
            digest = lines[start : start + len(wanted)].upper()
            if digest == wanted:
                return True
            low, high = (end + 1, high) if digest < wanted else (low, start)
    return False
