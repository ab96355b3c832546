import random

import pytest

from grading.pyramid.flags.text_flags import FlagKind
from grading.pyramid.flags.word_flags import content_stems, gibberish, weights_of_stems

KNOWN = weights_of_stems().keys()
MEANT = (
    "Cities are hotter than the country around them, because dark roofs store the heat of the sun "
    "and give it off at night. The trees of a park cool the streets that are near to it, and the "
    "people of the town can sleep. In the summer of that year old people in the towns suffered "
    "most, and the author of the article says that the planting of trees would be the best of all."
)
LEARNERS = (
    "so basicly the artical is about how citys are hoter then the country side and its becuase the "
    "rofs are blak and the tress is cuted down, and i think that peple shud plant more tress and "
    "the goverment dont do nothing about it and in the nigt it dont get cold so old peple get sick"
)
NAMES = (
    "Mwambutsa Bangiricenge met Ntare Rushatsi in Bujumbura, and Ntibantunganya spoke for Ngozi, "
    "Kirundo and Muyinga in the parliament of Burundi with Ndadaye and Ntaryamira of Gitega."
)


def reasons(content: str, topic: str = "") -> list[str]:
    result = list(gibberish(content, KNOWN, content_stems([topic])))
    assert all(flag.kind == FlagKind.GIBBERISH for flag in result)
    return [flag.reason for flag in result]


@pytest.mark.parametrize("content", [MEANT, LEARNERS, NAMES, "I did not read it.", ""])
def test_what_a_person_meant_is_none(content: str) -> None:
    assert reasons(content, "") == []


def test_keys_struck_at_random() -> None:
    (reason,) = reasons("asdf qwerty sdkjfh kjhsdf the ksjdhf asdfasdf lkjh " * 3)

    assert reason.endswith("words look like keys struck at random (“asdf”).")


def test_words_that_nobody_knows() -> None:
    words = "blonter vipple morkan tesque ralium pordent glabe sommic furnale quopin dastle wemmer"

    assert "no known words" in reasons(f"{words} {words}")[0]
    assert reasons(f"{words} {words}", topic=words) == []


def test_the_same_words_over_and_over() -> None:
    assert "“the” 20 times in 80" in reasons("the city is hot " * 20)[0]


def test_words_in_no_order() -> None:
    words = MEANT.split()
    random.Random(4).shuffle(words)  # noqa: S311

    assert "make no sentences" in reasons(" ".join(words))[0]


def test_a_list_of_words_is_no_text() -> None:
    nouns = (
        "roof heat city tree water night people air sun street store cool leaf dark town warm land "
        "summer glass wall paint park river bridge tower square tram garden wind shade brick tar "
        "snow rain cloud storm field farm grass hill valley"
    )

    assert "join others to sentences" in reasons(nouns)[0]
