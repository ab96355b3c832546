"""Before results or grades go out: what nobody has reviewed, with links to exactly those."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import Assignment, Score, User
from grading.pyramid.flags.text_flags import FlagKind
from grading.queue.actions import reviews_complete
from tests.conftest import Cast
from tests.pages import flat
from tests.queue_scene import Work, handed_in

ClientOf = Callable[[User | None], Client]
LINK = re.compile(r'<a href="([^"]+state=todo[^"]*)">(\d+)')


@pytest.fixture
def work(cast: Cast, assignment: Assignment) -> Assignment:
    """Five texts: two with flags of a worker, two contradict the experts, one is reviewed."""
    Assignment.objects.update(release=Assignment.Release.BY_HAND)
    works = [
        Work("Ann", flags=(FlagKind.GIBBERISH,)),
        Work("Bob", flags=(FlagKind.OFF_TOPIC, FlagKind.GIBBERISH)),
        *(Work(name) for name in ("Cyd", "Dan", "Eve")),
    ]
    submissions = handed_in(assignment, *works)
    Score.objects.filter(submission__in=submissions[1:3]).update(contradicted=2)
    reviews_complete(assignment=assignment, submissions=[submissions[0].pk], user=cast.ta)
    assignment.refresh_from_db()
    return assignment


def shown(client: Client, address: str) -> dict[str, int]:
    """The links before a release or an export, with the numbers that they promise."""
    result = LINK.findall(flat(client.get(address).text))
    return {unescape(link): int(number) for link, number in result}


PAGES = ("release", "gradebook_export", "gradebook_fresh")


@pytest.mark.parametrize("page", PAGES)
def test_each_link_leads_to_as_many_as_it_says(
    cast: Cast, work: Assignment, client_of: ClientOf, page: str
) -> None:
    client = client_of(cast.ta)
    query = "?kind=csv&scope=all" if page == "gradebook_fresh" else ""

    links = shown(client, f"{reverse(page, args=[work.pk])}{query}")

    assert sorted(links.values()) == [2, 2, 4]  # contradicts, flagged, not reviewed
    for link, number in links.items():
        listed = client.get(link).context["rows"]
        assert len(listed) == number


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_said_once_all_is_reviewed(
    cast: Cast, work: Assignment, client_of: ClientOf, page: str
) -> None:
    pks = list(work.submissions.values_list("pk", flat=True))
    reviews_complete(assignment=work, submissions=pks, user=cast.ta)
    query = "?kind=csv&scope=all" if page == "gradebook_fresh" else ""

    client = client_of(cast.ta)

    assert shown(client, f"{reverse(page, args=[work.pk])}{query}") == {}


def test_the_gradebook_has_flags_and_reviews_in_columns(
    cast: Cast, work: Assignment, client_of: ClientOf
) -> None:
    page = flat(client_of(cast.ta).get(reverse("gradebook", args=[work.pk])).text)

    cells = re.findall(r'<td data-label="(Flags|Reviewed)">(.*?)</td>', page)
    reviewed = [words for name, words in cells if name == "Reviewed"]
    flags = [words for name, words in cells if name == "Flags"]
    assert sum("Yes" in words for words in reviewed) == 1
    assert sum("No" in words for words in reviewed) == 4
    assert sum("Gibberish?" in words for words in flags) == 2
    assert sum("Contradicts the experts" in words for words in flags) == 2
