"""The bytes of protobuf messages, read in place and written: as much of it as ONNX files need.

Reading raises a ValueError or IndexError where the bytes are something else.
"""

from collections.abc import Iterator
from mmap import mmap
from typing import NamedTuple

Data = bytes | mmap

_NUMBER, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5  # how a field is written
_SIZES = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}
_LONGEST_NUMBER = 70  # bits


class Field(NamedTuple):
    """A field of a message: its number, or where its bytes are. ``whole`` begins with the tag."""

    tag: int
    number: int | None  # None: bytes
    start: int
    end: int
    whole: int


def fields(data: Data, start: int, end: int) -> Iterator[Field]:
    """The fields of a message, in the order of the file."""
    at = start
    while at < end:
        whole = at
        key, at = _number(data, at)
        kind, number, begin = key & 7, None, at
        if kind == _NUMBER:
            number, at = _number(data, at)
        elif kind == _BYTES:
            size, begin = _number(data, at)
            at = begin + size
        else:
            at += _SIZES.get(kind, end)
        if at > end:
            raise ValueError
        yield Field(key >> 3, number, begin, at, whole)


def first(data: Data, tag: int, start: int, end: int) -> Field:
    """The first field with this tag; all of the message is looked at."""
    matching = [field for field in fields(data, start, end) if field.tag == tag]
    return matching[0]


def numbers(data: Data, field: Field) -> Iterator[int]:
    """A repeated number: each in a field of its own, or all in one."""
    if field.number is not None:
        yield field.number
        return
    at = field.start
    while at < field.end:
        number, at = _number(data, at)
        yield number


def text(data: Data, field: Field) -> str:
    return data[field.start : field.end].decode()


def _number(data: Data, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, _LONGEST_NUMBER, 7):
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
    raise ValueError


def as_number(tag: int, value: int) -> bytes:
    return _varint(tag << 3 | _NUMBER) + _varint(value)


def as_bytes(tag: int, value: bytes | str) -> bytes:
    content = value.encode() if isinstance(value, str) else value
    return _varint(tag << 3 | _BYTES) + _varint(len(content)) + content


def as_fixed(tag: int, four_bytes: bytes) -> bytes:
    return _varint(tag << 3 | _FOUR_BYTES) + four_bytes


def _varint(value: int) -> bytes:
    value &= 2**64 - 1  # negative numbers are written as ten bytes
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
