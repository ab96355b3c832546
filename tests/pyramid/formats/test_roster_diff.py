"""What a roster changes: known by ids, asked by name, refused where two people are meant."""

from grading.pyramid.formats.roster_csv import Roster, RosterLine
from grading.pyramid.formats.roster_diff import FieldChange, Known, RosterDiff, diff_roster

ADA = Known(1, "Ada Okoro", "ada@example.edu", "ada", "student", "A", "0007", "901", "aokoro")
BEN = Known(2, "Ben van Dyk", "ben@example.edu", "ben", "student", is_ours=True)
TIM = Known(3, "Tim Teach", "tim@example.edu", "tim", "instructor")
FAR = Known(4, "Far Away", "far@example.edu", "far")


def diff(*lines: RosterLine, taken: set[str] | None = None) -> RosterDiff:
    return diff_roster(Roster(lines), [ADA, BEN, TIM], [FAR], frozenset(taken or set()))


def test_the_same_again_changes_nothing_but_who_is_gone() -> None:
    result = diff(
        RosterLine(2, "Ada Okoro", "ADA@example.edu", "aokoro", "0007", "901", "A"),
        RosterLine(3, "Tim Teach", "tim@example.edu", section="B"),
    )

    assert result.same == (ADA, TIM)
    assert result.gone == (BEN,)
    assert (result.new, result.changed, result.questions, result.problems) == ((), (), (), ())


def test_changes_are_told_field_by_field_and_empty_cells_change_nothing() -> None:
    result = diff(RosterLine(2, "Ada O.", "", "aokoro", "0007", "", "B"))

    assert [person.changes for person in result.changed] == [(FieldChange("section", "A", "B"),)]
    assert result.changed[0].kept == (FieldChange("name", "Ada Okoro", "Ada O."),)


def test_name_and_address_change_only_where_nobody_has_the_account_in_hand() -> None:
    line = RosterLine(2, "Benjamin van Dyk", "b@example.edu", "ben")

    result = diff(line)

    assert [change.field for change in result.changed[0].changes] == [
        "name",
        "lms_login",
        "roster_email",
    ]


def test_an_account_of_another_course_joins_by_its_address_only() -> None:
    result = diff(
        RosterLine(2, "Far Away", "far@example.edu"), RosterLine(3, "Other Person", "", "far"),
        taken={"far"},
    )  # fmt: skip

    assert [person.known for person in result.joining] == [FAR]
    assert result.new[0].login.startswith("otherperson-")


def test_a_name_alone_is_a_question_and_two_namesakes_a_problem() -> None:
    result = diff(RosterLine(2, "Okoro Ada", "new@example.edu"))
    assert [(question.known, question.login) for question in result.questions] == [(ADA, "new")]
    assert ADA not in result.gone

    both = diff(
        RosterLine(2, "Ada Okoro", "x@example.edu"), RosterLine(3, "Ada Okoro", "y@example.edu")
    )
    assert [problem.line for problem in both.problems] == [2, 3]
    assert not both.questions


def test_a_number_that_leads_to_another_name_is_a_question() -> None:
    result = diff(RosterLine(2, "Carla Cole", "carla@example.edu", "", "0007"))

    assert [question.known for question in result.questions] == [ADA]


def test_ids_of_two_people_and_two_lines_of_one_person_are_problems() -> None:
    result = diff(
        RosterLine(2, "Ada Okoro", "ben@example.edu", "", "0007"),
        RosterLine(3, "Tim Teach", "tim@example.edu"),
        RosterLine(4, "Tim Teach", "", "tim"),
        RosterLine(5, "Nobody Known"),
        RosterLine(6, "Ada Okoro", "far@example.edu", "", "0007"),
    )

    assert [problem.line for problem in result.problems] == [2, 3, 4, 5, 6]
    assert "different people" in result.problems[0].text


def test_logins_are_what_is_free_and_namesakes_are_told() -> None:
    result = diff(
        RosterLine(2, "Chi Chi", "chi@example.edu", "Far"),
        RosterLine(3, "Chi Chi", "", "x y", "0100"),
        taken={"far"},
    )

    assert [person.login for person in result.new] == ["chi", "0100"]
    assert result.remarks == ("2 new people are called Chi Chi: lines 2 and 3.",)


def test_the_stamp_changes_with_what_would_be_done() -> None:
    line = RosterLine(2, "Chi Chi", "chi@example.edu", "chi")

    assert diff(line).stamp == diff(line).stamp
    assert diff(line).stamp != diff(line, taken={"chi"}).stamp


def test_who_left_the_course_comes_back_with_the_login_of_its_roster() -> None:
    left = Known(5, "Dee Dee", "", "dee", is_ours=True)
    line = RosterLine(2, "Dee Dee", "", "Dee", "0011")

    result = diff_roster(Roster((line,)), [], [left], frozenset({"dee"}))
    assert [person.known for person in result.joining] == [left]

    elsewhere = Known(5, "Dee Dee", "", "dee")
    result = diff_roster(Roster((line,)), [], [elsewhere], frozenset({"dee"}))
    assert [person.login for person in result.new] == ["0011"]
