"""Word and PDF files, made by hand so that each has one peculiarity."""

import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO

from tests.pyramid.formats.pyramids import refusal

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_OPEN = f'<w:document xmlns:w="{_W}" xmlns:mc="{_MC}"'

CITIES = "Cities are hotter than the country."


def refused(read: Callable[[bytes], object], data: bytes) -> str:
    """What is said against the file; nothing where it is read."""
    return refusal(partial(read, data))


def archive(**files: str | bytes) -> bytes:
    """A zip archive; ``__`` in a name stands for a slash, ``_dot_`` for a dot."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return out.getvalue()


def paragraph(words: str) -> str:
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


def word_document(body: str) -> str:
    return f"{_OPEN}><w:body>{body}</w:body></w:document>"


def word_file(body: str, main: str = "word/document.xml") -> bytes:
    relation = f'<Relationship Id="r1" Type="{_RELATION}" Target="/{main}"/>'
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("_rels/.rels", f"<Relationships>{relation}</Relationships>")
        packed.writestr(main, word_document(body))
        packed.writestr("word/comments.xml", word_document(paragraph("A comment.")))
    return out.getvalue()


def pdf_file(pages: Sequence[Sequence[str]], *, image: bool = False, trailer: str = "") -> bytes:
    """Each page has these lines, 14 points apart; or a picture."""
    bodies = [b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", _picture()]
    kids = []
    for lines in pages:
        content = _page_content(lines) + (b" /I Do" if image else b"")
        bodies.append(b"<< /Length %d >> stream\n%s\nendstream" % (len(content), content))
        bodies.append(
            b"<< /Type /Page /Parent 1 0 R /MediaBox [0 0 400 600] /Contents %d 0 R "
            b"/Resources << /Font << /F 3 0 R >> /XObject << /I 4 0 R >> >> >>" % (len(bodies) + 2)
        )
        kids.append(b"%d 0 R" % (len(bodies) + 2))
    tree = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    return _written([tree, b"<< /Type /Catalog /Pages 1 0 R >>", *bodies], trailer)


def _picture() -> bytes:
    head = b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 "
    return head + b"/ColorSpace /DeviceGray /Length 1 >> stream\nx\nendstream"


def _page_content(lines: Sequence[str]) -> bytes:
    shown = " ".join(
        f"1 0 0 1 40 {560 - 14 * number} Tm ({line}) Tj"
        for number, line in enumerate(lines)
        if line
    )
    return f"BT /F 11 Tf {shown} ET".encode("cp1252") if shown else b""


def _written(bodies: Sequence[bytes], trailer: str) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(bodies) + 1, table)
    end = f"trailer << /Size {len(bodies) + 1} /Root 2 0 R {trailer} >>\nstartxref\n{start}\n%%EOF"
    return out + end.encode()


LOCKED = (
    "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << "
    "/Filter /Standard /V 1 /R 2 /P -44 "
    f"/O <{'41' * 32}> /U <{'42' * 32}> >>"
)
