"""What a worker finds out of a class comes back as it was."""

import json

from grading.pyramid.effects import effect_of
from grading.pyramid.formats.findings_json import effect_from_json, effect_to_json
from tests.pyramid.test_effects import AFTER, IDEAS, effect, report


def test_it_comes_back_as_it_was() -> None:
    for result in (effect(), effect_of({}, {1: report(0.5, 1)}, IDEAS), effect_of({}, {}, [])):
        assert effect_from_json(json.loads(json.dumps(effect_to_json(result)))) == result
    assert AFTER.scus
