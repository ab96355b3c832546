"""Second opinions of a class as they are read: which hold, and where methods disagree."""

import pytest

from grading.models import Assignment, OpinionSetting, SecondOpinion, StoredContentModel
from grading.pyramid.flags.text_flags import FlagKind
from grading.scoring.results import class_work
from grading.scoring.second_opinions import (
    chosen_methods,
    disagreement_flags,
    opinion_setting_of,
    opinions_of_class,
    opinions_start,
)
from tests.opinion_scene import class_with_scores, give_opinions

LOW_AND_HIGH = [0.2] * 4 + [0.8] * 4
SWAPPED = [40.0, 10.0, 10.0, 10.0, 40.0, 40.0, 40.0, 10.0]


def test_where_nobody_chose_a_method_there_is_nothing_to_do(assignment: Assignment) -> None:
    setting = opinion_setting_of(assignment)

    assert not OpinionSetting.objects.exists()
    assert setting.least_difference == 1.5
    assert disagreement_flags(setting) == {}
    assert opinions_start(assignment=assignment, requested_by=None) is None


def test_a_method_that_this_version_does_not_know_is_left_alone(assignment: Assignment) -> None:
    setting = OpinionSetting(assignment=assignment, methods=["gone", "peak", "rouge-1"])

    assert chosen_methods(setting) == ["rouge-1", "peak"]


def test_the_flag_says_which_method_and_how_far_and_where(assignment: Assignment) -> None:
    submissions = class_with_scores(assignment, LOW_AND_HIGH)
    give_opinions(assignment, submissions, {"peak": SWAPPED, "rouge-1": LOW_AND_HIGH})

    flags = disagreement_flags(opinion_setting_of(assignment))

    assert set(flags) == {submissions[0].pk, submissions[7].pk}
    above = flags[submissions[0].pk]
    assert above.kind == FlagKind.METHODS_DISAGREE
    assert above.reason == (
        "PEAK puts this text 2.0 standard deviations above what the main method does."
    )
    assert "2.0 standard deviations below" in flags[submissions[7].pk].reason


def test_of_several_methods_the_one_that_differs_most_has_the_sentence(
    assignment: Assignment,
) -> None:
    submissions = class_with_scores(assignment, LOW_AND_HIGH)
    nearly = [0.9, 0.1, 0.2, 0.1, 0.9, 0.9, 0.9, 0.9]
    give_opinions(assignment, submissions, {"rouge-1": nearly, "peak": SWAPPED})

    reason = disagreement_flags(opinion_setting_of(assignment))[submissions[0].pk].reason

    assert reason == (
        "PEAK puts this text 2.0 standard deviations above what the main method does. "
        "Also: ROUGE-1 1.8 above."
    )


def test_the_setting_says_from_where_on(assignment: Assignment) -> None:
    submissions = class_with_scores(assignment, LOW_AND_HIGH)
    give_opinions(assignment, submissions, {"peak": SWAPPED}, least=2.5)

    assert disagreement_flags(opinion_setting_of(assignment)) == {}


def test_of_seven_texts_nothing_is_flagged(assignment: Assignment) -> None:
    submissions = class_with_scores(assignment, LOW_AND_HIGH[:7])
    give_opinions(assignment, submissions, {"peak": SWAPPED[:7]}, least=0.5)

    assert disagreement_flags(opinion_setting_of(assignment)) == {}


@pytest.mark.parametrize("what", ["another model", "no model"])
def test_opinions_by_an_earlier_model_do_not_count(assignment: Assignment, what: str) -> None:
    submissions = class_with_scores(assignment, LOW_AND_HIGH)
    give_opinions(assignment, submissions, {"peak": SWAPPED})
    if what == "no model":
        StoredContentModel.objects.all().delete()
    else:
        StoredContentModel.objects.update(content_hash="another-one")

    opinions = opinions_of_class(class_work(assignment), assignment, ["peak"])

    assert len(opinions.main) == 8
    assert opinions.by_method == {"peak": {}}
    assert disagreement_flags(opinion_setting_of(assignment)) == {}


def test_only_texts_that_count_are_compared(assignment: Assignment) -> None:
    submissions = class_with_scores(assignment, LOW_AND_HIGH)
    give_opinions(assignment, submissions, {"peak": SWAPPED})
    submissions[0].scores.update(held=True)

    opinions = opinions_of_class(class_work(assignment), assignment, ["peak"])

    assert submissions[0].pk not in opinions.main
    assert submissions[0].pk not in opinions.by_method["peak"]
    assert SecondOpinion.objects.filter(submission=submissions[0]).exists()
