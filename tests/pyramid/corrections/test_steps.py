"""Steps that are only added lead where an editor with an undo stack leads."""

from hypothesis import given
from hypothesis import strategies as st

from grading.pyramid.corrections import Step, StepHistory, step_history


class Stack:
    """An editor as everybody knows it: what it holds, and the steps that it would keep."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.undone: list[int] = []
        self.kept: list[Step] = []

    def walk(self, key: str) -> None:
        now = step_history(self.kept)
        pk = len(self.kept) + 1
        if key == "do":
            self.kept.append(Step(pk))
            self.done.append(pk)
            self.undone.clear()
        elif key == "undo" and self.done:
            self.kept.append(Step(pk, now.undo))
            self.undone.append(self.done.pop())
        elif key == "redo" and self.undone:
            self.kept.append(Step(pk, now.redo))
            self.done.append(self.undone.pop())


@given(st.lists(st.sampled_from(["do", "undo", "redo", "undo"]), max_size=25))
def test_steps_hold_as_on_a_stack(keys: list[str]) -> None:
    stack = Stack()
    for key in keys:
        stack.walk(key)

    history = step_history(stack.kept)

    things = {step.pk for step in stack.kept if step.undoes is None}
    assert sorted(history.in_force & things) == stack.done
    assert (history.undo is None) == (not stack.done)
    assert (history.redo is None) == (not stack.undone)


def test_no_step_leads_nowhere() -> None:
    assert step_history([]) == StepHistory(frozenset(), None, None)


def test_undone_twice_and_redone_once() -> None:
    steps = [Step(1), Step(2), Step(3, 2), Step(4, 1), Step(5, 4)]

    assert step_history(steps) == StepHistory(frozenset({1, 3, 5}), undo=5, redo=3)


def test_whoever_goes_on_after_undoing_cannot_redo() -> None:
    assert step_history([Step(1), Step(2, 1), Step(3)]) == StepHistory(
        frozenset({2, 3}), undo=3, redo=None
    )
