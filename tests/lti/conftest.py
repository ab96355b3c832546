"""The LMS of the tests, registered here, with two courses and their people."""

from collections.abc import Iterator
from itertools import cycle

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.cache import cache
from pytest_django import Settings

from grading.lti.keys import jwks, key_make
from grading.models import LtiDeployment, LtiPlatform
from tests.lti.lms import INSTRUCTOR, OBSERVER, STUDENT, TA, Lms, Person
from tests.lti.visitor import TOOL


@pytest.fixture(scope="session")
def few_keys() -> Iterator[rsa.RSAPrivateKey]:
    """A run makes six and takes them in turn: making one takes long.

    Shorter than the product's: the LMS checks a key's primes whenever it signs, and that takes
    0.16 s with 3,072 bits.
    """
    return cycle([rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(6)])


@pytest.fixture(autouse=True)
def keys_made_before(
    monkeypatch: pytest.MonkeyPatch, few_keys: Iterator[rsa.RSAPrivateKey]
) -> None:
    monkeypatch.setattr(rsa, "generate_private_key", lambda **_: next(few_keys))


@pytest.fixture
def lms(db: None, settings: Settings) -> Iterator[Lms]:
    settings.LTI_PRIVATE_PLATFORMS = True
    cache.clear()
    lms = Lms(TOOL)
    lms.add_course(
        "course-1",
        "Biology",
        Person("i-1", "Irma Instructor", INSTRUCTOR),
        Person("t-1", "Tom Assistant", TA),
        Person("s-1", "Sam Student", STUDENT, "sam@example.org", "A"),
        Person("s-2", "Sue Student", STUDENT, "sue@example.org", "B"),
        Person("o-1", "Olive Observer", OBSERVER),
    )
    lms.add_course("course-2", "Physics", Person("i-2", "Ivo Instructor", INSTRUCTOR))
    yield lms
    lms.close()


@pytest.fixture
def platform(lms: Lms) -> LtiPlatform:
    """As an administrator registered it; the LMS knows our keys."""
    key_make()
    platform = LtiPlatform.objects.create(**lms.registration_values)
    LtiDeployment.objects.create(
        platform=platform, deployment_id=lms.deployment_id, is_allowed=True
    )
    lms.registration.set_tool_key_set(jwks())
    return platform
