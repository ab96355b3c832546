"""The site's own keys: made, rotated, published, and used to sign what is sent to platforms.

Private keys are kept encrypted with a key that is derived from SECRET_KEY: a copy of the database
alone signs nothing. After a change of SECRET_KEY they cannot be read, and ``lti_keys --rotate``
makes a new one.
"""

import hashlib
import json
import time
from base64 import urlsafe_b64encode
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

import jwt
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from jwt.algorithms import RSAAlgorithm

from grading.models import LtiKey
from grading.pyramid.errors import PyramidError

ALGORITHM = "RS256"
BITS = 3072  # as strong as a cipher of 128 bits
# A platform may have fetched the keys just before they were rotated, and keep them for a while.
OVERLAP = timedelta(days=7)
SECONDS_GOOD = 300


class NoKeyError(PyramidError):
    """There is no key that this site can sign with."""


def _vault() -> Fernet:
    secret = hashlib.sha256(b"grading.lti.keys:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(urlsafe_b64encode(secret))


def usable_keys() -> Any:
    """All that platforms are to know, the newest first."""
    return LtiKey.objects.filter(Q(retires_at=None) | Q(retires_at__gt=timezone.now()))


@transaction.atomic
def key_make() -> LtiKey:
    """Make a key pair that signs now; earlier ones stay public for a week."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    pem = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    kid = token_urlsafe(12)
    public = json.loads(RSAAlgorithm.to_jwk(private.public_key()))
    public = {name: public[name] for name in ("kty", "n", "e")}
    LtiKey.objects.filter(retires_at=None).update(retires_at=timezone.now() + OVERLAP)
    return LtiKey.objects.create(
        kid=kid,
        sealed=_vault().encrypt(pem).decode("ascii"),
        public=public | {"kid": kid, "alg": ALGORITHM, "use": "sig"},
    )


def key_ensure() -> None:
    """Make the first key where there is none."""
    if not LtiKey.objects.filter(retires_at=None).exists():
        key_make()


def jwks() -> dict[str, list[dict[str, str]]]:
    """What platforms verify our signatures with."""
    return {"keys": [key.public for key in usable_keys()]}


def sign(claims: dict[str, Any]) -> str:
    """A JWT of these claims, good for five minutes from now."""
    key = LtiKey.objects.filter(retires_at=None).first()
    if key is None:
        raise NoKeyError("This site has no LTI key. An administrator runs manage.py lti_keys.")
    try:
        pem = _vault().decrypt(key.sealed.encode("ascii"))
    except InvalidToken:
        raise NoKeyError(
            "SECRET_KEY has changed since the LTI key was made. An administrator runs "
            "manage.py lti_keys --rotate."
        ) from None
    # Its primes were checked when it was made, and the seal says that it is the same: to check them
    # again would take 0.16 s of each message.
    private: Any = serialization.load_pem_private_key(
        pem, password=None, unsafe_skip_rsa_key_validation=True
    )
    now = int(time.time())
    times = {"iat": now, "exp": now + SECONDS_GOOD, "jti": token_urlsafe(16)}
    return jwt.encode(claims | times, private, algorithm=ALGORITHM, headers={"kid": key.kid})
