"""The product in a real browser."""

import pytest

# What they assert is told as what a test asserts.
pytest.register_assert_rewrite("tests.browser.editor", "tests.browser.people")
