"""What people do at the table besides playing: start, invite, share a device, roll real dice, watch, look back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.play import (
    FRIEND,
    ME,
    SENTENCE,
    bot,
    cell,
    cross,
    free,
    opened,
    play_on,
    play_to_the_end,
    roll,
    roll_for_all,
    seated,
    tap,
)

BO = {"kind": "person", "name": "Bo"}
CLASSIC_ROLL = (4, 1, 3, 6, 5, 2)
COUNT_TONES = """
localStorage.setItem("qwixx", JSON.stringify({ sound: true }));
window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
    window.tones.push(this.frequency.value);
    return start.apply(this, at);
};
"""
WHOSE_HAND = """() => {
    const count = selector => document.querySelectorAll(selector).length;
    return {
        over: count("main.end"),
        covered: count("main.alone"),
        names: count("b.whose"),
        cards: count("button.face"),
        asked: document.querySelector(".say b")?.textContent ?? "",
    };
}"""
"""What a shared device shows, read in one go: the table moves on between two looks."""


def test_one_tap_starts_against_two_bots(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now against two bots").click()
    expect(page.locator(".other")).to_have_count(2)
    page.goto("/")
    expect(page.get_by_role("heading", name="Go on playing")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Qwixx.*Robin, and Kim")).click()
    expect(page.locator(".other")).to_have_count(2)


def test_every_seat_is_what_one_wants(page: Page) -> None:
    page.goto("/")
    page.get_by_placeholder("Your name").fill("Ann")
    page.locator("button.game").first.click()
    page.get_by_role("button", name="4", exact=True).click()
    seats = page.get_by_role("dialog").get_by_role("combobox", name=re.compile("^Seat"))
    for number, kind in enumerate(["me", "friend", "here", "bot"]):
        seats.nth(number).select_option(kind)
    page.get_by_role("group", name="Seat 3").get_by_label("Name", exact=True).fill("Cy")
    page.get_by_role("group", name="Seat 4").get_by_label("How strong it plays").select_option("champion")
    page.get_by_label("Time for a choice").select_option("120")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    seats_shown = page.locator("main.wait li")
    expect(seats_shown).to_have_text(
        [re.compile("Ann.*you"), re.compile("free seat"), re.compile("Cy.*you"), re.compile("champion")]
    )


def test_a_friend_joins_by_link_and_is_seen_to_leave(page: Page, visit: Visit) -> None:
    address = seated(page, "classic", ME, FRIEND)
    expect(page.get_by_label("Invite friends with this link")).to_have_value(re.compile(f"{address}$"))
    expect(page.get_by_alt_text("QR code that leads to this table")).to_be_visible()
    other = visit()
    other.goto(address)
    other.get_by_placeholder("Your name").fill("Bo")
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator(SENTENCE)).to_be_visible()
    expect(page.locator(".other")).to_contain_text("Bo")
    other.context.close()
    expect(page.locator(".other")).to_contain_text("away")
    page.get_by_role("button", name="Let a bot play").click()
    expect(page.locator(".other")).to_contain_text("bot (medium)")
    again = visit()
    again.goto(address)
    expect(again.locator(".other"), "the game is going on, so a newcomer watches").to_have_count(2)


def test_others_choices_are_secret_until_all_have_chosen(page: Page, visit: Visit) -> None:
    address, (ann, bo) = opened(page, "classic", ME, BO, dice="real")
    other = visit()
    page.goto(f"{address}#key={ann}")
    other.goto(f"{address}#key={bo}")
    roll_for_all(page, *CLASSIC_ROLL)
    cell(page, "red 5").click()
    page.get_by_role("button", name="Cross red 5").click()
    expect(other.locator(".other")).to_contain_text("has chosen")
    expect(other.locator(".other .on")).to_have_count(0)
    expect(page.locator(SENTENCE)).to_contain_text("You chose: Cross red 5")
    cell(page, "red 5").click()
    expect(page.locator(SENTENCE)).to_contain_text("Cross the 5, or pass.")
    cell(page, "blue 5").click()
    cell(page, "blue 5").click()
    other.keyboard.press("p")
    expect(other.locator(".other .on")).to_have_count(1)


def test_who_comes_and_goes_does_not_take_the_dice_out_of_my_hands(page: Page, visit: Visit) -> None:
    address, keys = opened(page, "classic", ME, BO, dice="real")
    pages = [page, visit()]
    for each, key in zip(pages, keys, strict=True):
        each.goto(f"{address}#key={key}")
        each.locator("form .die").or_(each.get_by_role("button", name="Enter the dice")).first.wait_for()
    mine, rolls = sorted(pages, key=lambda each: each.locator("form .die").count())
    mine.get_by_role("button", name="Enter the dice").click()
    three = mine.locator("form .die").first.get_by_role("button", name="3", exact=True)
    three.click()
    expect(mine.locator(".other")).not_to_contain_text("away")
    rolls.context.close()
    expect(mine.locator(".other")).to_contain_text("away")
    expect(three).to_have_attribute("aria-pressed", "true")
    roll(mine, *CLASSIC_ROLL)
    mine.get_by_role("button", name="Correct the dice").click()
    three.click()
    back = visit()
    back.goto(f"{address}#key={keys[pages.index(rolls)]}")
    expect(mine.locator(".other")).not_to_contain_text("away")
    expect(three).to_have_attribute("aria-pressed", "true")


def test_a_sound_is_heard_once_and_not_again_with_other_news(page: Page, visit: Visit) -> None:
    page.add_init_script(COUNT_TONES)
    address, (ann, bo) = opened(page, "classic", ME, BO, dice="real")
    page.goto(f"{address}#key={ann}")
    other = visit()
    other.goto(f"{address}#key={bo}")
    expect(page.locator(".other")).not_to_contain_text("away")
    roll_for_all(page, *CLASSIC_ROLL)
    for each in (page, other):
        expect(each.locator(SENTENCE)).to_contain_text("Cross the 5, or pass.")
        cell(each, "red 5").click()
        each.get_by_role("button", name="Cross red 5").click()
    expect(page.locator(".other .on")).to_have_count(1)
    heard = page.evaluate("window.tones")
    assert 520 in heard, "a cross is heard"
    other.context.close()
    expect(page.locator(".other")).to_contain_text("away")
    assert page.evaluate("window.tones") == heard


def test_wrong_dice_are_corrected(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    roll(page, *CLASSIC_ROLL)
    expect(page.locator(SENTENCE)).to_contain_text("Cross the 5, or pass.")
    page.get_by_role("button", name="Correct the dice").click()
    page.locator("form .die").first.get_by_role("button", name="6", exact=True).click()
    page.get_by_role("button", name="This was rolled").click()
    expect(page.locator(SENTENCE)).to_contain_text("Cross the 7, or pass.")


def test_the_dice_that_make_a_cell_are_shown(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    roll(page, *CLASSIC_ROLL)
    cell(page, "red 5").click()
    expect(page.locator(".die.lit")).to_have_count(2)
    expect(page.locator(".die.white.lit")).to_have_count(2)
    page.get_by_role("button", name="Cross red 5").click()
    free(page, "blue 3").click()
    expect(page.locator(".die.lit")).to_have_count(2)
    expect(page.locator(".die.blue.lit")).to_have_count(1)
    expect(page.locator(".die.white").nth(1)).to_have_class(re.compile("lit"))


def test_a_misthrow_is_warned_of(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    roll(page, *CLASSIC_ROLL)
    page.get_by_role("button", name="Pass", exact=True).click()
    page.get_by_role("button", name="Pass and take a misthrow").click()
    expect(page.get_by_role("alert")).to_have_text("⚠ A misthrow costs 5 points. It would be number 1 of 4.")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("img", name="misthrows: 0")).to_be_visible()
    page.get_by_role("button", name="Pass and take a misthrow").click()
    page.get_by_role("button", name="Yes, take the misthrow").click()
    expect(page.get_by_role("img", name="misthrows: 1")).to_be_visible()
    expect(page.locator(".news")).to_contain_text("Ann takes a misthrow.")


def test_passing_by_itself_can_be_switched_off(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Pass by itself when there is nothing to cross").uncheck()
    page.keyboard.press("Escape")
    _cross_both_threes(page)
    expect(page.locator(SENTENCE)).to_contain_text("Cross the 2, or pass.")
    expect(page.locator("button.cell.can")).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Pass by itself when there is nothing to cross").check()
    page.keyboard.press("Escape")
    expect(page.locator(".toast")).to_contain_text("Nothing to cross")


def _cross_both_threes(page: Page) -> None:
    """Crosses red 3 and yellow 3 and rolls a 2, which then has nowhere to go."""
    for name in ("red 3", "yellow 3"):
        roll(page, 1, 2, 6, 6, 1, 1)
        cross(page, name)
        expect(page.locator(SENTENCE)).to_contain_text("Add one white")
        page.get_by_role("button", name="Pass", exact=True).click()
    roll(page, 1, 1, 6, 6, 6, 6)


def test_pass_and_play(page: Page) -> None:
    seated(page, "classic", ME, BO, dice="real")
    roll_for_all(page, *CLASSIC_ROLL)
    expect(page.locator(SENTENCE)).to_contain_text("Ann: ")
    cell(page, "red 5").click()
    page.get_by_role("button", name="Cross red 5").click()
    expect(page.locator(SENTENCE)).to_contain_text("Bo: ")
    cell(page, "blue 5").click()
    page.get_by_role("button", name="Cross blue 5").click()
    expect(page.locator(".news, .other .on, .cell.x")).not_to_have_count(0)
    play = page.locator("main.table")
    expect(play).to_contain_text("1 point")


def test_pass_and_play_covers_the_hands(page: Page) -> None:
    seated(page, "card", ME, BO)
    expect(page.locator("button.face")).to_have_count(0)
    first = page.locator("main.alone h1")
    expect(first).to_contain_text(re.compile("Pass the device to (Ann|Bo)."))
    page.keyboard.press("p")
    expect(first, "no key reaches what is covered").to_be_visible()
    play_to_the_end(page)


def test_no_hand_lies_open_while_a_friend_thinks(page: Page, visit: Visit) -> None:
    address, (ann, bo, cy) = opened(page, "card", ME, BO, {"kind": "person", "name": "Cy"})
    friend = visit()
    friend.goto(f"{address}#key={cy}")
    page.goto(f"{address}#key={ann}&key={bo}")
    page.locator("main.alone, main.table").wait_for()
    for _ in range(40):
        shown = page.evaluate(WHOSE_HAND)
        if shown["over"]:
            break
        assert shown["covered"] or shown["names"] == 1
        if not shown["covered"] and not shown["asked"].startswith(("Ann:", "Bo:")):
            assert shown["cards"] == 0
        tap(page)
        tap(friend)


def test_a_bot_takes_the_seat_of_a_friend_who_never_comes(page: Page) -> None:
    seated(page, "classic", ME, FRIEND)
    page.get_by_role("button", name="Let a bot take this seat").click()
    expect(page.locator(".other")).to_contain_text("Bot 2")


def test_a_choice_is_changed_with_one_tap(page: Page) -> None:
    address, (ann, _) = opened(page, "classic", ME, BO, dice="real")
    page.goto(f"{address}#key={ann}")
    roll_for_all(page, *CLASSIC_ROLL)
    cross(page, "red 5")
    expect(page.locator(SENTENCE)).to_contain_text("You chose: Cross red 5")
    cell(page, "blue 5").click()
    expect(page.get_by_role("button", name="Cross blue 5")).to_be_visible()
    expect(cell(page, "red 5")).to_have_accessible_name("red 5, available")


def test_a_paper_table_keeps_one_sheet(page: Page) -> None:
    page.goto("/")
    page.get_by_placeholder("Your name").fill("Ann")
    page.locator("button.game").first.click()
    page.get_by_label("Dice").select_option("paper")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Somebody else's").click()
    roll(page, 4, 1)
    cell(page, "red 5").click()
    page.get_by_role("button", name="Cross red 5").click()
    expect(page.locator(SENTENCE)).to_contain_text("Who rolls?")
    page.get_by_role("button", name="Somebody else closed green").click()
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator(".news")).to_contain_text("Green is closed for everybody; its die is out.")
    expect(page.locator("form .die")).to_have_count(5)
    page.get_by_role("button", name="My roll").click()
    roll(page, 3, 3, 1, 1, 1)
    expect(page.locator("button.cell.can")).to_have_count(3)
    page.get_by_role("button", name="Pass", exact=True).click()
    cross(page, "yellow 4")
    page.get_by_role("button", name="The game has ended").click()
    page.get_by_role("dialog").get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator("main.end h1")).to_have_text("The game is over: 2 points.")


def test_a_spectator_sees_what_a_spectator_may(page: Page, visit: Visit) -> None:
    address = seated(page, "card", ME, bot("Robin"))
    watcher = visit()
    watcher.goto(address.replace("/t/", "/w/"))
    expect(watcher.locator(".other")).to_have_count(2)
    expect(watcher.locator("header.say")).to_contain_text("You are watching.")
    expect(watcher.locator("button.face, section.mine, .act")).to_have_count(0)
    expect(page.locator("header.say")).to_contain_text(re.compile("Watching: 1|Waiting for"))
    play_on(page, 12)
    expect(watcher.locator(".other").first).to_contain_text(re.compile(r"\d+ · \d+ · \d+"))


@pytest.mark.parametrize("variant", ["classic", "longo"])
def test_who_watches_on_a_phone_sees_whole_sheets(page: Page, visit: Visit, variant: str) -> None:
    address = seated(page, variant, ME, bot("Robin"))
    watcher = visit(viewport={"width": 360, "height": 740})
    watcher.goto(address.replace("/t/", "/w/"))
    expect(watcher.locator(".other .sheet")).to_have_count(2)
    cut_off = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    assert watcher.locator(".other").evaluate_all(cut_off) == 0
    watcher.set_viewport_size({"width": 640, "height": 360})
    expect(watcher.locator(".other .sheet"), "held across there is no room for them").to_have_count(0)


def test_the_holder_of_a_seat_may_watch_without_it(page: Page) -> None:
    address = seated(page, "classic")
    page.goto(address.replace("/t/", "/w/"))
    expect(page.locator(".other")).to_have_count(2)
    expect(page.locator("section.mine")).to_have_count(0)


def test_a_personal_link_moves_the_seat(page: Page, visit: Visit) -> None:
    seated(page, "classic", ME, bot("Robin"))
    page.get_by_role("button", name="Menu").click()
    link = page.get_by_label("My seat's link").input_value()
    other = visit()
    other.goto(link)
    expect(other.locator("section.mine")).to_be_visible()
    assert "#" not in other.url, "the key does not stay in the address"


def test_another_sheet_is_opened_with_one_tap(page: Page) -> None:
    seated(page, "classic", ME, bot("Robin"))
    page.get_by_role("button", name="Open Robin's sheet").click()
    expect(page.get_by_role("dialog", name="Robin").locator(".cell:not(.lock)")).to_have_count(44)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_end_the_replay_and_the_rematch(page: Page) -> None:
    seated(page, "mini", ME, bot("Robin"))
    play_to_the_end(page)
    expect(page.locator("polyline")).to_have_count(2)
    slider = page.get_by_role("slider", name="Step through the game")
    last = int(slider.get_attribute("max") or 0)
    slider.fill("0")
    expect(page.locator(".cell.x")).to_have_count(0)
    expect(page.locator(".told")).to_contain_text("At the beginning.")
    for _ in range(2):
        page.get_by_role("button", name="Next").click()
    expect(page.locator(".told")).to_contain_text(f"Step 2 of {last}. Rolled: white")
    page.goto("/")
    expect(page.get_by_role("heading", name="Finished games")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Mini-Qwixx")).click()
    finished = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != finished)
    expect(page.locator("section.mine")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", name="Go on playing")).to_be_visible()


def test_the_clock_decides_for_those_who_do_not(page: Page) -> None:
    seated(page, "classic", ME, bot("Robin"), clock=1)
    expect(page.get_by_role("timer")).to_be_visible()
    expect(page.locator(".news").first).to_contain_text("Time was up for Ann.")


def test_rolls_choices_locks_and_turns_are_announced(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    roll(page, *CLASSIC_ROLL)
    live = page.locator("[aria-live=polite]")
    expect(live).to_contain_text("Rolled: white 4 and 1 make 5; red 3, yellow 6, green 5, blue 2.")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(live).to_contain_text("Ann: Pass")
    expect(page.locator(SENTENCE)).to_have_attribute("role", "status")


def test_an_unknown_table(page: Page) -> None:
    page.goto("/t/nowhere")
    expect(page.get_by_text("There is no such table.")).to_be_visible()


def test_names_are_text_and_nothing_else(page: Page, visit: Visit) -> None:
    address = seated(page, "classic", ME, FRIEND)
    other = visit()
    other.goto(address)
    other.get_by_placeholder("Your name").fill("<img src=x onerror=alert(1)>")
    other.get_by_role("button", name="Sit down").click()
    expect(page.locator(".other")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator(".other img")).to_have_count(0)
