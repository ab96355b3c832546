"""What judges said of the ideas of texts, and how far they agree.

A sheet is one text: for each idea of the pyramid, in its order, whether the program found it and
whether each person did who has annotated the text.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from grading.pyramid.agreement.alpha import MISSING, alpha, coincidences
from grading.pyramid.agreement.figures_of_texts import Figure, figure

Said = NDArray[np.bool_]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Sheet:
    """``people`` by the number of the person."""

    text: int
    program: Said
    people: dict[int, Said]


@dataclass(frozen=True, slots=True)
class IdeaDifference:
    """How often an idea was judged alike and differently, over all annotations.

    ``program_only`` and ``people_only`` are the texts in which one of them has it, each once.
    """

    place: int
    both: int
    neither: int
    program: int
    people: int
    program_only: tuple[int, ...]
    people_only: tuple[int, ...]

    @property
    def differences(self) -> int:
        return self.program + self.people


def program_and_people(sheets: Sequence[Sheet]) -> Figure:
    """Krippendorff's alpha of the program with people, each annotation paired with the program."""
    return _figure([_paired(sheet) for sheet in sheets if sheet.people])


def people_among_themselves(sheets: Sequence[Sheet], people: Sequence[int]) -> Figure:
    """Of these people, over the texts that two of them have annotated at least."""
    judgements = [
        [sheet.people[person] for person in people if person in sheet.people]
        for sheet in sheets
        if sum(person in sheet.people for person in people) > 1
    ]
    return _figure([coincidences(_codes(several)) for several in judgements])


def pairs_of_people(sheets: Iterable[Sheet]) -> list[tuple[int, int]]:
    """Who has annotated a text that the other has annotated too."""
    pairs = {pair for sheet in sheets for pair in combinations(sorted(sheet.people), 2)}
    return sorted(pairs)


def differences_by_idea(sheets: Sequence[Sheet], ideas: int) -> list[IdeaDifference]:
    """Those with the most differences first, then in the pyramid's order."""
    differences = [_difference(sheets, place) for place in range(ideas)]
    return sorted(differences, key=lambda one: (-one.differences, one.place))


def _paired(sheet: Sheet) -> Numbers:
    each = [coincidences(_codes([sheet.program, answers])) for answers in sheet.people.values()]
    summed: Numbers = np.stack(each).sum(axis=0)
    return summed


def _codes(judges: Sequence[Said]) -> NDArray[np.int64]:
    codes = np.full((len(judges), max((len(judge) for judge in judges), default=0)), MISSING)
    for row, answers in zip(codes, judges, strict=True):
        row[: len(answers)] = answers
    return codes


def _figure(matrices: Sequence[Numbers]) -> Figure:
    if not matrices:
        return Figure(None, None, None, 0)
    stacked = np.stack(matrices)
    size = stacked.shape[1:]
    flat = stacked.reshape(len(stacked), -1)
    return figure(lambda counts: alpha((counts @ flat).reshape(-1, *size)), len(stacked))


def _difference(sheets: Sequence[Sheet], place: int) -> IdeaDifference:
    judgements = [
        (sheet.text, bool(sheet.program[place]), bool(answers[place]))
        for sheet in sheets
        for answers in sheet.people.values()
    ]
    program = [text for text, by_program, by_person in judgements if by_program and not by_person]
    people = [text for text, by_program, by_person in judgements if by_person and not by_program]
    return IdeaDifference(
        place=place,
        both=sum(by_program and by_person for _, by_program, by_person in judgements),
        neither=sum(not by_program and not by_person for _, by_program, by_person in judgements),
        program=len(program),
        people=len(people),
        program_only=tuple(dict.fromkeys(program)),
        people_only=tuple(dict.fromkeys(people)),
    )
