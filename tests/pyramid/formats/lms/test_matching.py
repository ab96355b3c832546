"""Who is who: by id, login, e-mail, and never by name alone."""

from dataclasses import replace

import pytest

from grading.pyramid.formats.lms.grade_file import Person
from grading.pyramid.formats.lms.matching import Matching, Student, match
from tests.pyramid.formats.lms.people import ADA, BO

ROW = Person(row=1, line=2, name="Okoro, Ada")


def matched(row: Person, *students: Student) -> Matching:
    return match([row], students or (ADA, BO))


@pytest.mark.parametrize(
    ("row", "by"),
    [
        (replace(ROW, lms_id="901"), "number in the LMS"),
        (replace(ROW, lms_id="1", number="S0007"), "student number"),
        (replace(ROW, login="AOkoro "), "login"),
        (replace(ROW, email="ADA@example.edu"), "e-mail"),
        (replace(ROW, login="ada@example.edu"), "e-mail"),
        (replace(ROW, number="#S0007", login="#aokoro"), "student number"),
    ],
)
def test_ids_come_before_logins_and_logins_before_addresses(row: Person, by: str) -> None:
    (pair,) = matched(row).pairs

    assert (pair.student, pair.by, pair.is_named_alike) == (ADA, by, True)


def test_our_own_log_in_counts_only_where_the_lms_has_given_none() -> None:
    row = replace(ROW, login="ada2", name="")

    assert not matched(row, replace(ADA, own_login="ada2")).pairs
    assert matched(row, replace(ADA, login="", own_login="ada2")).pairs


def test_ids_keep_their_zeros() -> None:
    result = matched(replace(ROW, number="7", name=""), replace(ADA, number="007"))

    assert not result.pairs
    assert result.rows_left


def test_a_name_alone_is_a_candidate_until_a_person_confirms_it() -> None:
    accented = replace(ADA, name="Áda  OKORO")
    unconfirmed = match([ROW], [accented, BO])
    assert (unconfirmed.pairs, len(unconfirmed.named)) == ((), 1)
    assert (unconfirmed.rows_left, unconfirmed.students_left) == ((), (BO,))

    (pair,) = match([ROW], [accented, BO], frozenset({(2, 1)})).pairs
    assert pair.student == accented
    assert not match([ROW], [accented, BO], frozenset({(2, 2), (3, 1)})).pairs


def test_a_name_that_two_have_is_no_candidate() -> None:
    result = match([ROW], [ADA, replace(ADA, key=9)])

    assert not result.named
    assert len(result.students_left) == 2


def test_an_id_and_an_address_that_disagree_are_a_conflict() -> None:
    result = matched(replace(ROW, lms_id="901", email="bo@example.edu"))

    assert not result.pairs
    (conflict,) = result.conflicts
    assert conflict.startswith("Line 2 (Okoro, Ada): by the number in the LMS this is Ada Okoro,")
    assert conflict.endswith("by the e-mail it is Bo Li.")
    assert result.rows_left == ()


def test_two_students_with_one_id_are_a_conflict_unless_a_better_key_tells() -> None:
    twin = replace(BO, number="S0007")

    (conflict,) = matched(replace(ROW, number="S0007"), ADA, twin).conflicts
    assert "Ada Okoro and Bo Li have the same student number, S0007" in conflict
    (pair,) = matched(replace(ROW, lms_id="901", number="S0007"), ADA, twin).pairs
    assert pair.student == ADA


def test_two_rows_for_one_student_are_a_conflict() -> None:
    result = match([replace(ROW, login="aokoro"), Person(2, 3, "A. O.", email=ADA.email)], [ADA])

    assert not result.pairs
    assert result.conflicts == ("Ada Okoro is in 2 lines of the file: 2, 3.",)


@pytest.mark.parametrize(
    ("name", "is_alike"),
    [
        ("Okoro Mba, Ada", True),
        ("Ada", False),
        ("ada OKORO", True),
        ("", True),
        ("A. Okoro", False),
    ],
)
def test_further_names_are_no_other_name(name: str, is_alike: bool) -> None:
    (pair,) = matched(replace(ROW, name=name, lms_id="901")).pairs

    assert pair.is_named_alike is is_alike


def test_another_name_behind_an_id_is_told() -> None:
    (pair,) = matched(replace(ROW, name="Smith, John", lms_id="901")).pairs

    assert (pair.is_named_alike, pair.is_odd) == (False, True)


def test_another_id_than_here_is_told_where_a_login_says_who_it_is() -> None:
    (pair,) = matched(replace(ROW, login="aokoro", number="S9", lms_id="901")).pairs

    assert pair.other_ids == ("student number S9 in the file, S0007 here",)
    assert pair.is_odd
