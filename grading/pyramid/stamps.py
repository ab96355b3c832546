"""Stamps: how a form says what its page showed, so that nobody changes what they did not see.

A page has the stamp of what it shows in a hidden field. An action makes the stamp again under its
lock, and does nothing where the two differ; the view then answers with 409 and the page as it is
now. Only the review desk's stamp is not made here: it names the last step that the page knew, so
that the desk can list those that came after it.
"""

import json
from hashlib import sha256


def stamp_of(*shown: object) -> str:
    """The same for pages that show the same; what JSON does not know counts by its ``repr``."""
    return sha256(json.dumps(shown, sort_keys=True, default=repr).encode()).hexdigest()
