"""Pages as a reader has them."""

import re

_BLOCK = r"</?(?:p|div|section|[uod]l|li|d[td]|table|thead|tbody|tr|t[hd]|h[1-6])\b[^>]*>"


def flat(page: str) -> str:
    """The page in one line: how its template is broken into lines makes no difference.

    White space is single, and gone beside the tags of blocks, where no reader sees it.
    """
    single = " ".join(page.split())
    return re.sub(f" ?({_BLOCK}) ?", r"\1", single)
