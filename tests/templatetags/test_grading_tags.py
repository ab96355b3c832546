"""Filters for pages."""

from grading.templatetags.grading_tags import folded


def test_white_space_that_no_browser_shows_is_left_out() -> None:
    page = '<ul>\n  <li class="a">\n    One\n    <b>two</b> three\n  </li>\n</ul>\n'

    assert folded(page) == '<ul><li class="a">One <b>two</b> three</li></ul>'
