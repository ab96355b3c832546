"""A class of 61 whose work comes from elsewhere: what the platform knows and exports of it.

Sixty hand in a text, one an empty file; the platform has another name for one of the sixty. Three
are in a section of their own, with texts of which it is known what the program finds in them.
"""

import csv
import io
import random
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.classroom import ASSISTANT, Classroom, post
from tests.browser.people import join

TITLE = "Heat in the city"
COLUMN = f"{TITLE} (5512)"  # as Canvas calls it
THURSDAY = "Thursday group"
NAMES = (
    ("Zoë", "Brânză"),
    ("عمر", "حداد"),
    ("נועה", "לוי"),
    ("Łukasz", "Żak"),
    ("Thị Ánh", "Nguyễn"),
    ("小明", "王"),
    ("Siobhán", "O'Brien"),
)
FIRST_NAMES = (
    "Ada", "Bruno", "Chiara", "Dev", "Elif", "Femi", "Grace", "Hugo", "Imani", "Jonas",
    "Keiko", "Lior",
)  # fmt: skip
LAST_NAMES = (
    "Abara", "Bianchi", "Castro", "Dlamini", "Eriksen", "Fofana", "García", "Haddad", "Ito",
    "Jansen", "Kowalski", "Lund", "Mbeki",
)  # fmt: skip

# Ways to tell the ideas of the classroom's pyramid, and what is in none of them.
TOLD = {
    1: (
        "Cities are hotter than the country.",
        "Towns are warmer than the land around them.",
        "It is hotter in cities than in the country.",
    ),
    2: (
        "Dark roofs store the heat of the sun.",
        "Dark roofs store heat.",
        "Roofs that are dark get very warm by day.",
    ),
    3: (
        "Trees cool the streets.",
        "Trees make the streets cooler.",
        "A row of trees helps a street.",
    ),
    4: (
        "Old people suffer most in hot nights.",
        "Hot nights harm old people.",
        "At night the elderly are in danger.",
    ),
    5: ("Their leaves give off water.", "Water comes from leaves."),
}
OTHERS = (
    "My uncle has a green bicycle.",
    "Many people live in towns nowadays.",
    "The summer of that year was long.",
    "Nobody knows what comes next.",
    "Buses are late when it rains.",
    "There is more to say about this.",
)
PLAIN = "Cities are hotter than the country. Dark roofs store the heat. My uncle has a bicycle."
HARM = "Grandparents cannot sleep in July."
BY_SECTION = (PLAIN, f"{PLAIN} He rides it every day.", f"Dark roofs store the heat. {HARM}")
COPIED = (
    "When I walk through our town in August the walls still feel like a stove long after the sun "
    "is gone, and the tram drivers keep wet towels round their necks until the last tram is in."
)
ODD = (
    f"{COPIED} Trees cool the streets.",
    f"Dark roofs store heat. {COPIED}",
    (
        "In den Städten ist es heißer als auf dem Land, weil die dunklen Dächer die Wärme der "
        "Sonne speichern und nachts wieder abgeben. Bäume kühlen die Straßen."
    ),
    "asdf qwer ghjk lkjh zxcv dfgh the sdfg hjkl of qwer asdf bvcx a fghj poiu mnbv asdf",
    (
        "The recipe asks for three eggs, a cup of flour and some butter. Mix the eggs with sugar "
        "and bake the cake for half an hour. Serve it with cream and strawberries to your guests."
    ),
    "Cities are hot.",
)
STRANGER = "Lizzy Prudhomme"  # as the platform calls somebody whose name here is another


@dataclass(frozen=True)
class Pupil:
    first: str
    last: str
    number: int
    login: str
    section: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def canvas_id(self) -> str:
        return str(90_000 + self.number)

    @property
    def student_number(self) -> str:
        return f"00{700 + self.number}"


@dataclass(frozen=True)
class Week:
    """``course`` and ``assignment`` are addresses; the assignment is open and has a pyramid."""

    course: str
    assignment: str
    pupils: tuple[Pupil, ...]

    @property
    def stranger(self) -> Pupil:
        """Whom the platform calls by another name."""
        return self.pupils[20]

    @property
    def of_thursday(self) -> list[Pupil]:
        return [pupil for pupil in self.pupils if pupil.section == THURSDAY]

    @property
    def without_text(self) -> Pupil:
        return self.pupils[-1]

    def gradebook(
        self,
        *,
        at_the_end: bool = False,
        grades: Mapping[str, str] | None = None,
        points: str = "20.00",
    ) -> bytes:
        """As Canvas exports it, with ``grades`` by login. In the end one has gone, one has come."""
        known_grades = grades or {}
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\r\n")
        heads = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
        rows.writerow([*heads, "Notes, private", COLUMN, "Final Score"])
        rows.writerow(["    Points Possible", "", "", "", "", "", points, "(read only)"])
        for pupil in self.pupils[1:] if at_the_end else self.pupils:
            ids = [pupil.canvas_id, pupil.student_number, pupil.login]
            name, note = (
                f"{pupil.last}, {pupil.first}",
                'says "hi", =1+1' if pupil.number == 9 else "",
            )
            rows.writerow(
                [name, *ids, pupil.section, note, known_grades.get(pupil.login, ""), "50.0"]
            )
        if at_the_end:
            rows.writerow(["Gast, Kim", "91999", "0099", "kgast", "Monday", "", "", ""])
        return out.getvalue().encode("utf-8-sig")

    def moodle_zip(self) -> bytes:
        """Every seventh wrote on the platform; people are known by their names only."""
        return _zipped(
            (f"{self._called(pupil)}_{5_000 + pupil.number}_assignsubmission_{part}", content)
            for pupil in self.pupils
            for part, content in (_moodle_part(pupil),)
        )

    def canvas_zip(self) -> bytes:
        return _zipped(
            (f"{name}_{self._id(pupil)}_{77_000 + pupil.number}_heat.txt", pupil.text)
            for pupil in self.pupils
            for name in (_run_together(self._called(pupil)),)
        )

    def _called(self, pupil: Pupil) -> str:
        return STRANGER if pupil is self.stranger else pupil.name

    def _id(self, pupil: Pupil) -> str:
        return "99999" if pupil is self.stranger else pupil.canvas_id


def _moodle_part(pupil: Pupil) -> tuple[str, str]:
    if pupil.number % 7 == 3:
        return "onlinetext_/onlinetext.html", f"<p>{pupil.text}</p>"
    return "file_/my heat.txt", pupil.text


def _run_together(name: str) -> str:
    """As Canvas writes it into names of files, the last name first."""
    return "".join(
        character
        for word in reversed(name.split())
        for character in word.lower()
        if character.isalnum()
    )


def _zipped(files: Iterator[tuple[str, str]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files:
            archive.writestr(path, content)
    return out.getvalue()


def pupils_of(prefix: str) -> tuple[Pupil, ...]:
    """``prefix`` keeps the logins of one week apart from another's."""
    return tuple(
        Pupil(*_name(number), number, f"{prefix}{number:02}", *_work(number))
        for number in range(61)
    )


def _name(number: int) -> tuple[str, str]:
    if number < len(NAMES):
        return NAMES[number]
    return FIRST_NAMES[number % len(FIRST_NAMES)], LAST_NAMES[number % len(LAST_NAMES)]


def _work(number: int) -> tuple[str, str]:
    """Section and text."""
    section = "Monday group" if number % 2 else "Tuesday group"
    if number < len(BY_SECTION):
        return THURSDAY, BY_SECTION[number]
    if number - 10 in range(len(ODD)):
        return section, ODD[number - 10]
    return section, "" if number == 60 else _text(number)


def _text(number: int) -> str:
    chance = random.Random(number)  # noqa: S311 - the same texts in every run
    ideas = sorted(chance.sample(sorted(TOLD), 1 + number % 4))
    sentences = [chance.choice(TOLD[idea]) for idea in ideas]
    return " ".join([*sentences, *chance.sample(OTHERS, 1 + number % 3)])


def ideas_told(text: str) -> list[int]:
    """What a careful reader finds in one of these texts."""
    plain = " ".join(text.split())
    ideas = {idea for idea, ways in TOLD.items() if any(way in plain for way in ways)}
    ideas |= {2} if "Dark roofs store the heat." in plain else set()
    return sorted(ideas | ({4} if HARM in plain else set()))


def found_week(classroom: Classroom, prefix: str) -> Week:
    """A course of its own, with the assistant in it and nobody else yet."""
    with classroom.window("instructor") as page:
        fields = {"name": "Geography of towns", "term": "Spring", "time_zone": "UTC"}
        room = replace(classroom, course=post(page, "/courses/new/", fields).url, shared="")
        page.goto(room.course)
        with classroom.window("tomasz") as assistant:
            join(assistant, page.locator("#course-code").inner_text())
        page.goto(f"{room.course}members/")
        row = page.get_by_role("row", name=ASSISTANT)
        row.get_by_label("Role of").select_option("ta")
        row.get_by_role("button", name="Save role").click()
        expect(page.get_by_text("is now a teaching assistant")).to_be_visible()
        address = room.new_assignment(page, title=TITLE, release="by_hand", min_words="10")
        draft = room.new_draft(page, assignment=address)
        post(page, f"{draft}publish/", {"revision": "0", "note": ""})
        post(page, f"{address}state/", {"state": "open"})
    return Week(room.course, address, pupils_of(prefix))


def grades_in(gradebook: bytes) -> dict[str, str]:
    """By login, those that are not empty."""
    rows = list(csv.DictReader(io.StringIO(gradebook.decode("utf-8-sig"))))
    column = next(title for title in rows[0] if title.startswith(TITLE))
    return {row["SIS Login ID"]: row[column] for row in rows[1:] if row[column]}


def as_file(name: str, content: bytes) -> FilePayload:
    """What a file field takes."""
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def bring_class_in(page: Page, week: Week) -> None:
    """The roster's page, with what Canvas exports; an instructor does it."""
    page.goto(f"{week.course}roster/")
    page.get_by_label("File with the roster").set_input_files(
        as_file("Geography.csv", week.gradebook())
    )
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("heading", name=f"New: {len(week.pupils)}")).to_be_visible()
