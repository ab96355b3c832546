"""A second look, from the words that a student selects to the answer and the changed score."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import check_page, log_in
from tests.sites import Site

pytestmark = pytest.mark.browser

# Selects from the one piece of text to the other, as a mouse, a finger or a caret would.
SELECT = """([first, last]) => {
  const text = document.querySelector(".student-text");
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const place = (words, length) => {
    const node = nodes.find((one) => one.data.includes(words));
    return [node, node.data.indexOf(words) + length];
  };
  const range = document.createRange();
  range.setStart(...place(first, 0));
  range.setEnd(...place(last, last.length));
  window.getSelection().removeAllRanges();
  window.getSelection().addRange(range);
}"""


def open_result(page: Page) -> None:
    """From the list of courses to one's own result."""
    page.goto("/")
    page.get_by_role("link", name="Academic Reading and Writing").click()
    page.locator('main a[href^="/assignments/"]').first.click()
    page.locator('main a[href^="/submissions/"]').first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    ask = page.get_by_role("link", name="Request a second look", exact=True)
    # As long as the pyramid is not built a page says “come back later”, and stays as it is; and
    # without scripts it does so until the class is scored.
    for _ in range(90):
        if ask.count():
            break
        page.wait_for_timeout(1_000)
        page.reload()
    expect(ask).to_be_visible()


def test_words_are_selected_asked_about_and_counted(
    new_page: Callable[..., Page], site: Site
) -> None:
    student, ta = new_page(), new_page()
    log_in(student, "student1", site.password)
    open_result(student)

    student.evaluate(SELECT, ["eople also use", "electricity"])
    student.get_by_role("link", name="Request a second look at these words").click()
    expect(student.get_by_label("Words of your text")).to_have_value(
        "People also use a lot more electricity"
    )
    check_page(student)
    student.evaluate(SELECT, ["People also", "for coo"])
    student.get_by_role("button", name="Use these words").click()
    expect(student.get_by_label("Words of your text")).to_have_value(
        "People also use a lot more electricity for cooling."
    )
    student.get_by_label("Why it should count").fill("More cooling needs more electricity.")
    expect(student.get_by_text("36 characters of at most 1000").first).to_be_visible()
    student.get_by_role("button", name="Send the request").click()
    expect(student.get_by_text("Waiting for an answer")).to_be_visible()

    log_in(ta, "ta", site.password)
    ta.goto("/assignments/1/")
    expect(ta.get_by_text("1 second look to answer.")).to_be_visible()
    ta.get_by_role("link", name="Answer second looks").click()
    check_page(ta)
    ta.get_by_role("link", name=re.compile("^Answer the request of")).click()
    check_page(ta)
    expect(ta.locator(".is-chosen").first).to_contain_text("People also use")
    ta.get_by_role("button", name="Do not count it").click()
    expect(ta.get_by_role("heading", name="Please correct this")).to_be_visible()
    ta.get_by_role("radio").first.check()
    ta.get_by_label("Your answer to the student").fill("Well seen.")
    ta.get_by_role("button", name="Count it", exact=True).click()
    expect(ta.get_by_text("It counts now. The score has changed.")).to_be_visible()
    expect(ta.get_by_text("No open requests")).to_be_visible()

    student.reload()
    answer = student.locator(".second-look-answer")
    expect(answer).to_contain_text("Well seen.")
    expect(answer).to_contain_text("Now matched:")
    scores = re.compile(r"Comprehensive score: 0\.\d\d.*0\.\d\d", re.DOTALL)
    expect(answer).to_contain_text(scores)
    check_page(student)


def test_without_script_and_on_a_phone_a_sentence_is_chosen_and_taken_back(
    new_page: Callable[..., Page], site: Site
) -> None:
    page = new_page(390, 844, java_script_enabled=False)
    log_in(page, "student2", site.password)
    open_result(page)

    page.get_by_role("link", name="Request a second look").click()
    page.get_by_role("button", name="Send the request").click()
    expect(page.get_by_role("heading", name="Please correct these 2 things")).to_be_visible()
    page.get_by_label("Or a whole sentence").select_option(index=1)
    page.get_by_label("Why it should count").fill("It is the main idea.")
    page.get_by_role("button", name="Send the request").click()
    look = page.locator(".second-look")
    expect(look).to_contain_text("Waiting for an answer")

    look.get_by_role("button", name="Withdraw").click()

    expect(page.locator(".second-look")).to_contain_text("Withdrawn")
