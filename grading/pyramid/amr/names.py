"""What kind of thing a name names: a short list, and what names themselves give away."""

from collections.abc import Sequence

from grading.pyramid.amr import vocabulary as say

_ENDINGS = {
    "inc": "company",
    "inc.": "company",
    "corp": "company",
    "corp.": "company",
    "ltd": "company",
    "company": "company",
    "university": "university",
    "college": "university",
    "school": "school",
    "river": "river",
    "ocean": "ocean",
    "sea": "sea",
    "lake": "lake",
    "mountains": "mountain",
    "island": "island",
    "desert": "desert",
    "street": "road",
    "war": "war",
    "party": "political-party",
    "house": "building",
    "court": "government-organization",
    "congress": "government-organization",
    "parliament": "government-organization",
    "committee": "organization",
    "association": "organization",
    "institute": "organization",
    "times": "newspaper",
    "post": "newspaper",
}


def entity_type(parts: Sequence[str]) -> str:
    """The concept of a name's bearer; a person where nothing says otherwise."""
    whole = " ".join(parts).lower()
    last = parts[-1].lower()
    if last in say.PLANETS:
        return "planet"
    if last in say.CONTINENTS or whole.endswith(" america"):
        return "continent"
    if last in say.COUNTRIES:
        return "country"
    if last in _ENDINGS:
        return _ENDINGS[last]
    if len(parts) == 1 and parts[0].isupper() and len(parts[0]) > 1:
        return "organization"
    return "person"
