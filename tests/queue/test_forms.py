"""What is chosen of a queue, and in which order."""

from dataclasses import dataclass

import pytest
from django.http import QueryDict

from grading.models import Assignment, Job, SecondLook, Submission
from grading.pyramid.flags.text_flags import FlagKind
from grading.queue.actions import reviews_claim, reviews_complete
from grading.queue.forms import BUILT_IN, SORTS, QueueForm
from grading.scoring.queue_rows import AllAttempts, QueueState, queue_rows
from tests.conftest import Cast
from tests.queue_scene import Work, handed_in, scored, version_of

WORKS = (
    Work("Ana", score=0.9, doubtful=0, section="Monday"),
    Work("Ben", score=0.4, doubtful=3, confidence=0.7, late=True, section="Friday"),
    Work("Ciro", score=0.2, doubtful=3, confidence=0.6, words=3),
    Work("Dov", score=None),
    Work("Eva", score=0.5, doubtful=1, flags=(FlagKind.LIKE_ANOTHER, FlagKind.OFF_TOPIC)),
    Work("Fay", score=0.7, doubtful=0, words=900, section="Monday"),
)


@dataclass(frozen=True)
class Queue:
    cast: Cast
    assignment: Assignment
    submissions: list[Submission]

    def names(self, query: str = "", words: frozenset[int] = frozenset()) -> list[str]:
        form = QueueForm.of_query(query)
        rows = queue_rows(self.assignment, form.show_value)
        return [row.student.name for row in form.filtered(rows, self.cast.ta, words)]

    def of(self, name: str) -> Submission:
        return next(
            submission for submission in self.submissions if submission.student.name == name
        )


@pytest.fixture
def queue(cast: Cast, assignment: Assignment) -> Queue:
    """Ben's is held by the TA, Eva's by the instructor; Fay's is looked through."""
    submissions = handed_in(assignment, *WORKS)
    queue = Queue(cast, assignment, submissions)
    for name, user in (("Ben", cast.ta), ("Eva", cast.instructor)):
        reviews_claim(assignment=assignment, students=[queue.of(name).student_id], user=user)
    looked = [queue.of("Fay").pk]
    reviews_complete(assignment=assignment, submissions=looked, user=cast.ta)
    SecondLook.objects.create(
        submission=queue.of("Ana"), pyramid=version_of(assignment), reason="It says so."
    )
    return queue


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", "Eva Ciro Ben Ana Dov Fay"),  # two flags, one flag, doubtful, a second look, …
        ("state=todo", "Eva Ciro Ben Ana Dov"),
        ("state=waiting", "Dov"),
        ("state=looked", "Fay"),
        ("flag=any", "Eva Ciro"),
        ("flag=topic", "Eva"),
        ("flag=short", "Ciro"),
        ("flag=none", "Ben Ana Dov Fay"),
        ("doubtful=yes", "Eva Ciro Ben"),
        ("looks=yes", "Ana"),
        ("late=yes", "Ben"),
        ("held=me", "Ben"),
        ("held=others", "Eva"),
        ("held=nobody", "Ciro Ana Dov Fay"),
        ("section=Monday", "Ana Fay"),
        ("section=Monday&state=todo", "Ana"),
        ("q=cir", "Ciro"),
        ("q=S1%40EXAMPLE", ""),
        ("sort=name", "Ana Ben Ciro Dov Eva Fay"),
        ("sort=name&dir=down", "Fay Eva Dov Ciro Ben Ana"),
        ("sort=comprehensive&dir=down", "Ana Fay Eva Ben Ciro Dov"),
        ("sort=words", "Ciro Ana Ben Dov Eva Fay"),
        ("sort=sureness&dir=down", "Ciro Ben Eva Ana Fay Dov"),
        ("sort=flags&dir=down", "Eva Ciro Ana Ben Dov Fay"),
        ("show=absent", "عمر حداد Zoë Brânză"),
        ("state=nonsense&sort=nonsense&flag=&dir=sideways", "Eva Ciro Ben Ana Dov Fay"),
    ],
)
def test_what_is_chosen_and_in_which_order(queue: Queue, query: str, names: str) -> None:
    result = queue.names(query)

    if query == "show=absent":
        assert set(result) == {"Zoë Brânză", "عمر حداد"}
    else:
        assert " ".join(result) == names


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("show", list(AllAttempts))
def test_every_column_sorts_every_row_both_ways(queue: Queue, sort: str, show: str) -> None:
    up, down = (queue.names(f"show={show}&sort={sort}&dir={way}") for way in ("up", "down"))

    assert sorted(up) == sorted(down) == sorted(queue.names(f"show={show}"))


def test_texts_that_hold_the_words_are_found_as_well(queue: Queue) -> None:
    assert queue.names("q=bicycle", frozenset({queue.of("Dov").pk})) == ["Dov"]


def test_what_failed_comes_first(queue: Queue) -> None:
    Job.objects.create(
        kind=Job.Kind.SCORE_SUBMISSIONS, assignment=queue.assignment, state=Job.State.FAILED
    )

    assert queue.names()[0] == "Dov"
    assert queue.names("state=failed") == ["Dov"]


def test_a_later_job_that_did_not_fail_is_what_counts(queue: Queue) -> None:
    for state in (Job.State.FAILED, Job.State.RUNNING):
        Job.objects.create(
            kind=Job.Kind.SCORE_SUBMISSIONS,
            assignment=queue.assignment,
            submission=queue.of("Dov") if state == Job.State.FAILED else None,
            state=state,
        )

    assert queue.names("state=failed") == []


def test_another_score_changes_what_was_looked_through(queue: Queue) -> None:
    fay = queue.of("Fay")
    scored(fay, version_of(queue.assignment, 2), 0.7).save()
    assert queue.names("state=looked") == ["Fay"]  # another version, the same numbers

    scored(fay, version_of(queue.assignment, 3), 0.71).save()
    assert queue.names("state=looked") == []
    assert queue.names("state=changed") == ["Fay"]


def test_so_does_another_attempt(queue: Queue) -> None:
    fay = queue.of("Fay")
    again = Submission.objects.create(
        assignment=queue.assignment, student=fay.student, attempt=2, text="Again.", words=40
    )
    assert queue.names("state=waiting") == ["Dov", "Fay"]
    scored(again, version_of(queue.assignment), 0.7).save()
    assert queue.names("state=changed") == ["Fay"]

    states = {
        (row.submission.attempt, row.counts): row.state
        for row in queue_rows(queue.assignment, AllAttempts.ALL)
        if row.submission and row.student.name == "Fay"
    }
    assert states == {(1, False): QueueState.REVIEWED, (2, True): QueueState.CHANGED}


def test_addresses_are_short_and_lead_to_the_same_choice() -> None:
    form = QueueForm(QueryDict("flag=any&sort=doubt&q=&state=&page=3&nonsense=1"))
    assert form.query == "flag=any"

    by_name = form.sorted_by("name")
    assert by_name == "flag=any&sort=name&dir=up"
    assert QueueForm.of_query(by_name).sorted_by("name") == "flag=any&sort=name&dir=down"
    assert form.sorted_by("flags") == "flag=any&sort=flags&dir=down"


def test_built_in_views_are_what_a_form_says_of_them() -> None:
    assert [QueueForm.of_query(query).query for _, query in BUILT_IN] == [
        query for _, query in BUILT_IN
    ]
