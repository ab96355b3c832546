"""The pages of second opinions: choosing methods, reading about them, comparing what they say."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from grading.models import (
    Annotation,
    Assignment,
    CalibrationRound,
    CalibrationText,
    Job,
    OpinionSetting,
    SecondOpinion,
    Submission,
    User,
)
from grading.pyramid.method_words import MAIN, MAIN_TITLE, METHOD_WORDS
from grading.pyramid.registry import CONTENT_METHODS
from grading.second_opinions.page import MethodView
from tests.conftest import Cast
from tests.opinion_scene import class_with_scores, give_opinions

ClientOf = Callable[[User | None], Client]
LOW_AND_HIGH = [0.2] * 4 + [0.8] * 4
SWAPPED = [40.0, 10.0, 10.0, 10.0, 40.0, 40.0, 40.0, 10.0]


@pytest.fixture
def instructor(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.instructor)


@pytest.fixture
def ta(cast: Cast, client_of: ClientOf) -> Client:
    return client_of(cast.ta)


def page_of(client: Client, name: str, pk: int, **query: str) -> str:
    response = client.get(reverse(name, args=[pk]), query)
    assert response.status_code == 200
    return " ".join(response.text.split())


def save(client: Client, assignment: Assignment, *methods: str, least: str = "1.5") -> int:
    address = reverse("second_opinions", args=[assignment.pk])
    return client.post(address, {"methods": methods, "least_difference": least}).status_code


def box(page: str, method: str) -> str:
    match = re.search(rf'<input[^>]*value="{re.escape(method)}"[^>]*>', page)
    assert match
    return match.group()


@pytest.fixture
def main_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores of the scene have no documents; test_submission_page.py has real ones."""
    monkeypatch.setattr(
        "grading.second_opinions.page._main_view",
        lambda *_: MethodView(MAIN, MAIN_TITLE, "comprehensive", score="0.20"),
    )


class TestSetting:
    def test_nothing_is_chosen_at_first(self, instructor: Client, assignment: Assignment) -> None:
        page = page_of(instructor, "second_opinions", assignment.pk)

        assert not any("checked" in box(page, method) for method in CONTENT_METHODS)
        assert 'value="1.5"' in page

    def test_what_is_chosen_is_kept_and_a_worker_is_asked(
        self, instructor: Client, assignment: Assignment
    ) -> None:
        assert save(instructor, assignment, "peak", "rouge-1", least="2") == 302

        setting = OpinionSetting.objects.get()
        assert setting.methods == ["rouge-1", "peak"]
        assert setting.least_difference == 2
        assert Job.objects.get(kind=Job.Kind.SECOND_OPINIONS).requested_by is not None
        page = page_of(instructor, "second_opinions", assignment.pk)
        assert "checked" in box(page, "peak")
        assert "checked" not in box(page, "rouge-2")
        assert "Calculating second opinions" in page

    def test_without_a_source_methods_that_need_one_cannot_be_chosen(
        self, instructor: Client, assignment: Assignment
    ) -> None:
        page = page_of(instructor, "second_opinions", assignment.pk)
        assert "disabled" in box(page, "edu-alignment")
        assert "It needs the source text, and this assignment has none." in page
        assert "disabled" not in box(page, "rouge-1")

        assert save(instructor, assignment, "edu-alignment") == 422
        assert not OpinionSetting.objects.exists()

        Assignment.objects.update(source_text="Cities are hotter.")
        assert "disabled" not in box(
            page_of(instructor, "second_opinions", assignment.pk), "edu-alignment"
        )
        assert save(instructor, assignment, "edu-alignment") == 302

    def test_without_references_those_that_need_them_cannot_be_chosen(
        self, instructor: Client, assignment: Assignment
    ) -> None:
        assignment.references.all().delete()

        page = page_of(instructor, "second_opinions", assignment.pk)

        assert "disabled" in box(page, "rouge-1")
        assert "disabled" not in box(page, "ape")

    @pytest.mark.parametrize("least", ["", "0.1", "9", "much", "nan"])
    def test_a_difference_that_makes_no_sense_is_refused(
        self, instructor: Client, assignment: Assignment, least: str
    ) -> None:
        assert save(instructor, assignment, "rouge-1", least=least) == 422
        assert not OpinionSetting.objects.exists()

    def test_a_method_that_does_not_exist_is_refused(
        self, instructor: Client, assignment: Assignment
    ) -> None:
        assert save(instructor, assignment, "rouge-9") == 422

    def test_how_far_each_method_is_calculated_is_said(
        self, instructor: Client, assignment: Assignment
    ) -> None:
        submissions = class_with_scores(assignment, LOW_AND_HIGH)
        give_opinions(assignment, submissions, {"peak": SWAPPED})
        SecondOpinion.objects.filter(submission=submissions[0]).delete()

        page = page_of(instructor, "second_opinions", assignment.pk)

        assert "7 of 8 submissions calculated" in page

    def test_the_settings_of_the_assignment_lead_there(
        self, instructor: Client, assignment: Assignment
    ) -> None:
        page = page_of(instructor, "assignment_edit", assignment.pk)

        assert reverse("second_opinions", args=[assignment.pk]) in page


def test_each_method_is_explained(instructor: Client, assignment: Assignment) -> None:
    OpinionSetting.objects.create(assignment=assignment, methods=["peak"])

    page = page_of(instructor, "opinion_methods", assignment.pk)

    assert page.count("Where it fails:") == len(METHOD_WORDS) + 1  # and the main method
    assert page.count("In use") == 1


@pytest.mark.usefixtures("main_method")
class TestSubmissionPage:
    @pytest.fixture
    def submissions(self, assignment: Assignment) -> list[Submission]:
        submissions = class_with_scores(assignment, LOW_AND_HIGH)
        give_opinions(assignment, submissions, {"peak": SWAPPED, "rouge-1": LOW_AND_HIGH})
        return submissions

    def test_each_method_is_there_with_score_rank_and_difference(
        self, ta: Client, submissions: list[Submission]
    ) -> None:
        page = page_of(ta, "submission_opinions", submissions[0].pk)

        assert "Main method" in page
        assert "rank 1 of 8" in page  # PEAK: four are first
        assert "rank 5 of 8" in page  # ROUGE-1
        assert "2.0 higher" in page
        assert "the same" in page
        row = page.split('<a href="#method-peak">')[1].split("</tr>")[0]
        assert "Methods disagree" in row
        assert (
            "Methods disagree" not in page.split('<a href="#method-rouge-1">')[1].split("</tr>")[0]
        )

    def test_found_words_are_marked_and_listed(
        self, ta: Client, submissions: list[Submission]
    ) -> None:
        page = page_of(ta, "submission_opinions", submissions[0].pk)

        # Two of at most two points: the heaviest band.
        assert '<mark class="match match-band-5">The text</mark>' in page
        assert "heat | cities" in page
        assert "Why peak says 40.0." in page

    def test_what_is_not_calculated_yet_says_so(
        self, ta: Client, submissions: list[Submission]
    ) -> None:
        SecondOpinion.objects.filter(method="peak", submission=submissions[0]).delete()

        page = page_of(ta, "submission_opinions", submissions[0].pk)

        assert "Not calculated yet." in page

    def test_where_none_is_chosen_only_the_instructor_can_choose(
        self, ta: Client, instructor: Client, assignment: Assignment, submissions: list[Submission]
    ) -> None:
        OpinionSetting.objects.all().delete()
        address = reverse("second_opinions", args=[assignment.pk])

        assert address not in page_of(ta, "submission_opinions", submissions[0].pk)
        assert address in page_of(instructor, "submission_opinions", submissions[0].pk)


@pytest.mark.usefixtures("main_method")
class TestQueue:
    @pytest.fixture
    def submissions(self, assignment: Assignment) -> list[Submission]:
        submissions = class_with_scores(assignment, LOW_AND_HIGH)
        give_opinions(assignment, submissions, {"peak": SWAPPED})
        return submissions

    def test_where_methods_disagree_is_a_filter(
        self, ta: Client, assignment: Assignment, submissions: list[Submission]
    ) -> None:
        page = page_of(ta, "queue", assignment.pk, flag="disagree")

        assert "2 of 8" in page
        assert (
            "PEAK puts this text 2.0 standard deviations above what the main method does." in page
        )
        assert reverse("submission_opinions", args=[submissions[0].pk]) in page
        assert "Student 3" not in page

    def test_the_bar_of_a_submission_has_the_flag_and_leads_to_the_page(
        self, ta: Client, submissions: list[Submission]
    ) -> None:
        address = reverse("submission_opinions", args=[submissions[7].pk])

        for query in ({}, {"queue": ""}):
            page = page_of(ta, "submission_opinions", submissions[7].pk, **query)
            bar = page.split('id="queue-bar"')[1].split("</nav>")[0]
            assert "2.0 standard deviations below" in bar
            assert bar.count(address) == 2  # by itself, and with the flag

    def test_without_opinions_the_bar_leads_nowhere(
        self, ta: Client, submissions: list[Submission]
    ) -> None:
        OpinionSetting.objects.all().delete()

        page = page_of(ta, "submission_opinions", submissions[7].pk)

        bar = page.split('id="queue-bar"')[1].split("</nav>")[0]
        assert "Second opinions" not in bar
        assert "Methods disagree" not in bar


def test_a_grader_who_annotates_blind_is_warned(
    ta: Client, cast: Cast, assignment: Assignment
) -> None:
    [submission] = class_with_scores(assignment, [0.5])
    sample = CalibrationRound.objects.create(
        assignment=assignment,
        number=1,
        pyramid=assignment.pyramids.get(),
        seed=1,
        drawn_from=1,
    )
    text = CalibrationText.objects.create(round=sample, submission=submission, place=1)
    Annotation.objects.create(text=text, annotator=cast.ta)

    page = page_of(ta, "submission_opinions", submission.pk)
    assert "The sample stays blind until you finish" in page
