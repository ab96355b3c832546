"""Whatever is edited, in whatever order: nothing is lost, and undoing is exact to the byte."""

import json
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, Phase, event, find, given, settings
from hypothesis import strategies as st

from grading.pyramid.editing import (
    Command,
    Patch,
    command_from_json,
    command_to_json,
    patch_between,
)
from grading.pyramid.editing.wording import folded
from grading.pyramid.errors import EditError
from grading.pyramid.formats.pyramid_json import pyramid_from_json, pyramid_to_json
from grading.pyramid.structures import Pyramid
from tests.pyramid.editing.making import KINDS, edits, edits_of, pyramids

_FEW = settings(
    max_examples=40,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def as_bytes(pyramid: Pyramid) -> str:
    return json.dumps(pyramid_to_json(pyramid))


def through_json(command: Command) -> Command:
    return command_from_json(json.loads(json.dumps(command_to_json(command))))


def assert_sound(pyramid: Pyramid) -> None:
    """Also what reading its JSON checks: unique numbers, references once, spans apart, inside."""
    assert pyramid_from_json(json.loads(as_bytes(pyramid))) == pyramid
    assert len({scu.uid for scu in pyramid.scus}) == len(pyramid.scus)
    contents = {text.name: text.content for text in pyramid.references}
    for scu in pyramid.scus:
        assert len({contributor.reference for contributor in scu.contributors}) == len(
            scu.contributors
        )
        for contributor in scu.contributors:
            assert (
                0
                <= contributor.spans[0].start
                <= contributor.spans[-1].end
                <= len(contents[contributor.reference])
            )
            assert all(span.start < span.end for span in contributor.spans)
            assert all(first.end <= second.start for first, second in pairwise(contributor.spans))


def edited(pyramid: Pyramid, command: Command) -> Pyramid:
    """What becomes of the pyramid; itself where the edit does not fit. Checks what always holds."""
    before = as_bytes(pyramid)
    try:
        after = command.apply(pyramid)
    except EditError:
        return pyramid
    finally:
        assert as_bytes(pyramid) == before
    assert_sound(after)
    assert (after.signature, after.notes) == (pyramid.signature, pyramid.notes)
    words = command.words(pyramid)
    assert words
    assert folded(words) == " ".join(words.split())
    return after


@settings(max_examples=100, suppress_health_check=_SLOW)
@given(st.data())
def test_undoing_all_gives_the_first_state_and_the_log_gives_the_last(data: st.DataObject) -> None:
    first = state = data.draw(pyramids())
    log: list[tuple[object, object]] = []
    for _ in range(data.draw(st.integers(1, 12))):
        command = data.draw(edits(state, 10 + len(log)))
        after = edited(state, command)
        assert edited(state, through_json(command)) == after
        event(f"{type(command).__name__} {'fits' if after is not state else 'does not fit'}")
        if after != state:
            inverse = patch_between(after, state, "back")
            log.append((command_to_json(command), command_to_json(inverse)))
            state = after

    replayed = first
    for done, _ in log:
        replayed = command_from_json(json.loads(json.dumps(done))).apply(replayed)
    assert as_bytes(replayed) == as_bytes(state)

    for _, inverse_json in reversed(log):
        state = command_from_json(json.loads(json.dumps(inverse_json))).apply(state)
    assert as_bytes(state) == as_bytes(first)


@given(pyramids(), pyramids())
def test_a_patch_takes_any_pyramid_into_any_other(before: Pyramid, other: Pyramid) -> None:
    after = Pyramid(other.references, other.scus, before.signature, before.notes)
    patch = patch_between(before, after, "all")
    assert as_bytes(patch.apply(before)) == as_bytes(after)
    assert isinstance(through_json(patch), Patch)
    assert through_json(patch) == patch


@pytest.mark.parametrize("kind", KINDS)
def test_edits_of_every_kind_are_made_that_fit_and_that_do_not(kind: str) -> None:
    """Lest the property test above tries nothing. Examples are drawn until there is one of each."""
    edits_of_kind = pyramids().flatmap(
        lambda pyramid: st.tuples(st.just(pyramid), edits_of(kind, pyramid, 10))
    )

    def fits(example: tuple[Pyramid, Command]) -> bool:
        pyramid, command = example
        assert type(command).__name__ == kind
        return edited(pyramid, command) != pyramid

    # So many at most that the seed, which depends on the source of this test, makes no difference.
    at_most = settings(_FEW, max_examples=300)
    find(edits_of_kind, fits, settings=at_most)
    if kind != "Patch":
        find(edits_of_kind, lambda example: not fits(example), settings=at_most)
