"""Little archives as learning platforms make them; the people in them are made up."""

import io
import zipfile
from collections.abc import Mapping

ADA = "Cities are hotter than the country. Dark roofs store the heat."
BEN = "Trees cool the streets. Air conditioning makes them hotter."
CHI = "Towns are warmer than the land around, and old people suffer."


def packed(files: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return out.getvalue()


def page(body: str, title: str = "") -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"


def canvas_text(title: str, text: str) -> str:
    """As Canvas's text_entry_page writes it."""
    return page(f'<h1>{title}</h1>\n<div style="width: 600px;">\n  <p>{text}</p>\n</div>', title)


def receipt(name: str, login: str, text: str = "") -> str:
    typed = text or "There is no student submission text data for this assignment."
    return (
        f"Name: {name} ({login})\nAssignment: Essay 1\n"
        "Date Submitted: Saturday, January 31, 2026 12:00:00 PM EST\n"
        "Current Grade: Needs Grading\n\n"
        f"Submission Field:\n{typed}\n\nComments:\nThere are no student comments for this "
        "assignment.\n\nFiles:\n\tOriginal filename: essay.txt\n"
    )


MOODLE = packed(
    {
        "Ada Okoro_123456_assignsubmission_file/essay.txt": ADA,
        "Ben van Dyk_123457_assignsubmission_onlinetext/onlinetext.html": page(f"<p>{BEN}</p>"),
        "Zoë Brânză_123458_assignsubmission_file_/sub/mine.txt": CHI,
        "عمر حداد_123459_assignsubmission_file_essay.txt": CHI,
        "__MACOSX/Ada Okoro_123456_assignsubmission_file/._essay.txt": b"\0\1",
        "Ben van Dyk_123457_assignsubmission_onlinetext/picture.png": b"\x89PNG",
    }
)
CANVAS = packed(
    {
        "okoroada_901_55123_essay.txt": ADA,
        "vandykben_LATE_902_text.html": canvas_text("Essay 1: Ben van Dyk", BEN),
        "brânzăzoë_903_55125_my_2024_essay.txt": CHI,
        "chichi_904_link.html": page("<a href='https://example.org'>x</a>"),
    }
)
BLACKBOARD = packed(
    {
        "Essay 1_aokoro_attempt_2026-01-31-12-00-00.txt": receipt("Ada Okoro", "aokoro"),
        "Essay 1_aokoro_attempt_2026-01-31-12-00-00_my_essay v2.txt": ADA,
        "Essay 1_b_dyk_attempt_2026-01-30-09-00-00.txt": receipt("van Dyk, Ben", "b_dyk", BEN),
        "Essay 1_b_dyk_attempt_2026-01-31-09-00-00.txt": receipt(
            "van Dyk, Ben", "b_dyk", f"<p>{BEN}</p><p>And more.</p>"
        ),
    }
)
BRIGHTSPACE = packed(
    {
        "12345-67890 - Ada Okoro - Jan 31, 2026 1200 PM/essay.txt": ADA,
        "12346-67891 - Ben van Dyk - Sept 2, 2026 930 AM/text.html": page(f"<p>{BEN}</p>"),
        "index.html": page("list"),
    }
)
SAKAI = packed(
    {
        "Essay 1/grades.csv": "Essay 1,Points\n\nDisplay ID,ID,Last Name,First Name,grade\n",
        "Essay 1/Okoro, Ada(aokoro)/timestamp.txt": "20260131120000000",
        "Essay 1/Okoro, Ada(aokoro)/Okoro, Ada(aokoro)_submissionText.html": page(f"<p>{ADA}</p>"),
        "Essay 1/van Dyk, Ben(bdyk)/Submission attachment(s)/essay.txt": BEN,
        "Essay 1/van Dyk, Ben(bdyk)/comments.txt": "Good.",
        "Essay 1/Chi, Chi(cchi)_Submission attachment(s)_essay.txt": CHI,
    }
)
PLAIN = packed(
    {
        "aokoro.txt": ADA,
        "S0007_essay.txt": BEN,
        "work/Zoë Brânză/final.txt": CHI,
        "notes.txt": "Who is it from?",
    }
)
