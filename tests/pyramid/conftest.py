"""The real parser, loaded once."""

import pytest

from grading.pyramid.parsing import Parser, SpacyParser


@pytest.fixture(scope="session")
def spacy_parser() -> Parser:
    return SpacyParser()
