"""Five students of ours, with their grades of ten points."""

from decimal import Decimal

from grading.pyramid.formats.lms.filling import Choices, Filling, Grade, fill, guess_column
from grading.pyramid.formats.lms.matching import Student
from grading.pyramid.formats.lms.reading import read_grade_file

ADA = Student(1, "Ada Okoro", "901", "S0007", "aokoro", "ada@example.edu")
BO = Student(2, "Bo Li", "902", "S0008", "bli", "bo@example.edu")
CHLOE = Student(3, "Chloé Nkemelu", "903", "S0009", "cnkemelu", "chloe@example.edu")
DOV = Student(4, "Dov Perez", "904", "S0010", "dperez", "dov@example.edu")
EVE = Student(5, "Eve Stone", "905", "S0011", "estone", "eve@example.edu")
TEN = Decimal(10)

GRADES = (
    Grade(ADA, Decimal("8.50")),
    Grade(BO, Decimal("10.00")),
    Grade(CHLOE, Decimal("7.25")),
    Grade(DOV, is_excused=True),
    Grade(EVE, why_none="not submitted"),
)


def filled(data: bytes, title: str = "Essay 1", **chosen: object) -> Filling:
    """The file with GRADES in the column that is guessed."""
    file = read_grade_file(data)
    column, _ = guess_column(file, title, TEN)
    assert column is not None
    choices = Choices(column=column.index, points=TEN, **chosen)  # type: ignore[arg-type]
    return fill(file, column, GRADES, choices)
