"""Which ideas a person found in a summary, out of a ``.pan`` file.

Only the numbers of the content units are read, so files that hold neither the pyramid nor the text
can be used as well.
"""

from collections.abc import Set

from grading.pyramid.formats.ducview_xml import parse
from grading.pyramid.formats.pyramid_file import NOT_IN_THE_PYRAMID


def read_marked_ideas(data: bytes, uids: Set[int]) -> frozenset[int]:
    """Those of ``uids`` that have a place in the annotation; InputError where it names others."""
    root = parse(data)
    if root.tag != "peerAnnotation":
        raise root.error("this file holds a pyramid, but no annotation of a summary.")
    ideas: dict[int, bool] = {}
    for scu in root.only("annotation").all("peerscu"):
        uid = scu.integer("uid")
        if uid not in uids and uid != NOT_IN_THE_PYRAMID:
            raise scu.error(f"the pyramid has no content unit {uid}.")
        if uid in ideas:
            raise scu.error(f"content unit {uid} comes twice.")
        ideas[uid] = any(True for _ in scu.all("contributor"))
    return frozenset(uid for uid, is_marked in ideas.items() if is_marked) & uids
