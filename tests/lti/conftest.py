"""The LMS of the tests, registered here, with two courses and their people."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import Settings

from grading.lti.keys import jwks, key_make
from grading.models import LtiDeployment, LtiPlatform
from tests.lti.lms import INSTRUCTOR, OBSERVER, STUDENT, TA, Lms, Person
from tests.lti.visitor import TOOL


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
