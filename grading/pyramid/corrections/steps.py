"""Steps that are only ever added: undoing is a step of its own, and so is redoing.

A step holds unless one that holds undoes it. To redo is to undo the undoing, so that nothing has to
be said again, and what comes back is exactly what was there.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """``undoes`` is the earlier step that it takes back, if it is about one."""

    pk: int
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class StepHistory:
    """Which of many steps hold, and which step an undo or a redo would take back now."""

    holding: frozenset[int]
    undo: int | None
    redo: int | None


def step_history(steps: Iterable[Step]) -> StepHistory:
    """``steps`` are in the order in which they were taken."""
    done: list[int] = []  # what can be undone, the latest last
    undone: list[int] = []  # undoings that can be taken back
    order = list(steps)
    for step in order:
        if step.undoes is None:
            done.append(step.pk)
            undone.clear()
        elif done and step.undoes == done[-1]:
            done.pop()
            undone.append(step.pk)
        elif undone and step.undoes == undone[-1]:
            undone.pop()
            done.append(step.pk)
    return StepHistory(_holding(order), done[-1] if done else None, undone[-1] if undone else None)


def _holding(order: list[Step]) -> frozenset[int]:
    """The latest first: whatever undoes a step comes after it."""
    holding: set[int] = set()
    taken_back: set[int] = set()
    for step in reversed(order):
        if step.pk in taken_back:
            continue
        holding.add(step.pk)
        if step.undoes is not None:
            taken_back.add(step.undoes)
    return frozenset(holding)
