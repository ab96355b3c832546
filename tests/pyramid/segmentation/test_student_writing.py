"""How sentences as students write them are cut, by the real parser: the finest cut of each.

All are made up. What the small model misreads is not in the table, but in docs/methods.md.
"""

import pytest

from grading.pyramid.parsing import Parser
from grading.pyramid.segmentation.sentences import segment
from grading.pyramid.structures import Text

pytestmark = pytest.mark.models

# A text in a line, where \\n is a line break; below it the segments. None: it is unchanged.
TABLE = """
Having measured the roofs, the team painted them white.
| Having measured the roofs the team
| the team painted them white

The heat stored in walls is released at night, warming the air.
| The heat stored in walls is released at night
| The heat stored in walls warming the air

Cities located near water stay cooler in summer.

The city planted 5,000 trees in 2019, reducing the temperature by 3.5 °C.
| The city planted 5,000 trees in 2019
| The city reducing the temperature by 3.5 °C

Known as the urban heat island effect, this problem affects old people.
| Known as the urban heat island effect this problem
| this problem affects old people

Built of dark stone, the walls store heat during the day.
| Built of dark stone the walls
| the walls store heat during the day

Dark roofs absorb sunlight and then release it slowly, making the nights hotter.
| Dark roofs absorb sunlight
| Dark roofs then release it slowly
| Dark roofs making the nights hotter

The author explains how trees cool cities by giving shade.
| The author explains
| how trees cool cities by giving shade

Plants take in carbon dioxide, turning it into sugar.
| Plants take in carbon dioxide
| Plants turning it into sugar

People living in poor neighbourhoods suffer the most because they have fewer trees.
| People living in poor neighbourhoods suffer the most
| because they have fewer trees

The study, published in 2018, shows that green roofs work.
| The study, published in 2018
| The study shows that green roofs work

Water vapor released by leaves cools the air.

Matter is anything that has mass and takes up space, including solids, liquids and gases.
| Matter is anything that has mass
| Matter takes up space, including solids, liquids and gases

The text says that cities are hot, and that trees can help, and that roofs should be painted.
| The text says
| that cities are hot
| that trees can help
| that roofs should be painted

Cities are hotter than the country. This is called the urban heat island effect (Smith, 2018).
| Cities are hotter than the country.
| This is called the urban heat island effect (Smith, 2018).

According to Smith & Lee (2018, p. 4), dark roofs absorb heat [3].

Dark roofs absorb heat (Smith & Lee, 2018, p. 4), but white roofs reflect it [3] and stay cool.
| Dark roofs absorb heat
| white roofs reflect it
| white roofs stay cool

cities are hot because they have dark roofs and no trees so people get sick and some of them die
| cities are hot
| because they have dark roofs and no trees
| so people get sick
| some of them die

Trees cool the air; roofs heat it.
| Trees cool the air
| roofs heat it

She said, “Roofs are the problem,” and left the room.
| She said, “Roofs are the problem,”
| She left the room

"Trees are free air conditioners," says Dr. Lee.
| Trees are free air conditioners
| says Dr. Lee

The temp rose 20% and the wind blew at 1,000 km/h.
| The temp rose 20%
| the wind blew at 1,000 km/h.

i think the main idea is that citys are to hot and we need to fix it
| i think the main idea is
| that citys are to hot
| we need to fix it

Although white roofs are cheap, few cities have painted them since owners must pay for it.
| Although white roofs are cheap
| few cities have painted them
| since owners must pay for it

If everyone plants one tree, the city will be cooler and the air will be cleaner.
| If everyone plants one tree
| the city will be cooler
| the air will be cleaner

The roofs were painted white and are now cooler.
| The roofs were painted white
| The roofs are now cooler

Don't paint your roof black because it gets hot.
| Don't paint your roof black
| because it gets hot

Scientists, who measured roofs in 2015, found out that dark ones were 30 °C hotter than white ones.
| Scientists, who measured roofs in 2015
| Scientists found out
| that dark ones were 30 °C hotter than white ones

Dark roofs absorb heat.<REF> White roofs reflect it (Smith et al., 2018; Lee, 2019, pp. 3-4).
| Dark roofs absorb heat.
| White roofs reflect it (Smith et al., 2018; Lee, 2019, pp. 3-4).

Smith et al. (2018) say that it weighs 4.5 kg.
| Smith et al. (2018) say
| that it weighs 4.5 kg

Trees cool the air [1,2] because leaves give off water [3].
| Trees cool the air
| because leaves give off water

Bees are dying because farmers use poisons that harm them.
| Bees are dying
| because farmers use poisons that harm them

The author argues that schools should start later since teenagers need more sleep.
| The author argues
| that schools should start later
| since teenagers need more sleep

If a driver is tired, the car can take over and bring everyone home.
| If a driver is tired
| the car can take over
| the car can bring everyone home

Self-driving cars are safer because computers don't get tired, and they don't drink.
| Self-driving cars are safer
| because computers don't get tired
| they don't drink

Although robots are expensive, factories buy them because they never sleep.
| Although robots are expensive
| factories buy them
| because they never sleep

When the volcano erupted, ash covered the town and killed the crops.
| When the volcano erupted
| ash covered the town
| ash killed the crops

The heart pumps blood which carries oxygen to the cells.
| The heart pumps blood
| blood which carries oxygen to the cells

Plants need light, water and carbon dioxide to make sugar.

The ocean absorbs heat and moves it around the world.
| The ocean absorbs heat
| The ocean moves it around the world

People who sleep too little get sick more often.

Scientists think that the moon was formed when a planet hit the earth.
| Scientists think that the moon was formed
| when a planet hit the earth

Recycling saves energy, but many people do not know what they can recycle.
| Recycling saves energy
| many people do not know
| what they can recycle

The article, which was written by a teacher, says that homework is useless.
| The article, which was written by a teacher
| The article says
| that homework is useless

Turn off the lights when you leave the room.
| Turn off the lights
| when you leave the room

Save water and turn off the tap.
| Save water
| turn off the tap

the moon has no air so there is no sound and nobody can hear you
| the moon has no air
| so there is no sound
| nobody can hear you

A cheetah runs at 110 km/h, but it gets tired after 20 seconds.
| A cheetah runs at 110 km/h
| it gets tired after 20 seconds

About 20% of the energy is lost, and the rest heats the house.
| About 20% of the energy is lost
| the rest heats the house

Bitcoin costs $5,000 and nobody knows what it will cost tomorrow.
| Bitcoin costs $5,000
| nobody knows what it will cost tomorrow

“Bees feed us,” the author writes, “and we kill them.”
| Bees feed us
| the author writes
| we kill them

The author asks, "Who will feed us when the bees are gone?"
| The author asks
| Who will feed us
| when the bees are gone

Bees sleep at night [3], and they dance in the morning [4, 5].
| Bees sleep at night
| they dance in the morning

Bees sleep at night <REF> because it is too cold to fly.
| Bees sleep at night
| because it is too cold to fly

Bees are small 🐝 but they do a big job 💪
| Bees are small
| they do a big job

My dog\\nbarks when\\nthe postman comes.
| My dog barks
| when the postman comes

Introduction\\nBees are important. They carry pollen.
| Introduction
| Bees are important.
| They carry pollen.

1. Bees carry pollen.\\n2. They make honey and they sell it.
| Bees carry pollen.
| They make honey
| they sell it

Driven by the wind, the waves hit the coast and break the rocks.
| Driven by the wind the waves
| the waves hit the coast
| the waves break the rocks

Having eaten the leaves, the caterpillar builds a cocoon.
| Having eaten the leaves the caterpillar
| the caterpillar builds a cocoon

He opened the window, letting the smoke escape.
| He opened the window
| He letting the smoke escape

Farmers grow plants containing more vitamins.
| Farmers grow plants
| plants containing more vitamins

The bridge, built in 1932, crosses the harbour.
| The bridge, built in 1932
| The bridge crosses the harbour

The government will raise taxes and build new schools.
| The government will raise taxes
| The government will build new schools

To save energy, close the door.

The king died, his son became king, and the war ended.
| The king died
| his son became king
| the war ended

I believe that we should help the poor because everyone deserves a home.
| I believe that we should help the poor
| because everyone deserves a home

Energy is the ability to do work, and it comes in many forms.
| Energy is the ability to do work
| it comes in many forms

The students were asked to write down what they had seen.
| The students were asked to write down
| what they had seen

Even though he was ill, he went to work and finished the report.
| Even though he was ill
| he went to work
| he finished the report

As the air rises, it cools and forms clouds.
| As the air rises
| it cools and forms clouds

he said that they was going to the store but they didnt have no money
| he said that they was going to the store
| but they didnt have no money

Video games can be good for you they train your eyes and they teach you to plan
| Video games can be good for you
| they train your eyes
| they teach you to plan

TREES COOL THE CITY AND THEY CLEAN THE AIR!!!
| TREES COOL THE CITY
| THEY CLEAN THE AIR

Trees help b/c they give shade & they drink water.
| Trees help b/c they give shade
| they drink water

The author (a scientist from Ohio) says that bees sleep, and he proves it with 3 experiments.
| The author (a scientist from Ohio) says
| that bees sleep
| he proves it with 3 experiments

Why do bees dance? They dance because they want to show where the flowers are.
| Why do bees dance?
| They dance because they want to show where the flowers are.

Bees need flowers: without them they starve and die.
| Bees need flowers
| without them they starve and die

He says, that bees are smart, and, that they can count.
| He says, that bees are smart
| that they can count

The café's owner said that naïve tourists eat there because it's cheap.
| The café's owner said
| that naïve tourists eat there
| because it's cheap

It is made of H2O, which means that it has two hydrogen atoms.
| It is made of H2O
| H2O, which means that it has two hydrogen atoms

Water expands by 9% when it freezes.
| Water expands by 9%
| when it freezes

In 1932, the bridge was opened, and 2,000 people walked across it.
| In 1932, the bridge was opened
| 2,000 people walked across it

Dr. Smith et al. found that 3 out of 4 students were tired.
| Dr. Smith et al. found
| that 3 out of 4 students were tired
"""


def cases() -> list[tuple[str, list[str]]]:
    result = []
    for case in TABLE.strip().split("\n\n"):
        text, *segments = case.split("\n")
        content = text.replace("\\n", "\n")
        result.append((content, [line.removeprefix("| ") for line in segments] or [content]))
    return result


@pytest.mark.parametrize(("content", "segments"), cases())
def test_the_finest_cut(spacy_parser: Parser, content: str, segments: list[str]) -> None:
    text = Text("text", content)
    (parsed,) = spacy_parser.parse([text])
    finest = [
        max(sentence.segmentations, key=lambda cut: len(cut.segments))
        for sentence in segment(parsed, max_segmentations=12).sentences
    ]
    assert [text.words_at(each.spans) for cut in finest for each in cut.segments] == segments


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len(cases()) >= 60
