"""The parser and the vectors are loaded once."""

import pytest

from tests.pyramid.contradictions.judging import Judge


@pytest.fixture(scope="package")
def judge_text() -> Judge:
    return Judge()


@pytest.fixture(scope="package")
def judge_by_stems() -> Judge:
    return Judge(vectors=False)
