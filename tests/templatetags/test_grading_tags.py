"""Filters for pages."""

from datetime import UTC, datetime

import pytest

from grading.models import Assignment, Job, Score, Submission, User
from grading.scoring.queue_rows import Unreviewed
from grading.templatetags.grading_tags import (
    attempt_link,
    column_heads,
    folded,
    listed,
    names,
    running_since,
    score_cell,
)
from grading.templatetags.queue_tags import links_to_unreviewed

BEGAN_AT = datetime(2026, 11, 20, 9, 31, 4, tzinfo=UTC)


def test_white_space_that_no_browser_shows_is_left_out() -> None:
    page = '<ul>\n  <li class="a">\n    One\n    <b>two</b> three\n  </li>\n</ul>\n'

    assert folded(page) == '<ul><li class="a">One <b>two</b> three</li></ul>'


def test_what_is_empty_is_not_listed() -> None:
    assert listed("line 3", "", None, "S0007") == "line 3, S0007"


def test_names_are_escaped_and_keep_their_direction() -> None:
    people = [User(name="Zoë <b>"), User(name="عمر")]

    assert names(people) == "<bdi>Zoë &lt;b&gt;</bdi>, <bdi>عمر</bdi>"


@pytest.mark.parametrize(("is_final", "after"), [(True, ""), (False, ", a draft")])
def test_the_link_to_an_attempt_says_whether_it_is_a_draft(*, is_final: bool, after: str) -> None:
    submission = Submission(pk=7, attempt=2, is_final=is_final)

    assert attempt_link(submission) == f'<a href="/submissions/7/">attempt 2</a>{after}'


def test_columns_of_numbers_are_marked_and_titles_escaped() -> None:
    assert column_heads("Who & when", "# Words") == (
        '<thead><tr><th scope="col">Who &amp; when</th>'
        '<th scope="col" class="numeric">Words</th></tr></thead>'
    )


def test_the_cell_of_a_score_has_two_digits_or_a_dash() -> None:
    score = Score(quality=0.5, coverage=0.25, comprehensive=0.375)

    assert score_cell("Coverage", score) == '<td class="numeric" data-label="Coverage">0.25</td>'
    assert score_cell("Quality", None).endswith(">\N{EN DASH}</td>")


def test_a_running_job_says_how_far_it_is() -> None:
    assert running_since(Job(started_at=BEGAN_AT, tries=1)) == "20 November, 09:31:04"
    far = Job(started_at=BEGAN_AT, progress_done=3, progress_total=12, tries=2)
    assert running_since(far) == "20 November, 09:31:04, 3 of 12, try 2"


def test_unreviewed_submissions_are_linked_by_what_is_wrong_with_them() -> None:
    assert links_to_unreviewed(Assignment(pk=4), Unreviewed(12, 3, 1)) == (
        '<strong><a href="/assignments/4/queue/?state=todo">12 not reviewed</a></strong>'
        ', <a href="/assignments/4/queue/?state=todo&amp;flag=any">3 of them flagged</a>'
        ', <a href="/assignments/4/queue/?state=todo&amp;flag=contradicts">1 of them contradicts'
        " the experts</a>"
    )
    assert links_to_unreviewed(Assignment(pk=4), Unreviewed(12, 0, 0)).count("<a ") == 1
