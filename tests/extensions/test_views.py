"""The page of extensions: granting, changing, removing, searching; hidden names."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from grading.access.hidden_names import pseudonym
from grading.models import Assignment, Extension, Membership, User
from tests.conftest import Cast
from tests.pages import flat

ClientOf = Callable[[User | None], Client]
DUE = datetime(2030, 5, 1, 12, tzinfo=UTC)
LATER = "2030-05-04T18:30"


@pytest.fixture
def due(cast: Cast, assignment: Assignment) -> Assignment:
    """Due on 1 May 2030, two finals; in Madrid. Zoë is in section A."""
    type(cast.course).objects.update(time_zone="Europe/Madrid")
    Assignment.objects.update(due_at=DUE, max_attempts=2)
    Membership.objects.filter(user=cast.student).update(section="A")
    assignment.refresh_from_db()
    return assignment


def add(client: Client, assignment: Assignment, whom: str, **data: object) -> str:
    sent = {"whom": whom, "due_at": LATER, "max_attempts": "", "reason": "Was ill."} | data
    address = reverse("extension_add", args=[assignment.pk])
    return flat(client.post(address, sent, follow=True).text)


def test_a_student_is_extended_on_the_clocks_of_the_course(
    cast: Cast, due: Assignment, client_of: ClientOf
) -> None:
    text = add(client_of(cast.instructor), due, f"student:{cast.student.pk}", max_attempts="3")

    assert "Extension added." in text
    extension = Extension.objects.get()
    assert extension.due_at == datetime(2030, 5, 4, 16, 30, tzinfo=UTC)
    assert (extension.student, extension.max_attempts) == (cast.student, 3)
    assert (extension.author, extension.reason) == (cast.instructor, "Was ill.")


def test_a_section_is_extended_at_once(cast: Cast, due: Assignment, client_of: ClientOf) -> None:
    add(client_of(cast.instructor), due, "section:A")

    extension = Extension.objects.get()
    assert (extension.section, extension.student, extension.max_attempts) == ("A", None, None)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"whom": ""}, "Choose a student or a section."),
        ({"whom": "student:999999"}, "is not one of the available choices"),
        ({"due_at": "2030-04-01T12:00"}, "Choose a later due date than the class has"),
        ({"due_at": "", "max_attempts": "2"}, "Choose a later due date than the class has"),
        ({"due_at": "9999-04-01T12:00"}, "Check the year 9999."),
        ({"reason": ""}, "This field is required"),
        ({"whom": "", "due_at": ""}, "Choose a later due date than the class has"),
        ({"max_attempts": "51"}, "less than or equal to 50"),
    ],
)
def test_what_extends_nothing_is_refused(
    cast: Cast, due: Assignment, client_of: ClientOf, changes: dict[str, str], said: str
) -> None:
    data = {"whom": "section:A", **changes}
    text = add(client_of(cast.instructor), due, data.pop("whom"), **data)

    assert said in text
    assert "violated" not in text
    assert not Extension.objects.exists()


def test_nobody_has_two(cast: Cast, due: Assignment, client_of: ClientOf) -> None:
    client = client_of(cast.instructor)
    add(client, due, "section:A")

    assert "There is already an extension. Change that extension." in add(client, due, "section:A")
    assert Extension.objects.count() == 1


def test_an_extension_is_changed_and_removed(
    cast: Cast, due: Assignment, client_of: ClientOf
) -> None:
    client = client_of(cast.instructor)
    add(client, due, "section:A")
    extension = Extension.objects.get()

    data = {"due_at": "2030-06-01T12:00", "max_attempts": "5", "reason": "Power cut."}
    client.post(reverse("extension_change", args=[extension.pk]), data)

    extension.refresh_from_db()
    assert (extension.max_attempts, extension.reason) == (5, "Power cut.")

    client.post(reverse("extension_remove", args=[extension.pk]))

    assert not Extension.objects.exists()


def test_the_list_is_searched_by_name(cast: Cast, due: Assignment, client_of: ClientOf) -> None:
    for student in (cast.student, cast.other_student):
        Extension.objects.create(assignment=due, student=student, max_attempts=3, reason="Ill.")
    page = reverse("extensions", args=[due.pk])

    text = flat(client_of(cast.ta).get(page, {"q": "zoë"}).text)

    assert cast.student.name in text
    assert cast.other_student.name not in text
    assert "Add an extension" not in text  # a TA reads
    assert "Add an extension" in client_of(cast.instructor).get(page).text


def test_without_a_due_date_and_a_limit_there_is_nothing_to_extend(
    cast: Cast, assignment: Assignment, client_of: ClientOf
) -> None:
    page = client_of(cast.instructor).get(reverse("extensions", args=[assignment.pk])).text

    assert "so there is nothing to extend." in flat(page)
    assert "Add an extension" not in page


def test_with_a_due_date_alone_nothing_extends_nothing(
    cast: Cast, due: Assignment, client_of: ClientOf
) -> None:
    Assignment.objects.update(max_attempts=None)
    data = {"due_at": "2030-04-01T12:00"}

    text = add(client_of(cast.instructor), due, "section:A", **data)

    assert "Choose a later due date than the class has" in text
    assert not Extension.objects.exists()


def test_hidden_names_stay_hidden(cast: Cast, due: Assignment, client_of: ClientOf) -> None:
    extension = Extension.objects.create(
        assignment=due, student=cast.student, max_attempts=3, reason="Zoë was ill."
    )
    Assignment.objects.update(names_hidden=True)
    client = client_of(cast.instructor)

    page = client.get(reverse("extensions", args=[due.pk])).text

    assert pseudonym(due, cast.student) in page
    assert "Zoë" not in page
    assert f"student:{cast.student.pk}" not in page
    assert client.get(reverse("extension_change", args=[extension.pk])).status_code == 403
    assert client.post(reverse("extension_remove", args=[extension.pk])).status_code == 403
    assert "is not one of" in add(client, due, f"student:{cast.other_student.pk}")
    add(client, due, "section:A")
    assert Extension.objects.filter(section="A").exists()


def test_students_do_not_read_the_reason(cast: Cast, due: Assignment, client_of: ClientOf) -> None:
    Extension.objects.create(
        assignment=due, student=cast.student, max_attempts=3, reason="A secret reason."
    )
    client = client_of(cast.student)

    for name in ("assignment", "extensions"):
        answer = client.get(reverse(name, args=[due.pk]))
        assert "secret" not in answer.text
    assert answer.status_code == 403
