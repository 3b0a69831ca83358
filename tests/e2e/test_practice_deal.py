"""A practice deal on a phone: from the first evening's last step, and from a photograph."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.by import By

from device.i18n.words import load
from device.store.events import PracticeDealBegun
from device.tutoring.practice_deals import PracticeDeals
from scorer.play.setup import WHOLE_GAME_TILES, DealSetup
from scorer.table_setup.east import EXCHANGE_PAIRS, EXCHANGED_TILES
from tests.device.fake_reader import FakeReader, Group, lay, picture
from tests.device.web.tutor.test_first_evening import SCREENS
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.tour import upload, wait_until_read

MAX_MOVES = 60

ADVICE_KEYS = ("coach.helps.other", "coach.declare-kong")
"""What the coach may say of tiles that the wall gave."""

CONCEALED_TILES = WHOLE_GAME_TILES + 1 - 3
"""Those of East, who has a pung on the table."""

RACK: list[Group] = [
    ("exposed", "C3 C3 C3"),
    ("concealed", "B2 B2 B2 B3 O7 O7 O7 DR DR WE WE"),
]


def values(player: Player, selector: str) -> list[str]:
    """Return the values of the fields that a selector finds."""
    script = "return [...document.querySelectorAll(arguments[0])].map((each) => each.value)"
    return list(player.browser.execute_script(script, selector))


IS_BAR_LOW = """
const own = document.getElementById("own");
const [question, advice] = own.querySelector(".turn-line").children;
const isBeside = advice.offsetTop < question.offsetTop + question.offsetHeight;
return isBeside && own.offsetHeight < 0.55 * innerHeight;
"""
"""In big text on a small phone: the rest of the screen shows what the others discarded."""


TAP_TWICE = """
document.querySelectorAll("#own .actions button")[0].click();
document.querySelectorAll("#own .actions button")[0].click();
document.querySelector("#more details form button").click();
"""
"""On the button, on it again before the box has answered, and then on another one."""


def version(player: Player) -> str:
    return values(player, "#own > form [name=seen]")[0]


def make_move(player: Player) -> None:
    """Tap a tile and the gold button that names it, or the first thing that may be claimed.

    The impatient taps after it do nothing.
    """
    version_before = version(player)
    if values(player, ".rack [type=radio]"):
        player.tap(".rack label:last-child")
        player.see(".rack :checked + .tile")
        assert player.text("#own .primary").startswith(("Discard", "Mah-Jong"))
    player.see("#own .actions button")
    player.browser.execute_script(TAP_TWICE)
    player.wait_until(lambda: version(player) != version_before, "the move was not made")
    assert load()["practice-deal.late"] not in player.text("#main")
    assert load()["practice-deal.coach-yes"] not in player.browser.page_source
    assert player.overflow() == 0


@in_webkit_at_length
def test_a_newcomer_plays_a_deal_from_the_first_evening(
    player: Player, serve_with: ServeWith
) -> None:
    live = serve_with(FakeReader())
    player.browser.keep(live.url, pupil="Ann")
    player.open(live.url + SCREENS[-1])
    player.tap(".onward .button.primary")
    player.see("form[action='/practise/deal/']")
    player.tap("#main .button.primary")
    player.see(".rack .tile")
    assert len(values(player, ".rack input")) == 5
    play_on(player)
    player.tap("a[href$='/deal/after']")
    player.see(".sections")
    assert "Ann: 1 of 11 steps done" in player.text("#main")
    assert player.complaints() == []


@in_webkit_at_length
def test_a_photographed_hand_is_played(player: Player, serve_with: ServeWith) -> None:
    """In big text on a small phone."""
    live = serve_with(FakeReader(lay(RACK)))
    player.browser.keep(live.url, look="text=big")
    player.browser.resize(360, 740)
    hand = upload(live, "/learn/ask/", picture(lay(RACK))).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    player.open(f"{live.url}/learn/ask/{hand}/")
    player.tap(f"a[href$='/practise/deal/hand/{hand}/']")
    player.tap(".rack label")
    player.tap("#main form .button.primary")
    player.see("#own .rack .tile")
    assert len(values(player, ".rack input")) == CONCEALED_TILES, "the wall gives the rest"
    player.tap(".turn-line button")
    player.see("#coach li")
    first_words = tuple(load()[key].split("{")[0] for key in ADVICE_KEYS)
    assert player.text("#coach li").startswith(first_words)
    player.tap(".rack label:last-child")
    player.see(".rack :checked + .tile")
    assert player.see("#coach li"), "the advice stays in sight"
    make_move(player)
    assert player.browser.execute_script(IS_BAR_LOW)
    player.tap("form[action$='/back'] button")  # of a warning, too
    player.wait_until(lambda: len(values(player, ".rack input")) == CONCEALED_TILES, "taken back")
    player.browser.resize()
    assert player.complaints() == []


@pytest.mark.prove
def test_a_goulash_is_played_to_its_end(player: Player, serve_with: ServeWith) -> None:
    """Three swaps of three tapped tiles, then every move; it takes too long for each change."""
    live = serve_with(FakeReader())
    start = PracticeDealBegun(DealSetup(3, goulash=True).to_json(), "E", "plain")
    player.open(f"{live.url}/practise/deal/{PracticeDeals(live.hands.store).begin(start)}/")
    for _ in EXCHANGE_PAIRS:
        swap(player)
    play_on(player)
    player.see("#hand-E")
    assert player.complaints() == []


def play_on(player: Player) -> None:
    """Make every move of a deal, and open what comes after it."""
    for _ in range(MAX_MOVES):
        if player.browser.find_elements(By.CSS_SELECTOR, "#own .actions a"):
            break
        make_move(player)
    player.tap("#own .actions a")


def swap(player: Player) -> None:
    """Tap the first three tiles, and the button that passes them on."""
    version_before = version(player)
    for count in range(1, EXCHANGED_TILES + 1):
        player.tap(f".rack label:nth-of-type({count})")
        player.see(f".rack label:nth-of-type({count}) :checked + .tile")
    player.tap("#own .actions .primary")
    player.wait_until(lambda: version(player) != version_before, "not swapped")
