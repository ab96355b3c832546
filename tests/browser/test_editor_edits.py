"""Every edit by the mouse: what is shown and kept then, undone, redone, and loaded again."""

import pytest
from playwright.sync_api import expect

from tests.browser.editor import Desk

pytestmark = pytest.mark.browser

CITIES, ROOFS, TREES, OLD, LEAVES = 1, 2, 3, 4, 5
AIR = "Air conditioning makes the streets hotter"


# --- words ---


def test_a_new_idea_from_selected_words(desk: Desk) -> None:
    def do() -> None:
        desk.select("Chi", AIR)
        desk.press_bar("New idea")

    desk.check_edit(do)
    new = max(desk.uids())
    assert new > LEAVES
    assert desk.kept_words(new, "Chi") == [AIR]
    assert desk.kept_idea(new)["label"] == AIR


def test_selected_words_are_added_to_the_open_idea(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(LEAVES)
        desk.select("Chi", AIR)
        desk.press_bar("Add to “Leaves give off water”")

    desk.check_edit(do)
    assert desk.kept_words(LEAVES, "Chi") == [AIR]


def test_selected_words_are_added_to_an_idea_chosen_in_the_list(desk: Desk) -> None:
    def do() -> None:
        desk.select("Chi", "streets hotter")
        desk.pick(desk.bar().get_by_role("combobox", name="Add to another idea"), OLD)

    desk.check_edit(do)
    assert desk.kept_words(OLD, "Chi") == ["streets hotter"]


def test_words_stay_selected_for_whoever_types_at_once(desk: Desk) -> None:
    """Also where a field has the focus before the press of the mouse is dealt with."""
    desk.page.evaluate(
        """() => {
          const { setTimeout } = window;
          window.setTimeout = (act, wait) => setTimeout.call(window, act, (wait || 0) + 300);
        }"""
    )
    desk.select("Chi", "streets hotter")
    desk.bar().get_by_role("combobox", name="Add to another idea").fill(f"{OLD} ·")
    desk.page.wait_for_timeout(500)
    desk.page.get_by_role("option", name=f"{OLD} · ").click()
    desk.wait_for_revision(1)
    assert desk.kept_words(OLD, "Chi") == ["streets hotter"]


def test_words_cut_in_the_middle_are_taken_whole(desk: Desk) -> None:
    desk.select("Chi", "conditioning makes")
    desk.press_bar("Deselect")
    expect(desk.bar()).to_be_hidden()
    desk.select("Chi", "nditioning mak")
    desk.press_bar("New idea")
    desk.wait_for_revision(1)
    assert desk.kept_words(max(desk.uids()), "Chi") == ["conditioning makes"]


def test_a_further_part_that_overlaps_another_idea(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(TREES)
        desk.select("Ada", "leaves give off water")
        desk.press_bar("As a further part")

    desk.check_edit(do)
    assert desk.kept_words(TREES, "Ada") == ["Trees cool the streets", "leaves give off water"]
    shared = desk.show_text("Ada").locator(f'[data-scu="{TREES} {LEAVES}"]')
    expect(shared).to_have_text("leaves give off water")
    shared.click()
    menu = desk.page.get_by_role("menu", name="Ideas of these words")
    menu.get_by_role("menuitem", name="Leaves give off water").click()
    expect(desk.page.locator(f"#open-{LEAVES}")).to_be_focused()


def test_words_in_two_places_make_one_idea(desk: Desk) -> None:
    def do() -> None:
        desk.select("Chi", "Air conditioning")
        desk.select("Chi", "streets hotter", besides=True)
        desk.press_bar("New idea")

    desk.check_edit(do)
    assert desk.kept_words(max(desk.uids()), "Chi") == ["Air conditioning", "streets hotter"]


def test_a_reference_that_says_it_already_is_offered_to_be_joined(desk: Desk) -> None:
    def offered() -> None:
        desk.select("Ben", "Old people suffer")
        desk.pick(desk.bar().get_by_role("combobox", name="Add to another idea"), ROOFS)
        offer = desk.page.get_by_role("alert").filter(has_text="counts once")
        expect(offer).to_be_visible()

    offered()
    assert desk.revision() == 0
    desk.page.get_by_role("link", name="Cancel").click()
    expect(desk.page.locator("#editor-refusal")).to_be_hidden()
    assert desk.revision() == 0

    def do() -> None:
        offered()
        desk.page.get_by_role("button", name="Join as a further part").click()

    desk.check_edit(do)
    assert desk.kept_words(ROOFS, "Ben") == ["Dark roofs store heat", "Old people suffer"]


@pytest.mark.parametrize(
    ("button", "words"),
    [
        ("Start one word earlier", "makes the streets"),
        ("Start one word later", "streets"),
        ("End one word earlier", "the"),
        ("End one word later", "the streets hotter"),
    ],
)
def test_an_end_goes_by_a_word(desk: Desk, button: str, words: str) -> None:
    desk.select("Chi", "the streets")
    desk.press_bar("New idea")
    desk.wait_for_revision(1)
    new = max(desk.uids())

    def do() -> None:
        desk.open_card(new)
        desk.contributor_row(new, "Chi").get_by_role("button", name=button).click()

    desk.check_edit(do)
    assert desk.kept_words(new, "Chi") == [words]


def test_a_part_is_removed(desk: Desk) -> None:
    desk.select("Chi", "Air conditioning")
    desk.select("Chi", "streets hotter", besides=True)
    desk.press_bar("New idea")
    desk.wait_for_revision(1)
    new = max(desk.uids())

    def do() -> None:
        desk.open_card(new)
        part = "Remove the part “Air conditioning”"
        desk.contributor_row(new, "Chi").get_by_role("button", name=part).click()

    desk.check_edit(do)
    assert desk.kept_words(new, "Chi") == ["streets hotter"]


# --- experts ---


def test_what_an_expert_says_is_removed(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(CITIES)
        desk.contributor_row(CITIES, "Ben").get_by_role("button", name="Remove", exact=True).click()

    desk.check_edit(do)
    assert desk.kept_words(CITIES, "Ben") == []
    expect(desk.page.locator("#band-2").locator(f"#scu-{CITIES}")).to_be_visible()


def test_the_idea_goes_with_its_last_expert(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(OLD)
        desk.contributor_row(OLD, "Ben").get_by_role("button", name="Remove", exact=True).click()

    desk.check_edit(do)
    assert OLD not in desk.uids()


def test_what_an_expert_says_moves_to_another_idea(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(CITIES)
        desk.choose_target(CITIES, "Chi", OLD)
        desk.contributor_row(CITIES, "Chi").get_by_role("button", name="Move", exact=True).click()

    desk.check_edit(do)
    assert desk.kept_words(CITIES, "Chi") == []
    assert desk.kept_words(OLD, "Chi") == ["Cities are hotter than the land"]


def test_moving_asks_for_the_other_idea_first(desk: Desk) -> None:
    desk.open_card(CITIES)
    desk.contributor_row(CITIES, "Chi").get_by_role("button", name="Move", exact=True).click()
    expect(desk.page.get_by_role("alert")).to_contain_text("Choose the other idea first.")
    assert desk.revision() == 0


def test_the_words_of_an_expert_become_the_label(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(ROOFS)
        desk.contributor_row(ROOFS, "Ada").get_by_role("button", name="Use as label").click()

    desk.check_edit(do)
    assert desk.kept_idea(ROOFS)["label"] == "Dark roofs store the heat of the sun"


def test_a_comment_on_what_an_expert_says(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(ROOFS)
        words = desk.contributor_row(ROOFS, "Ada")
        words.get_by_text("Comment", exact=True).click()
        words.get_by_label("Comment on what Ada says").fill("The sun is <b>not</b> needed.")
        words.get_by_role("button", name="Save comment").click()

    after = desk.check_edit(do)
    roofs = next(scu for scu in after["scus"] if scu["uid"] == ROOFS)
    assert [contributor["comment"] for contributor in roofs["contributors"]] == [
        "The sun is <b>not</b> needed.",
        "",
    ]


# --- ideas ---


def test_two_ideas_are_merged(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(LEAVES)
        desk.choose_other(LEAVES, TREES)
        desk.card(LEAVES).get_by_role("button", name="Merge into it").click()

    desk.check_edit(do)
    assert LEAVES not in desk.uids()
    assert len(desk.kept_words(TREES, "Ada")) == 2
    assert desk.kept_idea(TREES)["label"] == "Trees cool streets"


def test_an_idea_is_split(desk: Desk) -> None:
    def do() -> None:
        card = desk.open_card(CITIES)
        card.get_by_role("checkbox", name="Ben").check()
        card.get_by_role("checkbox", name="Chi").check()
        card.get_by_role("button", name="Split off the ticked experts").click()

    desk.check_edit(do)
    new = max(desk.uids())
    assert len(desk.kept_idea(CITIES)["contributors"]) == 1
    assert [contributor["reference"] for contributor in desk.kept_idea(new)["contributors"]] == [
        "Ben",
        "Chi",
    ]


def test_a_label_in_place(desk: Desk) -> None:
    def do() -> None:
        card = desk.open_card(TREES)
        card.get_by_label("Label", exact=True).fill("Trees & leaves cool <streets>")
        card.get_by_role("button", name="Save label").click()

    desk.check_edit(do)
    assert desk.kept_idea(TREES)["label"] == "Trees & leaves cool <streets>"


def test_a_label_is_saved_by_leaving_its_field(desk: Desk) -> None:
    desk.open_card(TREES).get_by_label("Label", exact=True).fill("Shade")
    desk.page.get_by_role("heading", name="Texts").click()
    desk.wait_for_revision(1)
    assert desk.kept_idea(TREES)["label"] == "Shade"


def test_an_empty_label_is_refused_and_what_was_typed_can_be_mended(desk: Desk) -> None:
    card = desk.open_card(TREES)
    card.get_by_label("Label", exact=True).fill("  ")
    card.get_by_role("button", name="Save label").click()
    expect(desk.page.get_by_role("alert").filter(has_text="label")).to_be_visible()
    assert desk.revision() == 0
    card.get_by_label("Label", exact=True).fill("Shade")
    card.get_by_role("button", name="Save label").click()
    desk.wait_for_revision(1)
    expect(desk.page.locator("#editor-refusal")).to_be_hidden()
    assert desk.kept_idea(TREES)["label"] == "Shade"


def test_a_comment_on_an_idea(desk: Desk) -> None:
    def do() -> None:
        card = desk.open_card(TREES)
        card.get_by_label("Comment", exact=True).fill("Is this two ideas?\nAsk Ben.")
        card.get_by_role("button", name="Save comment").last.click()

    desk.check_edit(do)
    assert desk.kept_idea(TREES)["comment"] == "Is this two ideas?\nAsk Ben."
    expect(desk.card(TREES).get_by_text("comment", exact=True)).to_be_visible()


def test_an_idea_is_deleted(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(ROOFS).get_by_role("button", name="Delete the idea").click()

    desk.check_edit(do)
    assert ROOFS not in desk.uids()


def test_ideas_of_a_weight_are_put_in_another_order(desk: Desk) -> None:
    def do() -> None:
        desk.open_card(TREES).get_by_role("button", name="Move up").click()

    desk.check_edit(do)
    assert desk.shown()["bands"]["2"] == [
        [TREES, "Trees cool streets"],
        [ROOFS, "Dark roofs store heat"],
    ]


@pytest.mark.parametrize(
    ("button", "standing", "badge"),
    [("Must count", "must", "must count: weight 3"), ("Set aside", "aside", "set aside")],
)
def test_an_idea_must_count_or_is_set_aside(
    desk: Desk, button: str, standing: str, badge: str
) -> None:
    def do() -> None:
        desk.open_card(LEAVES).get_by_role("button", name=button).click()

    desk.check_edit(do)
    assert desk.kept_idea(LEAVES)["standing"] == standing
    expect(desk.card(LEAVES).get_by_text(badge, exact=True)).to_be_visible()

    def back() -> None:
        desk.open_card(LEAVES).get_by_role("button", name="Counts by weight").click()

    desk.check_edit(back)
    assert "standing" not in desk.kept_idea(LEAVES)


@pytest.mark.parametrize("weight", ["7", "0"])
def test_a_weight_by_hand(desk: Desk, weight: str) -> None:
    def do() -> None:
        card = desk.open_card(LEAVES)
        card.get_by_label("Manual weight").fill(weight)
        card.get_by_role("button", name="Set", exact=True).click()

    desk.check_edit(do)
    assert desk.kept_idea(LEAVES)["weight"] == int(weight)

    def back() -> None:
        card = desk.open_card(LEAVES)
        card.get_by_label("Manual weight").fill("")
        card.get_by_role("button", name="Set", exact=True).click()

    desk.check_edit(back)
    assert "weight" not in desk.kept_idea(LEAVES)


# --- drag and drop ---


def test_an_expert_is_dragged_to_another_idea(desk: Desk) -> None:
    expert = desk.card(CITIES).locator(".expert", has_text="Chi")
    desk.check_edit(lambda: desk.drag(expert, desk.card(OLD)))
    assert desk.kept_words(OLD, "Chi") == ["Cities are hotter than the land"]
    assert desk.kept_words(CITIES, "Chi") == []


def test_an_idea_is_dragged_onto_another_one(desk: Desk) -> None:
    grip = desk.card(LEAVES).locator(".idea-grip").first
    desk.check_edit(lambda: desk.drag(grip, desk.card(TREES)))
    assert LEAVES not in desk.uids()
    assert len(desk.kept_words(TREES, "Ada")) == 2


@pytest.mark.parametrize(("idea", "onto", "part"), [(TREES, ROOFS, 0.05), (ROOFS, TREES, 0.95)])
def test_an_idea_is_dragged_between_others(desk: Desk, idea: int, onto: int, part: float) -> None:
    grip = desk.card(idea).locator(".idea-grip").first
    desk.check_edit(lambda: desk.drag(grip, desk.card(onto), part))
    assert [uid for uid, _ in desk.shown()["bands"]["2"]] == [TREES, ROOFS]


# --- undo without end ---


def test_everything_is_undone_and_redone(desk: Desk) -> None:
    """Ten edits, all taken back, all made again; by the keys besides the buttons."""
    states = [desk.kept()]
    for number in range(5):
        card = desk.open_card(TREES)
        card.get_by_label("Manual weight").fill(str(number + 4))
        card.get_by_role("button", name="Set", exact=True).click()
        desk.wait_for_revision(2 * number + 1)
        states.append(desk.kept())
        card.get_by_role("button", name=("Must count", "Set aside")[number % 2]).click()
        desk.wait_for_revision(2 * number + 2)
        states.append(desk.kept())
    for state in reversed(states[:-1]):
        desk.undo()
        assert desk.kept() == state
    expect(desk.page.locator("#undo")).to_be_disabled()
    desk.check_shown()
    for done, state in enumerate(states[1:], 1):
        desk.page.keyboard.press("Control+Shift+Z")
        desk.wait_for_revision(20 + done)
        assert desk.kept() == state
    desk.check_shown()
