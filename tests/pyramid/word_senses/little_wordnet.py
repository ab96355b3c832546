"""A made-up dictionary in WordNet's format, small enough to be followed by hand."""

from pathlib import Path

NOTICE = "  1 This is where the notice of the licence stands.  \n"
# Offsets 1 to 5: thing, animal, dog, cat, stone. "bark" has two senses, one of them a verb.
DATA = {
    "noun": [
        "00000001 03 n 01 thing 0 002 ~ 00000002 n 0000 ~ 00000005 n 0000 | what there is  ",
        '00000002 03 n 02 animal 0 creature 0 001 @ 00000001 n 0000 | alive; "animals move"  ',
        "00000003 03 n 01 dog 0 001 @ 00000002 n 0000 | a pet that can bark  ",
        "00000004 03 n 01 cat 0 001 @ 00000002 n 0000 | a pet that will purr  ",
        "00000005 03 n 01 stone 0 001 @ 00000001 n 0000 | hard  ",
        "00000006 03 n 01 bark 0 000 | of a tree  ",
    ],
    "verb": [
        "00000007 29 v 01 purr 0 000 01 + 02 00 | make a low sound  ",
        "00000008 29 v 01 bark 0 000 01 + 02 00 | make a loud sound  ",
    ],
    "adj": ["00000009 00 s 01 hard(p) 0 000 | not soft  "],
    "adv": [],
}
INDEX = {
    "noun": [
        "animal n 1 1 @ 1 0 00000002  ",
        "bark n 1 0 1 0 00000006  ",
        "cat n 1 1 @ 1 0 00000004  ",
        "creature n 1 1 @ 1 0 00000002  ",
        "dog n 1 1 @ 1 0 00000003  ",
        "stone n 1 1 @ 1 0 00000005  ",
        "thing n 1 1 ~ 1 0 00000001  ",
    ],
    "verb": ["bark v 1 0 1 0 00000008  ", "purr v 1 0 1 0 00000007  "],
    "adj": ["hard a 1 0 1 0 00000009  "],
    "adv": [],
}
EXCEPTIONS = {"noun": ["dogge dog", "geese goose"], "verb": [], "adj": [], "adv": []}


def dictionary(folder: Path) -> Path:
    """The dictionary's files in that folder."""
    for kind, files in (("data", DATA), ("index", INDEX)):
        for name, lines in files.items():
            text = NOTICE + "".join(f"{line}\n" for line in lines)
            (folder / f"{kind}.{name}").write_text(text, encoding="utf-8")
    for name, lines in EXCEPTIONS.items():
        (folder / f"{name}.exc").write_text(
            "".join(f"{line}\n" for line in lines), encoding="utf-8"
        )
    return folder
