"""The marking desk: what a grader sees and does there, with script and without."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.access.hidden_names import pseudonym
from grading.marking.page import FIRST_OFFERS, DeskQuery
from grading.models import (
    Assignment,
    Comment,
    Job,
    MarkingStep,
    Missed,
    Score,
    Submission,
    SubmissionEvent,
    User,
)
from grading.queue.actions import reviews_complete
from grading.scoring.conversion import report_from_row
from tests.conftest import SUMMARY, Cast
from tests.feedback_scene import MISSED, keep, made
from tests.pages import flat
from tests.query_count import record_parses
from tests.scoring.test_corrections import missed, newest, scored

__all__ = ["scored"]

BICYCLE = f"{SUMMARY.index('My uncle')}-{len(SUMMARY)}"
HTMX = {"HX-Request": "true"}
ClientOf = Callable[[User | None], Client]


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def desk(client: Client, submission: Submission, **query: str) -> HttpResponse:
    return client.get(reverse("marking", args=[submission.pk]), query)  # type: ignore[return-value]


def stamp(submission: Submission) -> str:
    last = submission.marking_steps.order_by("pk").last()
    return f"{newest(submission).pk}-{last.pk if last else 0}"


def do(client: Client, submission: Submission, what: str, **fields: str) -> HttpResponse:
    data = {"do": what, "stamp": stamp(submission)} | fields
    htmx = data.pop("htmx", "")
    return client.post(  # type: ignore[return-value]
        reverse("marking_step", args=[submission.pk]), data, headers=HTMX if htmx else None
    )


def matched(score: Score) -> int:
    """The number of the first idea that is matched."""
    return report_from_row(score).evidence.matches[0].scu_uid


def test_the_text_and_the_ideas_are_there(ta: Client, scored: Score) -> None:
    page = desk(ta, scored.submission).content.decode()

    assert "Correct <bdi>Zoë Brânză</bdi>" in page
    assert "My uncle has a green bicycle" in page
    assert f'value="confirm {matched(scored)}"' in page
    assert "No corrections yet." in page


def test_words_are_counted_as_an_idea(ta: Client, scored: Score) -> None:
    uid = missed(scored)

    answer = do(ta, scored.submission, f"add {uid}", place=BICYCLE)

    assert answer.status_code == 302
    page = desk(ta, scored.submission).content.decode()
    assert "You counted an idea manually" in page
    after = newest(scored.submission)
    assert f"{scored.comprehensive:.2f}" in page
    assert f"{after.comprehensive:.2f}" in page
    assert f'data-label="{uid}✎"' in page


def test_script_gets_the_parts_that_changed(ta: Client, scored: Score) -> None:
    answer = do(ta, scored.submission, f"add {missed(scored)}", place=BICYCLE, htmx="yes")

    parts = answer.content.decode()
    assert answer.status_code == 200
    assert parts.lstrip().startswith('<div class="desk-ideas" id="desk-ideas"')
    assert '<div id="desk-said" hx-swap-oob="innerHTML">You counted an idea manually' in parts
    assert "<html" not in parts


def test_a_sentence_is_ticked_instead(ta: Client, scored: Score) -> None:
    do(ta, scored.submission, f"add {missed(scored)}", sentence="3")

    match = report_from_row(newest(scored.submission)).evidence.matches[-1]
    assert SUMMARY[match.spans[0].start :].startswith("My uncle")


def test_a_doubtful_match_is_sure_once_it_is_confirmed(ta: Client, scored: Score) -> None:
    do(ta, scored.submission, f"confirm {matched(scored)}")

    match = report_from_row(newest(scored.submission)).evidence.matches[0]
    assert match.by_hand
    assert newest(scored.submission).comprehensive > scored.comprehensive  # it earns all now
    assert do(ta, scored.submission, f"confirm {matched(scored)}").status_code == 422


def test_a_match_is_taken_away_and_comes_back(ta: Client, scored: Score) -> None:
    uid = matched(scored)
    do(ta, scored.submission, f"remove {uid}")
    assert "Removed by <bdi>Tomasz Okoye</bdi>" in desk(ta, scored.submission).content.decode()

    do(ta, scored.submission, f"as_found {uid}")

    assert newest(scored.submission).document == scored.document
    assert do(ta, scored.submission, f"as_found {uid}").status_code == 422


def test_words_count_as_another_idea(ta: Client, scored: Score) -> None:
    first, second = matched(scored), missed(scored)
    before = report_from_row(scored).evidence.matches[0]

    do(ta, scored.submission, f"exchange {first} {second}")

    matches = report_from_row(newest(scored.submission)).evidence.matches
    spans_by_idea = {match.scu_uid: match.spans for match in matches}
    assert first not in spans_by_idea
    assert spans_by_idea[second] == before.spans
    assert MarkingStep.objects.get().did == "exchanged"


def test_an_idea_is_taken_from_the_list_of_all(
    ta: Client, cast: Cast, assignment: Assignment
) -> None:
    """The nearest ideas are shown in full, and all are in a list, the nearest first."""
    submission = keep(made(6), assignment, cast.student)
    Score.objects.filter(submission=submission).update(revision=0)
    page = desk(ta, submission, spans="0-20").content.decode()
    others = [int(uid) for uid in re.findall(r'<option value="(\d+)">', page)]
    assert len(others) == 6 + MISSED > FIRST_OFFERS
    evidence = report_from_row(newest(submission)).evidence
    uid = next(uid for uid in others if uid not in {match.scu_uid for match in evidence.matches})

    assert do(ta, submission, "add_other", place="0-20").status_code == 422
    assert do(ta, submission, "add_other", place="0-20", other=str(uid)).status_code == 302
    first = evidence.matches[0].scu_uid
    second = next(other for other in others if other not in {uid, first})
    done = do(ta, submission, f"exchange_other {first}", other=str(second))

    assert done.status_code == 302
    matches = {match.scu_uid for match in report_from_row(newest(submission)).evidence.matches}
    assert {uid, second} <= matches
    assert first not in matches


def test_a_part_is_left_out_and_counts_again(ta: Client, scored: Score) -> None:
    do(ta, scored.submission, "leave_out", place=BICYCLE)
    assert newest(scored.submission).statements == scored.statements - 1
    page = desk(ta, scored.submission).content.decode()
    assert f'value="count {BICYCLE}"' in page
    assert "left-out-words" in page

    do(ta, scored.submission, f"count {BICYCLE}")

    assert newest(scored.submission).document == scored.document


@pytest.mark.parametrize(
    ("what", "fields", "told_why"),
    [
        ("leave_out", {}, "Choose words of the text first"),
        (
            "leave_out",
            {"place": "63-71"},
            "Choose all of “My uncle",
        ),
        ("count", {"place": BICYCLE}, "neither excluded nor held"),
        ("add 999", {"place": BICYCLE}, "not in the pyramid"),
        ("add 1", {"place": "900-950"}, "not in the text"),
        ("remove 1x", {}, "not in the pyramid"),
        ("dance", {}, "Unknown action. Reload the page."),
        ("", {}, "Choose an action."),
        ("undo", {}, "There is nothing to undo"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    ta: Client, scored: Score, what: str, fields: dict[str, str], told_why: str
) -> None:
    answer = do(ta, scored.submission, what, **fields)

    assert answer.status_code == 422
    assert told_why in answer.content.decode()
    assert not MarkingStep.objects.exists()


def test_undo_and_redo(ta: Client, scored: Score) -> None:
    do(ta, scored.submission, f"remove {matched(scored)}")
    after = newest(scored.submission).document

    do(ta, scored.submission, "undo")
    assert newest(scored.submission).document == scored.document
    do(ta, scored.submission, "redo")

    assert newest(scored.submission).document == after
    page = desk(ta, scored.submission, history="").content.decode()
    assert "undid: removed an idea that had counted" in page
    assert "did again: removed an idea that had counted" in page


def test_a_page_that_is_out_of_date_changes_nothing_and_says_what_has_changed(
    cast: Cast, client_of: ClientOf, ta: Client, scored: Score
) -> None:
    old = stamp(scored.submission)
    do(client_of(cast.instructor), scored.submission, f"remove {matched(scored)}")

    answer = do(ta, scored.submission, f"add {missed(scored)}", place=BICYCLE, stamp=old)

    page = flat(answer.content.decode())
    assert answer.status_code == 409
    assert "Nothing was changed. This page was out of date." in page
    assert "<bdi>Ines Duarte</bdi> removed an idea" in page
    assert f'value="{BICYCLE}" data-chosen-place' in page
    assert MarkingStep.objects.count() == 1


def test_ideas_are_ranked_for_chosen_words_and_searched(ta: Client, scored: Score) -> None:
    page = desk(ta, scored.submission, spans="36-61").content.decode()

    assert "“Dark roofs store the heat”" in page
    assert "In common: <strong>dark, roofs, store, heat" in page
    assert page.index("Dark roofs store") < page.index("Count as this")
    searched = desk(ta, scored.submission, search="zebra").content.decode()
    assert "No idea has “zebra”." in searched


def test_finding_without_script_leads_to_the_ideas(ta: Client, scored: Score) -> None:
    answer = do(ta, scored.submission, "find", sentence="2")

    assert answer.status_code == 302
    assert answer.headers["Location"].endswith("?spans=36-62")


def test_an_idea_is_opened(ta: Client, scored: Score) -> None:
    page = desk(ta, scored.submission, idea=str(missed(scored))).content.decode()

    assert "Not matched. Select words that express it." in page
    unknown = desk(ta, scored.submission, idea="777").content.decode()
    assert "in the current version" in unknown


def test_names_are_hidden(ta: Client, cast: Cast, scored: Score) -> None:
    Assignment.objects.update(names_hidden=True)
    scored.submission.assignment.refresh_from_db()

    page = desk(ta, scored.submission).content.decode()

    assert "Zoë" not in page
    assert pseudonym(scored.submission.assignment, cast.student) in page


def test_nobody_corrects_their_own_work(cast: Cast, client_of: ClientOf, scored: Score) -> None:
    cast.course.memberships.filter(user=cast.student).update(role="ta")

    client = client_of(cast.student)

    assert desk(client, scored.submission).status_code == 403
    assert do(client, scored.submission, f"remove {matched(scored)}").status_code == 403


def test_a_text_without_score_can_be_commented_on(
    ta: Client, cast: Cast, assignment: Assignment
) -> None:
    submission = Submission.objects.create(
        assignment=assignment, student=cast.student, text=SUMMARY, words=20
    )

    assert "Not scored yet." in desk(ta, submission).content.decode()
    ta.post(
        reverse("comment_new", args=[submission.pk]), {"comment": "Soon.", "audience": "student"}
    )

    assert "Soon." in desk(ta, submission).content.decode()


def test_a_text_that_could_not_be_scored_is_tried_again_from_the_desk(
    ta: Client, cast: Cast, assignment: Assignment
) -> None:
    submission = Submission.objects.create(
        assignment=assignment, student=cast.student, text=SUMMARY, words=20
    )
    job = Job.objects.create(
        kind=Job.Kind.SCORE_SUBMISSIONS,
        assignment=assignment,
        submission=submission,
        state=Job.State.FAILED,
        error="It came to nothing.",
    )

    page = desk(ta, submission).text

    assert "Scoring failed." in page
    assert "It came to nothing." in page
    assert reverse("job_try_again", args=[job.pk]) in page


def test_the_number_of_queries_does_not_grow(
    ta: Client, cast: Cast, assignment: Assignment
) -> None:
    def count_queries(matches: int, steps: int) -> int:
        submission = keep(made(matches), assignment, cast.student)
        Score.objects.filter(submission=submission).update(revision=0)
        for uid in range(1, steps + 1):
            assert do(ta, submission, f"remove {uid}").status_code == 302
            ta.post(
                reverse("comment_new", args=[submission.pk]),
                {"comment": "Look.", "audience": "graders", "idea": str(uid)},
            )
        with CaptureQueriesContext(connection) as queries:
            assert desk(ta, submission).status_code == 200
        return len(queries)

    assert count_queries(30, 4) == count_queries(5, 1)


def test_the_desk_takes_12_queries_and_parses_the_pyramid_once(
    cast: Cast, ta: Client, scored: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it was corrected, commented on and reviewed. History is fetched when opened."""
    for what in (f"add {missed(scored)}", "undo", f"confirm {matched(scored)}"):
        assert do(ta, scored.submission, what, place=BICYCLE).status_code == 302
    comment(ta, scored.submission)
    reviews_complete(
        assignment=scored.submission.assignment,
        submissions=[scored.submission_id],
        user=cast.ta,
    )
    parses = record_parses(monkeypatch)
    with CaptureQueriesContext(connection) as queries:
        assert desk(ta, scored.submission).status_code == 200
    assert len(queries) <= 12, [query["sql"] for query in queries]
    assert len(parses) == 1


def test_history_is_fetched_when_it_is_opened(ta: Client, scored: Score) -> None:
    do(ta, scored.submission, f"confirm {matched(scored)}")
    url = f"{reverse('marking', args=[scored.submission_id])}?history"

    part, page = ta.get(url, headers=HTMX).text, ta.get(url).text

    assert "confirmed an idea that the program found" in part
    assert "<html" not in part
    assert "confirmed an idea that the program found" in page.split('id="desk-history"')[1]
    assert "Show the history" in desk(ta, scored.submission).content.decode()


@pytest.mark.parametrize("script", ["", "yes"])
@pytest.mark.parametrize("is_reviewed", [False, True])
def test_a_step_takes_15_queries_and_parses_the_pyramid_once(
    cast: Cast,
    ta: Client,
    scored: Score,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    is_reviewed: bool,
) -> None:
    """Also where it was corrected or reviewed before. The transaction itself is not counted."""
    if is_reviewed:
        submission = scored.submission
        reviews_complete(
            assignment=submission.assignment, submissions=[submission.pk], user=cast.ta
        )
    parses = record_parses(monkeypatch)
    old = stamp(scored.submission)
    for fields in ({"do": f"add {missed(scored)}", "place": BICYCLE}, {"do": "undo"}):
        parses.clear()
        data = fields | {"stamp": old}
        with CaptureQueriesContext(connection) as queries:
            answer = ta.post(
                reverse("marking_step", args=[scored.submission_id]),
                data,
                headers=HTMX if script else None,
            )
        assert answer.status_code == (200 if script else 302)
        statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
        assert len(statements) <= 15, statements
        assert len(parses) == 1
        old = stamp(scored.submission)


# --- comments ---


def comment(client: Client, submission: Submission, **fields: str) -> HttpResponse:
    data = {"comment": "Well\r\nput.", "audience": "student"} | fields
    return client.post(reverse("comment_new", args=[submission.pk]), data)  # type: ignore[return-value]


def test_a_comment_is_written_changed_deleted_and_brought_back(ta: Client, scored: Score) -> None:
    comment(ta, scored.submission, place=BICYCLE)
    row = Comment.objects.get()
    assert (row.text, row.is_private) == ("Well\nput.", False)

    ta.post(reverse("comment_reword", args=[row.pk]), {"comment": "Better."})
    ta.post(reverse("comment_remove", args=[row.pk]))
    assert "You deleted this comment." in desk(ta, scored.submission).content.decode()
    ta.post(reverse("comment_return", args=[row.pk]))

    row.refresh_from_db()
    assert (row.text, row.deleted_at) == ("Better.", None)
    page = desk(ta, scored.submission, history="").content.decode()
    assert "is-commented" in page
    assert "Well\nput. → Better." in page
    did = [event.document["did"] for event in SubmissionEvent.objects.filter(kind="comment")]
    assert did == ["wrote", "changed", "deleted", "restored"]


def test_a_note_is_for_graders(ta: Client, cast: Cast, client_of: ClientOf, scored: Score) -> None:
    comment(
        ta, scored.submission, comment="Ask him.", audience="graders", idea=str(matched(scored))
    )

    page = desk(client_of(cast.instructor), scored.submission).content.decode()
    assert "Note for graders" in page
    assert "Ask him." in page
    result = client_of(cast.student).get(reverse("submission", args=[scored.submission.pk]))
    assert "Ask him." not in result.content.decode()


def test_a_comment_needs_words_and_somebody_to_read_them(ta: Client, scored: Score) -> None:
    assert comment(ta, scored.submission, comment=" ").status_code == 422
    answer = comment(ta, scored.submission, comment="Kept words.", audience="all")

    assert answer.status_code == 422
    assert "Kept words." in answer.content.decode()
    assert not Comment.objects.exists()


@pytest.mark.parametrize("missed", [Missed.NOTHING, Missed.SENTENCES])
def test_a_student_whose_whole_text_is_excluded_is_told_so(
    ta: Client, scored: Score, cast: Cast, client_of: ClientOf, missed: Missed
) -> None:
    Assignment.objects.update(missed_before=missed, missed_after=missed)
    do(ta, scored.submission, "leave_out", place=f"0-{len(SUMMARY)}")
    assert not report_from_row(newest(scored.submission)).evidence.segments

    address = reverse("submission", args=[scored.submission_id])
    page = client_of(cast.student).get(address).text

    assert "A grader excluded your whole text from scoring" in page
    assert "A grader excluded the whole text from scoring: all scores are 0." in page
    assert "long enough" not in page


@pytest.mark.parametrize("number", ["0" * 12 + "9" * 30, "9" * 5_000, "-1", "²", "one"])
def test_a_number_that_no_idea_has_is_no_choice(ta: Client, scored: Score, number: str) -> None:
    assert desk(ta, scored.submission, idea=number).status_code == 200
    query = QueryDict(mutable=True)
    query["idea"] = number
    assert DeskQuery.of(query, SUMMARY).idea is None
