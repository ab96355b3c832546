"""How long a zip's own list of its files is, told before zipfile makes an object of each entry."""

import io
from typing import BinaryIO, Final

_END: Final = b"PK\x05\x06"
_LONGEST_END: Final = 22 + 65_535  # bytes, with its comment
_LARGE_LOCATOR: Final = b"PK\x06\x07"
_LARGE_END: Final = b"PK\x06\x06"
_LOCATOR_BYTES: Final = 20
_LARGE_END_BYTES: Final = 56


def bytes_of_list(file: BinaryIO) -> int:
    """The larger of what both forms of a zip's end say; 0 where there is no end.

    zipfile believes the form for large files wherever there is one, and reads the list at once.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _LONGEST_END - _LOCATOR_BYTES - _LARGE_END_BYTES))
    end = file.read()
    file.seek(0)
    place = end.rfind(_END)
    if place < 0:
        return 0
    length = int.from_bytes(end[place + 12 : place + 16], "little")
    locator = end[max(0, place - _LOCATOR_BYTES) : place]
    large = end[max(0, place - _LOCATOR_BYTES - _LARGE_END_BYTES) : place - _LOCATOR_BYTES]
    if locator.startswith(_LARGE_LOCATOR) and large.startswith(_LARGE_END):
        length = max(length, int.from_bytes(large[40:48], "little"))
    return length
