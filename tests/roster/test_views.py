"""The roster: shown, then done as it was shown; and nobody's account falls into others' hands."""

import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from grading.models import AuditKind, AuditRecord, Membership, RosterAccount, User
from tests.conftest import PASSWORD, Cast

ClientOf = Callable[[User | None], Client]
FILE = (
    "Name,E-mail,Login,Student number,Section\n"
    "Ada Okoro,ada@example.edu,aokoro,0007,A\n"
    "Zoë Brânză,zoe@example.org,zoe,0008,B\n"
    "Olga Other,olga@example.org,,0009,B\n"
)


@pytest.fixture
def client(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


def shown(client: Client, cast: Cast, text: str) -> str:
    file = SimpleUploadedFile("roster.csv", text.encode())
    return client.post(reverse("roster", args=[cast.course.pk]), {"file": file}).text


def sealed(page: str) -> str:
    match = re.search(r'name="shown" value="([^"]+)"', page)
    assert match
    return match[1]


def apply(client: Client, cast: Cast, page: str, **data: object) -> str:
    address = reverse("roster_apply", args=[cast.course.pk])
    return client.post(address, {"shown": sealed(page), **data}, follow=True).text


def test_a_roster_is_shown_then_done(cast: Cast, client: Client) -> None:
    page = shown(client, cast, FILE)

    assert "Preview: nothing is changed yet" in page
    assert "New: 1" in page
    assert "joining this course: 1" in page
    assert "Changed: 1" in page
    assert "in the course but not in the roster: 1" in page.lower()
    assert not Membership.objects.filter(roster_email="ada@example.edu").exists()

    page = apply(client, cast, page)

    assert "1 new account, 1 person with an account, 1 change." in page
    ada = Membership.objects.get(roster_email="ada@example.edu")
    assert ada.user.verified_email == ""  # until she opens the link that is mailed to her
    assert (ada.user.username, ada.student_number, ada.section) == ("aokoro", "0007", "A")
    assert not ada.user.has_usable_password()
    zoe = cast.student.memberships.get(course=cast.course)
    assert (zoe.student_number, zoe.section, zoe.lms_login) == ("0008", "B", "zoe")
    assert cast.outsider.memberships.get(course=cast.course).role == "student"
    assert cast.other_student.memberships.filter(course=cast.course).exists()
    cast.student.refresh_from_db()
    assert cast.student.has_usable_password()
    assert "0007" in page


def test_who_is_ticked_is_taken_out_and_nobody_else(cast: Cast, client: Client) -> None:
    page = shown(client, cast, FILE)

    apply(client, cast, page, leaving=[cast.other_student.pk, cast.ta.pk, cast.student.pk])

    left = set(cast.course.memberships.values_list("user__username", flat=True))
    assert left == {"ines", "tomasz", "zoe", "aokoro", "olga"}


@pytest.mark.parametrize("address", ["https://evil.example/x", "//evil.example", "javascript:x"])
def test_nobody_is_sent_elsewhere_afterwards(cast: Cast, client: Client, address: str) -> None:
    roster = reverse("roster", args=[cast.course.pk])
    assert address not in client.get(roster, {"next": address}).text
    page = shown(client, cast, FILE)

    answer = client.post(
        reverse("roster_apply", args=[cast.course.pk]), {"shown": sealed(page), "next": address}
    )

    assert answer["Location"] == reverse("members", args=[cast.course.pk])


def test_the_way_back_is_kept_where_nothing_could_be_applied(cast: Cast, client: Client) -> None:
    apply_address = reverse("roster_apply", args=[cast.course.pk])

    answer = client.post(apply_address, {"shown": "broken", "next": "/imports/5/"})

    assert (
        answer["Location"] == f"{reverse('roster', args=[cast.course.pk])}?next=%2Fimports%2F5%2F"
    )

    page = shown(client, cast, FILE)
    Membership.objects.filter(user=cast.student).update(section="Elsewhere")
    stale = client.post(apply_address, {"shown": sealed(page), "next": "/imports/5/"})
    assert stale.status_code == 409
    assert 'name="next" value="/imports/5/"' in stale.text
    assert 'href="/imports/5/">Cancel' in " ".join(stale.text.split())


def test_what_changed_meanwhile_is_shown_again_and_nothing_is_done(
    cast: Cast, client: Client
) -> None:
    page = shown(client, cast, FILE)
    Membership.objects.filter(user=cast.student).update(section="Elsewhere")

    response = client.post(reverse("roster_apply", args=[cast.course.pk]), {"shown": sealed(page)})

    assert response.status_code == 409
    assert "Something has changed since" in response.text
    assert not Membership.objects.filter(roster_email="ada@example.edu").exists()
    assert "1 new account" in apply(client, cast, response.text)


def test_a_name_alone_is_asked_about(cast: Cast, client: Client) -> None:
    text = "Name,Student number\nZoë Brânză,0042\n"

    page = shown(client, cast, text)
    assert "Is it the same person?" in page
    apply(client, cast, page)
    assert Membership.objects.get(user=cast.student).student_number == ""

    apply(client, cast, shown(client, cast, text), **{"line-2": "same"})
    assert Membership.objects.get(user=cast.student).student_number == "0042"


def test_a_namesake_gets_an_account_of_their_own(cast: Cast, client: Client) -> None:
    page = shown(client, cast, "Name,Student number\nZoë Brânză,0042\n")

    apply(client, cast, page, **{"line-2": "new"})

    assert Membership.objects.get(student_number="0042").user != cast.student


def test_what_was_not_shown_is_not_done(cast: Cast, client: Client, client_of: ClientOf) -> None:
    page = shown(client, cast, FILE)
    address = reverse("roster_apply", args=[cast.other_course.pk])

    response = client_of(cast.outsider).post(address, {"shown": sealed(page)}, follow=True)

    assert "The preview has expired" in response.text
    assert cast.other_course.memberships.count() == 1


def test_a_file_that_is_no_roster_is_refused_in_words(cast: Cast, client: Client) -> None:
    file = SimpleUploadedFile("x.csv", b"a,b\n1,2\n")

    response = client.post(reverse("roster", args=[cast.course.pk]), {"file": file})

    assert response.status_code == 422
    assert "No column names the people. The first row must have headings, such as" in response.text


# --- passwords ---


@pytest.fixture
def ada(cast: Cast, client: Client) -> Membership:
    """Brought in by the roster; nobody uses the account yet."""
    apply(client, cast, shown(client, cast, FILE))
    return Membership.objects.get(user__username="aokoro")


def link_of(client: Client, member: Membership) -> str:
    response = client.post(reverse("member_link", args=[member.course_id, member.pk]))
    match = re.search(r'id="password-link">https://classroom.example([^<]+)<', response.text)
    return match[1] if match else str(response.status_code)


def test_a_link_sets_a_password_once(ada: Membership, client: Client) -> None:
    assert "Password link" in client.get(reverse("members", args=[ada.course_id])).text
    link = link_of(client, ada)
    theirs = Client()

    page = theirs.get(link, follow=True)
    new = {"password1": PASSWORD, "password2": PASSWORD}
    asked = theirs.post(page.redirect_chain[-1][0], new, follow=True)

    # Whoever has the link has the account, and the address only after a mail to it.
    assert asked.redirect_chain[-1][0] == reverse("account_email_verification_sent")
    assert [email.to for email in mail.outbox] == [["ada@example.edu"]]
    ada.user.refresh_from_db()
    assert ada.user.check_password(PASSWORD)
    assert ada.user.verified_email == ""
    assert "no longer valid" in Client().get(link, follow=True).text
    assert link_of(client, ada) == "403"
    assert "Password link" not in client.get(reverse("members", args=[ada.course_id])).text


@pytest.mark.parametrize("kind", ["page", "file"])
def test_a_roster_has_a_link_for_each_of_its_people_without_a_password(
    kind: str, cast: Cast, client: Client
) -> None:
    file = FILE + "=Mia Berg,mia@example.edu,mberg,0010,A\nIda Ek,ida@example.edu,iek,0011,B\n"
    apply(client, cast, shown(client, cast, file))
    User.objects.filter(username="iek").update(last_login=timezone.now())
    people = client.get(reverse("members", args=[cast.course.pk])).text
    assert "people of the roster" in " ".join(people.split())

    asked = client.post(
        reverse("member_links", args=[cast.course.pk]), {"file": "csv"} if kind == "file" else {}
    )

    links = re.findall(r"https://classroom.example(/accounts/claim/[^\s\",<]+)", asked.text)
    names = ("Ada Okoro", "Zoë Brânză", "Mia Berg")
    assert len(links) == len(set(links)) == sum(name in asked.text for name in names)
    assert "Ida Ek" not in asked.text
    assert AuditRecord.objects.filter(kind=AuditKind.INVITED, course=cast.course.pk).count() == 1
    if kind == "file":
        assert asked["Content-Disposition"] == 'attachment; filename="password-links.csv"'
        assert ",'=Mia Berg" in asked.text.replace("\n", ",").replace("\r", "")
    ada = next(line for line in asked.text.splitlines() if "Ada Okoro" in line)
    theirs = Client()
    page = theirs.get(re.findall(r"https://classroom.example([^\s<\",]+)", ada)[0], follow=True)
    theirs.post(page.redirect_chain[-1][0], {"password1": PASSWORD, "password2": PASSWORD})
    assert User.objects.get(username="aokoro").check_password(PASSWORD)


def test_where_everybody_has_a_password_there_are_no_links(cast: Cast, client: Client) -> None:
    assert "Create password links" not in client.get(reverse("members", args=[cast.course.pk])).text

    page = client.post(reverse("member_links", args=[cast.course.pk]), follow=True)

    assert "Everybody of the roster has a password." in page.text
    assert not AuditRecord.objects.filter(kind=AuditKind.INVITED).exists()


@pytest.mark.parametrize("what", ["password", "log-in", "other course", "staff", "ta", "not ours"])
def test_no_link_for_an_account_that_is_somebodys(
    what: str, ada: Membership, client: Client, cast: Cast
) -> None:
    user = User.objects.filter(pk=ada.user_id)
    if what == "password":
        ada.user.set_password(PASSWORD)
        ada.user.save()
    elif what == "log-in":
        user.update(last_login=timezone.now())
    elif what == "other course":
        Membership.objects.create(course=cast.other_course, user=ada.user, role="student")
    elif what == "staff":
        user.update(is_staff=True)
    elif what == "ta":
        Membership.objects.filter(pk=ada.pk).update(role="ta")
    else:
        RosterAccount.objects.update(course=cast.other_course)

    assert link_of(client, ada) == "403"


def test_no_link_for_an_account_that_was_there_before(
    ada: Membership, client: Client, cast: Cast
) -> None:
    del ada
    for user in (cast.student, cast.outsider, cast.instructor):
        assert link_of(client, user.memberships.get(course=cast.course)) == "403"


def test_the_mail_for_forgotten_passwords_reaches_them(ada: Membership) -> None:
    Client().post(reverse("account_reset_password"), {"email": "Ada@example.edu"})

    assert [email.to for email in mail.outbox] == [["ada@example.edu"]]
    link = re.search(r"https://classroom.example(/accounts/claim/\S+)", str(mail.outbox[0].body))
    assert link
    theirs = Client()
    page = theirs.get(link[1], follow=True)
    new = {"password1": PASSWORD, "password2": PASSWORD}
    home = theirs.post(page.redirect_chain[-1][0], new, follow=True)
    assert home.wsgi_request.user == ada.user
    ada.user.refresh_from_db()
    assert ada.user.verified_email == "ada@example.edu"


def test_a_link_that_an_instructor_made_ends_when_the_account_joins_another_course(
    ada: Membership, client: Client, cast: Cast
) -> None:
    link = link_of(client, ada)
    Membership.objects.create(course=cast.other_course, user=ada.user, role="student")

    assert "no longer valid" in Client().get(link, follow=True).text


def test_accounts_in_use_keep_their_name(ada: Membership, client: Client, cast: Cast) -> None:
    renamed = "Name,E-mail,Student number\nAda N. Okoro,new@example.edu,0007\n"
    User.objects.filter(pk=ada.user_id).update(last_login=timezone.now())
    apply(client, cast, shown(client, cast, renamed))
    ada.user.refresh_from_db()
    assert ada.user.name == "Ada Okoro"
    assert ada.user.roster_account.email == "ada@example.edu"

    User.objects.filter(pk=ada.user_id).update(last_login=None)
    renamed = renamed.replace("new@", "newest@")
    apply(client, cast, shown(client, cast, renamed))

    ada.refresh_from_db()
    assert (ada.user.name, ada.roster_email) == ("Ada N. Okoro", "newest@example.edu")
    assert ada.user.roster_account.email == "newest@example.edu"


def test_another_course_takes_no_address_from_an_account_that_came_to_it(
    ada: Membership, client: Client, cast: Cast
) -> None:
    """The first course could otherwise have its links mailed elsewhere."""
    Membership.objects.create(course=cast.other_course, user=ada.user, role="student")
    moved = "Name,E-mail,Student number\nAda Okoro,thief@example.edu,0007\n"

    apply(client, cast, shown(client, cast, moved))

    assert RosterAccount.objects.get(user=ada.user).email == "ada@example.edu"


# --- whose address it is ---


def test_an_address_that_was_only_typed_leads_no_roster_to_whoever_typed_it(
    cast: Cast, client: Client
) -> None:
    mallory = User.objects.create_user("mallory", "", PASSWORD, name="Ada Okoro")
    EmailAddress.objects.create(user=mallory, email="ada@example.edu", verified=False)

    apply(client, cast, shown(client, cast, FILE))

    assert not mallory.memberships.exists()
    assert cast.course.memberships.get(student_number="0007").user.username == "aokoro"


def test_another_name_behind_a_verified_address_is_a_question(cast: Cast, client: Client) -> None:
    text = "Name,E-mail\nAda Okoro,olga@example.org\n"

    page = shown(client, cast, text)

    assert "Is it the same person?" in page
    assert "Olga Other" in page
    apply(client, cast, page)
    assert not cast.course.memberships.filter(user=cast.outsider).exists()
    assert "1 person with an account" in apply(
        client, cast, shown(client, cast, text), **{"line-2": "same"}
    )
    assert cast.course.memberships.get(user=cast.outsider).roster_email == "olga@example.org"
    # Somebody has answered: it is not asked again.
    assert "Is it the same person?" not in shown(client, cast, text)


def test_an_account_nobody_has_used_joins_a_second_course_by_its_address(
    ada: Membership, cast: Cast, client_of: ClientOf
) -> None:
    theirs = client_of(cast.outsider)
    address = reverse("roster", args=[cast.other_course.pk])
    file = SimpleUploadedFile("roster.csv", b"Name,E-mail\nAda Okoro,ada@example.edu\n")
    page = theirs.post(address, {"file": file}).text

    theirs.post(reverse("roster_apply", args=[cast.other_course.pk]), {"shown": sealed(page)})

    assert cast.other_course.memberships.filter(user=ada.user).exists()


def test_a_roster_takes_back_whom_an_instructor_took_out(cast: Cast, client: Client) -> None:
    apply(client, cast, shown(client, cast, FILE), leaving=[cast.other_student.pk])
    assert cast.course.removed_members.get().user == cast.other_student

    text = "Name,E-mail\nعمر حداد,omar@example.org\n"
    apply(client, cast, shown(client, cast, text))

    assert cast.course.memberships.filter(user=cast.other_student).exists()
    assert not cast.course.removed_members.exists()


def test_no_login_of_a_roster_looks_like_an_address(cast: Cast, client: Client) -> None:
    text = "Name,E-mail,Login\nAda Okoro,ada@example.edu,ada@example.edu\n"

    apply(client, cast, shown(client, cast, text))

    assert cast.course.memberships.get(roster_email="ada@example.edu").user.username == "ada"


# --- size ---


def queries(client: Client, cast: Cast, count: int, start: int) -> int:
    rows = "".join(f"P {n},p{n}@example.edu,p{n},{n:05}\n" for n in range(start, start + count))
    text = f"Name,E-mail,Login,Student number\n{rows}"
    with CaptureQueriesContext(
        connection,
    ) as seen:
        page = shown(client, cast, text)
    apply(client, cast, page)
    return len(seen)


def test_a_thousand_rows_take_no_more_queries_than_two(cast: Cast, client: Client) -> None:
    assert queries(client, cast, 2, 0) == queries(client, cast, 1000, 10)
    assert cast.course.memberships.count() == 1006


@pytest.mark.parametrize("number", ["9" * 5_000, "²", "-1", str(2**70)])
def test_numbers_that_nobody_was_shown_change_nothing(
    cast: Cast, client: Client, number: str
) -> None:
    page = shown(client, cast, FILE)
    answers = {"shown": sealed(page), "leaving": number, f"line-{number}": "same"}
    kind = "application/x-www-form-urlencoded"  # as parts, so long a name would be refused unread

    address = reverse("roster_apply", args=[cast.course.pk])
    answer = client.post(address, urlencode(answers), content_type=kind)

    assert answer.status_code == 302
    assert cast.course.memberships.filter(user=cast.other_student).exists()
