"""What a judgement says, and what it does not depend on."""

from itertools import permutations

import pytest

from grading.pyramid.contradictions.judgement import Judgement, judge
from grading.pyramid.contradictions.numbers import Number, numbers_agree
from tests.pyramid.contradictions.judging import Judge

pytestmark = pytest.mark.models

ROOFS = "Dark roofs absorb the light of the sun."


@pytest.mark.parametrize(
    ("expert", "sentence"),
    [
        (ROOFS, "Dark roofs do not absorb the light of the sun."),
        (ROOFS, "dark roofs don\u2019t absorb light"),
        (ROOFS, "No dark roof absorbs light."),
        (ROOFS, "Dark roofs hardly absorb light."),
        (ROOFS, "Dark roofs fail to absorb light."),
        (ROOFS, "It is false that dark roofs absorb light."),
        (ROOFS, "The author denies that dark roofs absorb light."),
        (ROOFS, "White paint stops dark roofs from absorbing light."),
        ("One remedy is not sufficient.", "One remedy is sufficient."),
        ("One remedy is insufficient.", "One remedy is sufficient."),
        ("The heat does not escape at night.", "The heat escapes at night."),
        ("Plants cannot grow without light.", "Plants can grow without light."),
        ("Plants grow with light.", "Plants grow without light."),
        ("There is no gap between the poles.", "There is a gap between the poles."),
        ("Few plants grow in cities.", "Many plants grow in cities."),
        ("Cities are warmer than fields.", "Fields are warmer than cities."),
        ("Cities are warmer than fields.", "Cities are not warmer than fields."),
        ("Soldiers built the roads.", "The soldiers were built by the roads."),
        ("Tambora erupted in 1815.", "Tambora erupted in 1915."),
        ("The storm killed 27,000 people.", "The storm killed 72, 000 people."),
        ("The storm killed over 27,000 people.", "The storm killed less than 5,000 people."),
        ("A crew of 25 people sails the ship.", "The ship needs a crew of many hundred people."),
        ("The dockers lost their jobs.", "The dockers kept their jobs."),
        ("Farmers complain about the floods.", "Farmers are happy about the floods."),
        ("The water below the dam is cleaner.", "The water below the dam is dirtier."),
        ("The brain stores what it learns.", "The brain deletes what it learns."),
        ("The king ordered farmers to pay.", "The king forbade the farmers to pay."),
        ("The law forbids early starts.", "The law forbids late starts."),
        ("Wages went up.", "Wages went down."),
        ("Poor people ate better than before.", "Poor people ate worse than before."),
        ("Boxes are cheaper than concrete walls.", "Boxes are more expensive than such walls."),
        ("Women did the work of men.", "Women were not allowed to do the work of men."),
        ("The ship came in the sixteenth century.", "The ship came in the 19th century."),
        ("Roofs do not reflect light.", "Roofs reflect only light."),
    ],
)
def test_contradictions(judge_text: Judge, expert: str, sentence: str) -> None:
    assert judge_text([expert], sentence).holds
    assert judge_text([sentence], expert).holds


@pytest.mark.parametrize(
    ("expert", "sentence"),
    [
        (ROOFS, ROOFS),
        (ROOFS, "Not only dark roofs absorb light."),
        (ROOFS, "Dark roofs not only absorb light, they also store it."),
        (ROOFS, "Dark roofs do not fail to absorb light."),
        (ROOFS, "Nobody denies that dark roofs absorb light."),
        (ROOFS, "Dark roofs absorb light, not rain."),
        (ROOFS, "Dark roofs do not reflect the light."),
        (ROOFS, "Unless it snows, dark roofs absorb light."),
        ("Roofs do not reflect light.", "Roofs fail to reflect light."),
        ("Roofs do not reflect light.", "No roof reflects light."),
        ("Roofs do not reflect light.", "Roofs reflect only one twentieth of the light."),
        ("Roofs do not reflect light.", "Roofs reflect just a tenth of the light."),
        ("Stone releases heat at night.", "Stone does not release heat until night."),
        ("Cities are warmer than fields.", "Fields are not as warm as cities."),
        ("Cities are warmer than fields.", "Fields are cooler than cities."),
        ("Tired people pay less attention.", "Tired people do not pay attention."),
        ("Teenagers sleep too little.", "Teenagers do not sleep enough."),
        ("Grades did not fall.", "Some feared that grades would fall, but they did not."),
        ("The storm killed 27,000 people.", "The storm killed more than 25, 000 people."),
        ("In 2022 it rained on 30 days.", "It rained on thirty days in 2022."),
        ("Some thousand people came.", "A few thousand people came."),
        ("Half of the people died of the plague.", "The plague killed half of the people."),
        ("Hunters killed beavers.", "Hunters do not kill beavers anymore."),
        ("Doctors did not know a cure.", "Doctors neither knew the cause nor had a cure."),
        ("It changes its substance.", "It does not change in size but changes its substance."),
        ("Energy cannot be destroyed.", "Energy cannot be created or destroyed."),
        ("The harvest of 1845 was smaller.", "Farmers grew potatoes before the harvest of 1845."),
        ("Only 1,200 animals remained.", "Only 1,200 animals were left."),
        ("The water went into the air, leaving the salt.", "The salt stayed."),
        ("The drop height is 5 m.", "The greater the height, the more energy."),
        ("No loss, no flow control.", "Flow control, no loss."),
        ("The fuel of planes is free of tax.", "There is no tax on the fuel of planes."),
        ("Sleeping cars earn little.", "A sleeping car earns money once a day."),
    ],
)
def test_no_contradiction(judge_text: Judge, expert: str, sentence: str) -> None:
    assert not judge_text([expert], sentence).holds
    assert not judge_text([sentence], expert).holds


@pytest.mark.parametrize(
    ("expert", "sentence"),
    [
        ("Boxes are cheaper than walls.", "Walls would be cheaper."),
        ("The state pays the farmers.", "The farmers pay the damage."),
        ("White corals can recover if the water cools.", "White corals can never recover."),
        ("Turbines kill fewer birds than cats do.", "Turbines kill more birds than cats do."),
        ("Wagons are missing.", "Wagons are plentiful."),
        ("Grain was sold to England.", "Grain was bought from England."),
    ],
)
def test_contradictions_that_read_one_way(judge_text: Judge, expert: str, sentence: str) -> None:
    assert judge_text([expert], sentence).holds


def test_a_number_is_one_of_its_own_clause(judge_text: Judge) -> None:
    expert = "The dough takes between eight and twenty-four hours to rise."
    other = "The dough takes most of a day to rise, and packet yeast is done in two hours."
    assert not judge_text([expert], other).holds
    assert judge_text([expert], "The dough takes two hours to rise.").kind == "number"


def test_it_is_enough_to_agree_with_one_expert(judge_text: Judge) -> None:
    experts = ["Bees sleep at night.", "Bees never sleep at night."]
    assert not judge_text(experts, "Bees sleep at night.").holds
    assert not judge_text(experts, "Bees do not sleep at night.").holds


def test_names_the_expert_and_quotes_both(judge_text: Judge) -> None:
    result = judge_text(["Roofs are made of slate.", ROOFS], "Dark roofs cannot absorb light.")
    remark = 'The text says "cannot absorb", the experts say "absorb".'
    assert result == Judgement("denial", True, remark, 1)


def test_never_quotes_the_same_words_against_each_other(judge_text: Judge) -> None:
    found = judge_text(["Basalt is darker than granite."], "Basalt is not darker than granite.")
    assert found.remark == (
        'The text says "Basalt is not darker than granite", '
        'the experts say "Basalt is darker than granite".'
    )


def test_the_order_of_the_experts_makes_no_difference(judge_text: Judge) -> None:
    experts = [ROOFS, "Light is absorbed by roofs.", "Roofs are made of slate."]
    (sentence,) = judge_text.statements("Dark roofs never absorb light.")
    parts = [judge_text.statements(expert)[0] for expert in experts]
    rows = {
        (judgement.kind, judgement.holds)
        for judgement in (judge(order, sentence) for order in permutations(parts))
    }
    assert rows == {("denial", True)}


def test_a_sentence_without_end_is_not_read(judge_text: Judge) -> None:
    sentence = "dark roofs do not absorb light " + "and they do not absorb heat " * 60
    assert not judge_text([ROOFS], sentence).holds


def test_many_numbers_are_each_compared_a_few_times_only(
    monkeypatch: pytest.MonkeyPatch, judge_text: Judge
) -> None:
    compared = 0

    def count(number: Number, other: Number) -> bool:
        nonlocal compared
        compared += 1
        return numbers_agree(number, other)

    monkeypatch.setattr("grading.pyramid.contradictions.judgement.numbers_agree", count)
    (expert,) = judge_text.statements("The long storm of 1815 killed 27,000 people.")
    sentence = "500 people and " * 200
    text = judge_text.statements(f"The long storm killed {sentence}500 people.")[0]

    assert len(text.numbers) > 100
    judge([expert], text)
    assert compared <= 2 * len(expert.numbers) * len(text.numbers)


def test_a_word_that_an_expert_uses_for_the_idea_is_not_the_opposite_of_it(
    judge_text: Judge,
) -> None:
    stores = "Concrete, brick and stone store this heat during the day and release it slowly."
    keeps = "Thick walls keep it in store and give it up only when darkness comes."
    text = "Concrete and stone keep the heat and give it back at night"

    assert judge_text([stores], text).kind == "opposite"
    assert judge_text([stores, keeps], text) == Judgement()
