"""Calibration: drawing, annotating blind with and without script, seeing how far one agrees."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.calibration.actions import annotation_save, round_draw, rule_set
from grading.calibration.page import trial_stamp
from grading.calibration.queries import MatchRule
from grading.models import (
    Annotation,
    Assignment,
    CalibrationRound,
    CalibrationText,
    Job,
    Score,
    Submission,
    ThresholdChange,
    ThresholdTrial,
    User,
)
from tests.calibration.test_actions import STUDENTS, handed_in, marked
from tests.conftest import Cast
from tests.feedback.test_views import ClientOf
from tests.pages import flat
from tests.scoring.test_corrections import work

__all__ = ["handed_in", "marked"]

HTMX = {"HX-Request": "true"}


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


@pytest.fixture
def sample(cast: Cast, handed_in: Assignment) -> CalibrationRound:
    return round_draw(assignment=handed_in, texts=STUDENTS, author=cast.instructor)


def listed(client: Client, assignment: Assignment) -> str:
    page = client.get(reverse("calibration", args=[assignment.pk])).text
    return " ".join(page.split())


def text_at(sample: CalibrationRound, place: int) -> str:
    return reverse("calibration_text", args=[sample.pk, place])


def result_of(client: Client, sample: CalibrationRound) -> str:
    page = client.get(reverse("calibration_result", args=[sample.pk])).text
    return " ".join(page.split())


def annotate_all(sample: CalibrationRound, person: User, *, like_program: bool = True) -> None:
    for text in sample.texts.all():
        matches = text.submission.scores.get(revision=0).document["matches"]
        ideas = {match["scu"]: () for match in matches} if like_program else {1: ()}
        annotation_save(text=text, annotator=person, ideas=ideas, is_done=True)


def test_before_there_is_a_score_there_is_nothing_to_draw(
    cast: Cast, assignment: Assignment, ta: Client
) -> None:
    page = listed(ta, assignment)

    assert "No sample yet" in page
    assert "There is nothing to draw from yet" in page


def test_a_ta_draws_a_sample(ta: Client, handed_in: Assignment) -> None:
    address = reverse("calibration", args=[handed_in.pk])
    refused = ta.post(address, {"texts": "7"})
    assert refused.status_code == 422
    assert "Only 6 texts are left." in refused.text

    page = " ".join(ta.post(address, {"texts": "5"}, follow=True).text.split())

    assert "Sample 1 drawn" in page
    assert "from 6; version 1 of the pyramid" in page
    assert "You: not started" in page
    assert "See how far you agree" not in page
    assert "Only 1 scored final submission is not yet in a sample" in page
    assert "at least 5" in page
    assert "Draw texts at random" not in page


def test_fewer_than_five_texts_are_refused_with_the_reason(
    ta: Client, handed_in: Assignment
) -> None:
    page = listed(ta, handed_in)
    assert 'min="5"' in page
    assert "Draw at least 5." in page

    refused = ta.post(reverse("calibration", args=[handed_in.pk]), {"texts": "3"})

    assert refused.status_code == 422
    assert "Draw at least 5 texts. Fewer show too little." in refused.text
    assert not CalibrationRound.objects.exists()


def test_the_page_of_a_text_tells_nothing_of_the_program_or_of_its_writer(
    ta: Client, sample: CalibrationRound, cast: Cast
) -> None:
    work()
    text = sample.texts.get(place=2)
    annotation_save(text=text, annotator=cast.instructor, ideas={1: ()}, is_done=True)

    page = ta.get(text_at(sample, 2)).text

    assert "Cities are hotter than the country." in page
    assert text.submission.student.name not in page
    assert "checked" not in page
    assert 'class="match' not in page
    assert "0." not in re.sub(r"<script.*?</script>|\?v=[\w.]+", "", page.split("<main")[1])


def test_it_is_saved_as_one_ticks_and_goes_on_to_the_next_text(
    ta: Client, sample: CalibrationRound
) -> None:
    content = sample.texts.get(place=1).submission.text
    sent = {"idea": ["1", "3"], "words-3": f"0-{len('Cities')}"}
    saved = ta.post(text_at(sample, 1), sent, headers=HTMX).text
    assert saved.startswith('<p class="calibration-saved')
    assert "2 ideas" in saved
    page = flat(ta.get(text_at(sample, 1)).text)
    assert page.count(" checked") == 2
    assert f'<q class="calibration-words" data-quoted >{content[:6]}</q>' in page
    assert "0 of 6 done" in page

    gone_on = ta.post(text_at(sample, 1), sent | {"then": "done"})

    assert gone_on.headers["Location"] == text_at(sample, 2)
    assert Annotation.objects.get().is_done
    assert "1 of 6 done" in ta.get(text_at(sample, 2)).text


def test_without_script_sentences_that_are_ticked_go_to_the_ideas_that_are_new(
    ta: Client, sample: CalibrationRound
) -> None:
    ta.post(text_at(sample, 1), {"idea": ["1"], "then": "save"})

    ta.post(text_at(sample, 1), {"idea": ["1", "2"], "sentence": ["1"], "then": "save"})

    ideas = Annotation.objects.get().ideas
    assert ideas["1"] == []
    assert len(ideas["2"]) == 1


NO_IDEA = "You ticked no idea in this text. Is that right?"


def test_done_without_an_idea_is_asked_about_once_and_then_accepted(
    ta: Client, sample: CalibrationRound
) -> None:
    address = text_at(sample, 1)
    assert NO_IDEA not in ta.get(address).text

    confirmation = ta.post(address, {"then": "done"}, follow=True)

    assert confirmation.redirect_chain == [(f"{address}?no_idea=ask", 302)]
    assert NO_IDEA in confirmation.text
    assert 'name="no_idea" value="yes"' in confirmation.text
    assert not Annotation.objects.get().is_done

    done = ta.post(address, {"then": "done", "no_idea": "yes"})

    assert done.headers["Location"] == text_at(sample, 2)
    assert Annotation.objects.get().is_done
    assert NO_IDEA not in ta.get(f"{address}?no_idea=ask").text
    assert ta.post(address, {"then": "done"}).headers["Location"] == text_at(sample, 2)


def test_done_with_an_idea_is_not_asked_about(ta: Client, sample: CalibrationRound) -> None:
    address = text_at(sample, 1)
    ta.post(address, {"then": "save", "idea": ["1"]})

    assert NO_IDEA not in ta.get(f"{address}?no_idea=ask").text

    confirmation = ta.post(address, {"then": "done"}, follow=True)  # the tick was taken away
    assert NO_IDEA in confirmation.text
    done = ta.post(address, {"then": "done", "idea": ["2"]})
    assert done.headers["Location"] == text_at(sample, 2)


def test_words_that_are_not_in_the_text_are_not_kept(ta: Client, sample: CalibrationRound) -> None:
    ta.post(text_at(sample, 1), {"idea": ["1"], "words-1": "5-99999"})
    assert Annotation.objects.get().ideas == {"1": []}

    refused = ta.post(text_at(sample, 1), {"idea": ["777"]})
    assert refused.status_code == 422
    assert "not in the pyramid" in refused.text


def test_the_result_is_there_once_all_is_done_and_then_nothing_can_be_changed(
    cast: Cast, ta: Client, sample: CalibrationRound, client_of: ClientOf
) -> None:
    address = reverse("calibration_result", args=[sample.pk])
    assert ta.get(address).status_code == 403
    assert "No finished text yet" in result_of(client_of(cast.instructor), sample)
    for place in range(1, STUDENTS):
        ta.post(text_at(sample, place), {"idea": ["1"], "then": "done"})
    assert ta.get(address).status_code == 403

    last = ta.post(text_at(sample, STUDENTS), {"then": "done", "no_idea": "yes"}, follow=True)

    assert last.redirect_chain == [(address, 302)]
    assert "Here is the result" in last.text
    ta.post(text_at(sample, 1), {"idea": ["2"], "then": "save"})
    assert Annotation.objects.get(text__place=1).ideas.keys() == {"1"}
    assert "disabled" in ta.get(text_at(sample, 1)).text


def test_the_result_says_how_far_program_and_people_agree(
    cast: Cast, ta: Client, sample: CalibrationRound
) -> None:
    work()
    annotate_all(sample, cast.ta)

    page = result_of(ta, sample)

    assert "s alpha 1.00" in page
    assert "They agree so well that you can rely on either." in page
    assert "No text was annotated by two people" in page
    assert "ideas were judged the same" in page
    assert '<svg class="picture"' in page
    assert "No change suggested" in page
    assert "Only instructors can apply it" in page


def test_where_they_differ_is_told_by_idea_with_the_texts_and_so_are_pairs_of_people(
    cast: Cast, ta: Client, sample: CalibrationRound
) -> None:
    annotate_all(sample, cast.ta, like_program=False)
    annotate_all(sample, cast.instructor)

    page = result_of(ta, sample)

    assert "Ideas by how often people and the program differ" in page
    submission = sample.texts.get(place=1).submission_id
    assert f'<a href="{reverse("submission", args=[submission])}">text 1</a>' in page
    assert "<h4><bdi>Ines Duarte</bdi> and <bdi>Tomasz Okoye</bdi></h4>" in page
    assert "6 texts, alpha" in page


def test_few_texts_are_said_to_be_few(cast: Cast, ta: Client, handed_in: Assignment) -> None:
    sample = round_draw(assignment=handed_in, texts=4, author=cast.ta)
    annotate_all(sample, cast.ta)

    page = result_of(ta, sample)

    assert "At least 5 texts are needed to tell. So far, there are 4 texts." in page
    assert not re.search(r"\bnan\b", page.lower())


def test_an_instructor_in_the_middle_is_told_what_looking_costs(
    cast: Cast, sample: CalibrationRound, client_of: ClientOf
) -> None:
    annotate_all(sample, cast.ta)
    instructor = client_of(cast.instructor)
    assert "in the middle" not in result_of(instructor, sample)

    instructor.post(text_at(sample, 1), {"idea": ["1"], "then": "done"})

    assert "finished this sample" in result_of(instructor, sample)


def test_the_files_have_a_line_for_each_idea_and_for_each_judge(
    cast: Cast, ta: Client, sample: CalibrationRound
) -> None:
    work()
    annotate_all(sample, cast.ta)
    addresses = {
        kind: reverse("calibration_file", args=[sample.pk, kind]) for kind in ("ideas", "scores")
    }

    ideas, scores = (ta.get(address).text.splitlines() for address in addresses.values())

    assert ideas[0] == "\ufefftext,idea,label,weight,probability,program,tomasz"
    assert (len(ideas) - 1) % STUDENTS == 0
    assert scores[0] == "\ufefftext,judge,raw,parts,comprehensive,quality,coverage"
    assert len(scores) == 1 + 2 * STUDENTS
    by_program, by_person = (line.split(",") for line in scores[1:3])
    assert (by_program[1], by_person[1]) == ("the program", "tomasz")
    assert by_program[3] == by_person[3]
    assert float(by_program[2]) < float(by_person[2]) == int(by_person[2])  # expected, and whole


def test_the_page_of_a_submission_is_blind_in_the_middle_of_a_sample(
    cast: Cast, ta: Client, sample: CalibrationRound
) -> None:
    text = sample.texts.get(place=2)
    address = reverse("submission", args=[text.submission_id])
    assert "This text is in your sample" not in ta.get(address).text
    ta.post(text_at(sample, 1), {"then": "save"})

    page = " ".join(ta.get(address).text.split())
    assert "<strong>The sample stays blind until you finish</strong>." in page
    assert 'class="match' not in page
    assert "This text is in your sample" not in ta.get(f"{address}?look=yes").text


def hand_in_again(submission: Submission) -> None:
    submission.pk, submission.attempt = None, submission.attempt + 1
    submission.save()


def test_the_list_takes_as_many_queries_however_many_texts_and_people(
    cast: Cast, ta: Client, sample: CalibrationRound, handed_in: Assignment
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            listed(ta, handed_in)
        return len(queries)

    first, *others = Submission.objects.all()
    hand_in_again(first)
    queries()
    few = queries()
    annotate_all(sample, cast.ta)
    annotate_all(sample, cast.instructor)
    for other in others:
        hand_in_again(other)

    assert queries() == few
    assert "<bdi>Ines Duarte</bdi>" in listed(ta, handed_in)


def test_a_sample_is_deleted_by_an_instructor_who_is_told_what_goes(
    cast: Cast, sample: CalibrationRound, handed_in: Assignment, client_of: ClientOf
) -> None:
    annotate_all(sample, cast.ta)
    instructor = client_of(cast.instructor)
    address = reverse("calibration_delete", args=[sample.pk])
    page = " ".join(instructor.get(address).text.split())
    assert "Annotations of 6 texts are deleted for good" in page

    page = instructor.post(address, follow=True).text

    assert "Its texts can be drawn again." in page
    assert f"{STUDENTS} scored final submissions are not yet in a sample" in page
    assert not Annotation.objects.exists()


def test_a_result_of_before_another_rule_was_set_says_so(
    cast: Cast, ta: Client, sample: CalibrationRound
) -> None:
    annotate_all(sample, cast.ta)
    changed = "The rule for counting matches has changed since this sample was drawn"
    assert changed not in result_of(ta, sample)

    rule_set(assignment=sample.assignment, rule=MatchRule(0.4), author=cast.instructor)

    assert changed in result_of(ta, sample)


# --- learning from marks ---


CORRECTIONS = f"Learn from the {STUDENTS} corrections made so far"


@pytest.fixture
def instructor(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


def words(page: str) -> str:
    """The text of a page, with single spaces and without narrow ones."""
    wide = re.sub("&#8239;|\u202f", "", page)
    return " ".join(re.sub(r"<[^>]+>", " ", wide).split())


def page_of(client: Client, assignment: Assignment) -> str:
    return client.get(reverse("calibration_learning", args=[assignment.pk])).text


def try_it(client: Client, assignment: Assignment, **data: str) -> str:
    address = reverse("calibration_learning", args=[assignment.pk])
    client.post(address, data or {"which": "other", "percent": "30"})
    work()
    return page_of(client, assignment)


def stamp() -> str:
    trial = ThresholdTrial.objects.first()
    return trial_stamp(trial) if trial else "none"


def set_it(client: Client, assignment: Assignment, **data: str) -> str:
    address = reverse("calibration_learning_set", args=[assignment.pk])
    return client.post(address, data or {"trial": stamp()}, follow=True).text


def undo_it(client: Client, assignment: Assignment, change: object) -> str:
    address = reverse("calibration_learning_undo", args=[assignment.pk])
    return client.post(address, {"change": str(change)}, follow=True).text


def test_before_anybody_has_marked_a_text(instructor: Client, handed_in: Assignment) -> None:
    page = words(page_of(instructor, handed_in))

    assert "own rule. A match counts at 50% or more." in page
    assert "Nothing yet. Review some submissions" in page
    samples = instructor.get(reverse("calibration", args=[handed_in.pk])).text
    assert "There are none yet." in words(samples)


def test_corrections_are_offered_to_instructors(
    cast: Cast, client_of: ClientOf, instructor: Client, marked: Assignment
) -> None:
    address = reverse("calibration", args=[marked.pk])

    page = words(instructor.get(address).text)

    assert CORRECTIONS in page
    assert f"{STUDENTS} corrections in {STUDENTS} texts by 1 grader" in page
    assert f"{STUDENTS} texts marked as reviewed" in page
    assert CORRECTIONS not in words(client_of(cast.ta).get(address).text)


def test_from_the_offer_to_applying_and_undoing(instructor: Client, marked: Assignment) -> None:
    before = Score.objects.count()
    assert CORRECTIONS in words(page_of(instructor, marked))

    page = words(try_it(instructor, marked, which="marks"))

    assert "What learning would do" in page
    assert f"on {STUDENTS} texts. A match counts at" in page
    assert "Alpha without learning" in page
    assert "Matches gained" in page
    assert "Mean change of the comprehensive score" in page
    assert "Ideas that count more easily" in page
    assert Score.objects.count() == before

    assert "Applied. The class is being scored again." in set_it(instructor, marked)
    work()
    page = words(page_of(instructor, marked))
    assert "In use: learnt from" in page
    assert "Ines Duarte : learnt from" in page
    assert "Already in use." in words(try_it(instructor, marked, which="marks"))

    change = ThresholdChange.objects.get()
    assert "Undone. The class is being scored again." in undo_it(instructor, marked, change.pk)
    work()
    marked.refresh_from_db()
    assert marked.learnt_curve is None
    assert "because the rule has changed" in undo_it(instructor, marked, change.pk)


def test_not_now_forgets_it(instructor: Client, marked: Assignment) -> None:
    try_it(instructor, marked, which="marks")

    page = set_it(instructor, marked, trial=stamp(), not_now="yes")

    assert "Nothing was changed." in page
    assert "What learning would do" not in page
    marked.refresh_from_db()
    assert marked.learnt_curve is None


def annotate(cast: Cast, assignment: Assignment) -> None:
    """As if people found each idea from 30 percent on."""
    sample = round_draw(assignment=assignment, texts=STUDENTS, author=cast.ta)
    work()
    for number, text in enumerate(sample.texts.all()):
        known = {str(uid): 0.1 * ((uid + number) % 10) + 0.02 for uid in range(1, 6)}
        CalibrationText.objects.filter(pk=text.pk).update(probabilities=known)
        ideas = {int(uid): () for uid, probability in known.items() if probability > 0.3}
        annotation_save(text=text, annotator=cast.ta, ideas=ideas, is_done=True)


def test_what_the_samples_alone_say_is_there_at_once(
    cast: Cast, instructor: Client, handed_in: Assignment
) -> None:
    annotate(cast, handed_in)

    page = words(page_of(instructor, handed_in))

    assert f"{STUDENTS} texts annotated blind in samples" in page
    assert "What the samples alone say Learning suggested." in page
    assert "Learn from all reviewed and annotated texts" in page
    assert "Learn only from" not in page  # there is nothing else


def test_blind_annotations_alone_can_be_chosen(
    cast: Cast, instructor: Client, marked: Assignment
) -> None:
    annotate(cast, marked)
    assert f"Learn only from the {STUDENTS} texts annotated blind" in words(
        page_of(instructor, marked)
    )

    try_it(instructor, marked, which="samples")

    assert ThresholdTrial.objects.get().source == ThresholdTrial.Source.SAMPLES


def test_a_probability_is_set_manually(instructor: Client, handed_in: Assignment) -> None:
    before = Score.objects.count()
    page = words(try_it(instructor, handed_in))
    assert "Set manually. A match counts at 30% or more." in page
    assert "of 6 students" in page or "Nobody&#x27;s score moves" in page
    assert Score.objects.count() == before

    set_it(instructor, handed_in)
    work()

    assert Score.objects.count() == 2 * before
    page = words(page_of(instructor, handed_in))
    assert "In use: set manually. A match counts at 30% or more." in page
    try_it(instructor, handed_in, which="usual")
    set_it(instructor, handed_in)
    handed_in.refresh_from_db()
    assert handed_in.match_probability is None


def test_nothing_is_set_whose_effect_nobody_saw(instructor: Client, handed_in: Assignment) -> None:
    assert "Nothing was changed" in set_it(instructor, handed_in)
    try_it(instructor, handed_in)
    earlier = stamp()
    try_it(instructor, handed_in, which="other", percent="31")
    assert "Nothing was changed" in set_it(instructor, handed_in, trial=earlier)
    Assignment.objects.update(match_probability=0.7)
    assert "The rule has changed since." in page_of(instructor, handed_in)
    assert "Nothing was changed" in set_it(instructor, handed_in)


@pytest.mark.parametrize("change", ["0", "x", "", "999", "9" * 30])
def test_a_change_that_is_not_there_cannot_be_undone(
    instructor: Client, handed_in: Assignment, change: str
) -> None:
    assert "Nothing was changed" in undo_it(instructor, handed_in, change)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({}, "Choose what to try."),
        ({"which": "other"}, "Enter the percentage to try."),
        ({"which": "other", "percent": "5"}, "Enter at least 10 percent."),
        ({"which": "other", "percent": "95"}, "Enter at most 90 percent."),
        ({"which": "marks"}, "There is nothing to learn from."),
        ({"which": "samples"}, "There is nothing to learn from."),
    ],
)
def test_what_cannot_be_tried_is_told(
    instructor: Client, handed_in: Assignment, sent: dict[str, str], expected: str
) -> None:
    address = reverse("calibration_learning", args=[handed_in.pk])

    response = instructor.post(address, {"nothing": ""} | sent)

    assert response.status_code == 422
    assert expected in response.text
    assert not ThresholdTrial.objects.exists()


def test_htmx_asks_for_the_part_while_it_is_worked_out(
    instructor: Client, handed_in: Assignment
) -> None:
    address = reverse("calibration_learning", args=[handed_in.pk])
    instructor.post(address, {"which": "other", "percent": "40"})

    waiting = instructor.get(address, headers={"HX-Request": "true"}).text
    work()
    done = instructor.get(address, headers={"HX-Request": "true"}).text

    assert 'hx-trigger="every 1s"' in waiting
    assert done.strip().startswith('<div class="stack" id="trial">')
    assert "every 1s" not in done


def test_names_are_hidden_where_the_assignment_hides_them(
    instructor: Client, handed_in: Assignment
) -> None:
    Assignment.objects.update(names_hidden=True)

    page = try_it(instructor, handed_in, which="other", percent="10")

    assert "Student 1" not in page


def test_a_failed_job_is_told_and_tried_again_from_the_samples(
    cast: Cast, instructor: Client, handed_in: Assignment
) -> None:
    round_draw(assignment=handed_in, texts=2, author=cast.ta)
    job = Job.objects.latest("pk")
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, error="No memory was left.")

    samples = reverse("calibration", args=[handed_in.pk])
    assert "No memory was left." in instructor.get(samples).text
    assert "No memory was left." in page_of(instructor, handed_in)
    response = instructor.post(reverse("job_try_again", args=[job.pk]))

    assert response.headers["Location"] == samples
    work()
    assert "No memory was left." not in instructor.get(samples).text
