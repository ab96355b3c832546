"""An assignment that is open and has a pyramid, to which students hand in."""

from dataclasses import dataclass, field

from tests.browser.classroom import RULES, Classroom, post, set_rules
from tests.conftest import REFERENCES, SUMMARY

SECOND = f"{SUMMARY} Trees cool the streets."  # one idea more than SUMMARY


@dataclass
class Lesson:
    """``address`` and ``title`` of the assignment; ``handed_in``: the last attempt by login."""

    classroom: Classroom
    address: str
    title: str
    handed_in: dict[str, str] = field(default_factory=dict)

    def hand_in(self, login: str, text: str = SUMMARY, kind: str = "final") -> str:
        """The address of the attempt, which is not scored yet."""
        with self.classroom.window(login) as page:
            data = {"text": text, "kind": kind, "sure": "on"}
            answer = post(page, f"{self.address}submit/", data)
        assert "/submissions/" in answer.url, answer.text()
        self.handed_in[login] = answer.url
        return answer.url

    def rule(self, **rules: str) -> None:
        """The instructor changes rules; the others are as at first."""
        with self.classroom.window("instructor") as page:
            set_rules(page, self.address, RULES | {"title": self.title} | rules)


def open_lesson(classroom: Classroom, **rules: str) -> Lesson:
    """With the pyramid of the classroom as version 1."""
    with classroom.window("instructor") as page:
        address = classroom.new_assignment(page, REFERENCES, **rules)
        title = f"Heat {classroom.made}"
        draft = classroom.new_draft(page, assignment=address)
        post(page, f"{draft}publish/", {"revision": "0", "note": ""})
        post(page, f"{address}state/", {"state": "open"})
    return Lesson(classroom, address, title)
