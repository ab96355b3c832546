"""Who gets what: ids decide, names propose, and nothing is said twice."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from grading.pyramid.formats.bulk_files import ReadFile, Upload, read_uploads
from grading.pyramid.formats.bulk_names import NamedFile
from grading.pyramid.formats.bulk_plan import (
    HandedIn,
    KnownBy,
    People,
    Person,
    Plan,
    PlanRules,
    RowState,
    plan_work,
)
from tests.pyramid.formats.made_zips import ADA, BEN, BLACKBOARD, CANVAS, CHI, MOODLE, PLAIN, SAKAI
from tests.pyramid.formats.test_bulk_files import HERE, untold

PEOPLE = (
    Person(1, "Ada Okoro", ("ada", "aokoro"), "ada@example.edu", "0007", "901"),
    Person(2, "Ben van Dyk", ("bdyk", "b_dyk"), "ben@example.edu", "S0007", "902"),
    Person(3, "Zoe Branza", ("zoe",), "zoe@example.edu", "", "903"),
    Person(4, "عمر حداد", ("omar",), "", "0009", ""),
)
NOON = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
RULES = PlanRules(handed_in_at=NOON, zone=ZoneInfo("UTC"))


@pytest.mark.parametrize(
    ("named", "person"),
    [
        (NamedFile("x", name="Ana Ruiz", logins=("7", "ana@x.edu")), "Ana Ruiz (7, ana@x.edu)"),
        (NamedFile("x", "Canvas", name="ruizana", lms_id="901"), "ruizana (901)"),
        (NamedFile("x", "Blackboard", logins=("dyk", "b_dyk", "Essay_b_dyk")), "dyk"),
        (NamedFile("x", name="Ana Ruiz"), "Ana Ruiz"),
        (NamedFile("x", hints=("essay",)), ""),
    ],
)
def test_a_file_names_its_person(named: NamedFile, person: str) -> None:
    assert named.person == person


def planned(data: bytes, **rules: object) -> Plan:
    files = read_uploads([Upload("x.zip", data)], HERE, untold).files
    return plan_work(files, PEOPLE, {}, {}, PlanRules(NOON, ZoneInfo("UTC"), **rules))  # type: ignore[arg-type]


def file_with(number: int, text: str = ADA, **named: object) -> ReadFile:
    return ReadFile(number, NamedFile(f"{number}.txt", **named), text)  # type: ignore[arg-type]


def plan(*files: ReadFile, given: dict[int, int] | None = None, **handed_in: str) -> Plan:
    before = {int(key[1:]): [HandedIn(1, text, True)] for key, text in handed_in.items()}
    return plan_work(files, PEOPLE, before, given or {}, RULES)


@pytest.mark.parametrize(
    ("data", "people"),
    [
        (MOODLE, {1: KnownBy.NAME, 2: KnownBy.NAME, 3: KnownBy.NAME, 4: KnownBy.NAME}),
        (CANVAS, {1: KnownBy.LMS_ID, 2: KnownBy.LMS_ID, 3: KnownBy.LMS_ID}),
        (BLACKBOARD, {1: KnownBy.LOGIN, 2: KnownBy.LOGIN}),
        (SAKAI, {1: KnownBy.LOGIN, 2: KnownBy.LOGIN}),
        (PLAIN, {1: KnownBy.LOGIN, 2: KnownBy.STUDENT_NUMBER, 3: KnownBy.NAME}),
    ],
    ids=["moodle", "canvas", "blackboard", "sakai", "plain"],
)
def test_each_platforms_students_are_found(data: bytes, people: dict[int, KnownBy]) -> None:
    result = planned(data)

    assert {row.person: row.by for row in result.of(RowState.NEW) if row.ticked} == people
    assert set(result.without) == {1, 2, 3, 4} - set(people)


def test_ids_come_before_names_and_two_people_are_nobody() -> None:
    people = People(PEOPLE)

    assert people.find(NamedFile("x", lms_id="901", name="Ben van Dyk")).people == (1,)
    assert people.find(NamedFile("x", logins=("aokoro", "bdyk"))).people == (1, 2)
    assert people.find(NamedFile("x", hints=("essay", "0007"))).by == KnownBy.STUDENT_NUMBER
    assert people.find(NamedFile("x", hints=("7",))).people == ()  # an id is not a number
    assert people.find(NamedFile("x", name="okoroada")).by == KnownBy.NAME
    assert people.find(NamedFile("x", name="Ada M. Okoro")).by == KnownBy.LIKE_NAME
    assert people.find(NamedFile("x", name="Ada")).people == ()


@pytest.mark.parametrize("name", ["王明", "王小明", "김철수", "小明 王"])
def test_names_of_few_letters_are_names_where_each_letter_tells_much(name: str) -> None:
    people = People([Person(1, name)])

    assert people.find(NamedFile("x", name=name)).by == KnownBy.NAME
    assert People([Person(1, "Bo")]).find(NamedFile("x", hints=("bo",))).people == ()


def test_a_name_that_is_only_like_one_is_not_ticked() -> None:
    row = plan(file_with(1, name="Ada M. Okoro")).rows[0]

    assert (row.person, row.ticked) == (1, False)


def test_two_of_one_name_are_not_ticked_and_two_namesakes_are_open() -> None:
    shared = plan(
        file_with(1, name="Ada Okoro", participant="11"),
        file_with(2, BEN, name="Ada Okoro", participant="12"),
    )
    assert [row.ticked for row in shared.rows] == [False, False]

    twins = (*PEOPLE, Person(5, "Ada Okoro", ("ada2",)))
    row = plan_work([file_with(1, name="Ada Okoro")], twins, {}, {}, RULES).rows[0]
    assert (row.state, row.people) == (RowState.OPEN, (1, 5))


def test_of_several_files_the_newest_else_the_longest_is_ticked() -> None:
    result = planned(BLACKBOARD)
    ben = [(row.file.text, row.ticked) for row in result.rows if row.person == 2]
    assert ben == [(BEN, False), (f"{BEN}\n\nAnd more.", True)]

    rows = plan(file_with(1, "Short.", lms_id="901"), file_with(2, ADA, lms_id="901")).rows
    assert [row.ticked for row in rows] == [False, True]


def test_the_same_text_again_makes_no_new_attempt() -> None:
    again = plan(file_with(1, ADA, lms_id="901"), file_with(2, "Short.", lms_id="901"), p1=ADA)

    assert [(row.state, row.attempt) for row in again.rows] == [
        (RowState.SAME, 1),
        (RowState.NEW, 2),
    ]
    assert not again.rows[1].ticked  # the longer one is in already


def test_a_grader_says_whose_a_file_is_or_nobodys() -> None:
    row = plan(file_with(1), given={1: 3}).rows[0]
    assert (row.person, row.by, row.ticked) == (3, KnownBy.HAND, True)

    row = plan(file_with(1, lms_id="901"), given={1: 0}).rows[0]
    assert row.state == RowState.OPEN


def test_late_is_what_the_platform_says_or_its_times_say() -> None:
    due = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)

    canvas = {row.person: row.late for row in planned(CANVAS, due_at=due).rows}
    assert canvas == {1: False, 2: True, 3: False}
    blackboard = [row.late for row in planned(BLACKBOARD, due_at=due).rows]
    assert blackboard == [True, False, True]
    moodle = {row.late for row in planned(MOODLE, due_at=due).rows}
    assert moodle == {True}  # by the time that the grader gives


def test_what_students_may_not_is_said_and_done_all_the_same() -> None:
    rules = PlanRules(NOON, ZoneInfo("UTC"), min_words=50, max_words=200, max_finals=1)
    before = {1: [HandedIn(1, CHI, True)]}

    row = plan_work([file_with(1, lms_id="901")], PEOPLE, before, {}, rules).rows[0]

    assert row.ticked
    assert row.remarks == (
        "shorter than the 50 words required",
        "students may submit 1; this is one more",
    )


def test_the_stamp_tells_plans_apart_that_do_something_else() -> None:
    first = plan(file_with(1, lms_id="901"))

    assert plan(file_with(1, lms_id="901")).stamp == first.stamp
    assert plan(file_with(1, lms_id="901"), p1=CHI).stamp != first.stamp
    assert plan(file_with(1, lms_id="902")).stamp != first.stamp
    assert plan(file_with(1, BEN, lms_id="901")).stamp != first.stamp
