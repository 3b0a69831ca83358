"""A hand on one screen of a phone: what it shows without scrolling, and what a touch does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from device.i18n.words import LANGUAGES
from tests.device.fake_reader import WINNING, FakeReader, Group, lay, picture
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.deal import FOLDER as DEAL
from tests.e2e.engines import browser
from tests.e2e.fonts import FONTS
from tests.e2e.player import Player
from tests.e2e.sizes import find_at
from tests.e2e.tour import begin, other_phone, upload, wait_until_read
from vision.hand.questions import ask
from vision.reader import Reader

SHOWN_SCRIPT = """
const bar = document.getElementById("bar").getBoundingClientRect();
const parts = [...document.querySelectorAll(".desk .photo, .small-tile, .kind, #strip > *")];
const beyond = parts.filter((each) => each.getBoundingClientRect().bottom > bar.top + 1);
return {
  parts: parts.length,
  beyond: beyond.map((each) => each.className.baseVal ?? each.className),
  wide: page.scrollWidth - innerWidth,
};
"""
"""What of the photograph, the tiles and the sum lies below the bar."""

ORDER = ((2, "1-bob"), (3, "2-cy"), (0, "3-di"), (1, "4-ann"))
"""Whose seat gets which photograph: the third player went out."""

USUAL, SMALLER = (390, 844), ((375, 667), (360, 740))
"""Phones on which a hand needs no scrolling in usual text."""

LONG = ("Margaret-Jacqueline Ann", "Bob", "Wilhelmina Featherston", "Di")


@pytest.fixture
def four_hands(serve_with: ServeWith) -> tuple[str, list[str]]:
    """Return a box with four photographed hands of a deal, and the hands."""
    live = serve_with(Reader.load())
    begin(live.url, LONG)
    other_phone(live.url, "/table/winner", who="2", won_by="discard")
    return live.url, [_give(live, seat, DEAL / f"{name}.jpg") for seat, name in ORDER]


def test_a_hand_is_on_one_screen(player: Player, four_hands: tuple[str, list[str]]) -> None:
    """By daylight: nothing but colours is another by lamplight (`test_style.py`).

    Each hand in the longest words, one of them in all; the others in all by `make prove`.
    """
    url, hands = four_hands
    try:
        assert _hidden_parts(player, url, hands[:1]) == []
        assert _hidden_parts(player, url, hands[1:], ("fr",)) == []
    finally:
        player.browser.resize()


def test_a_hand_with_a_kong_and_a_flower_is_on_one_screen(
    player: Player, serve_with: ServeWith
) -> None:
    live = serve_with(FakeReader())
    begin(live.url, LONG)
    other_phone(live.url, "/table/winner", who="2", won_by="wall")
    hand = upload(live, "/table/hand/2", picture(lay(WINNING))).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    try:
        assert _hidden_parts(player, live.url, [hand]) == []
    finally:
        player.browser.resize()


@pytest.mark.prove
@pytest.mark.parametrize("fonts", FONTS)
def test_a_hand_is_on_one_screen_in_every_font(
    four_hands: tuple[str, list[str]], fonts: str
) -> None:
    with browser(*USUAL, fonts=fonts) as phone:
        assert _hidden_parts(Player(phone), *four_hands) == []


def _hidden_parts(
    player: Player, url: str, hands: Sequence[str], languages: Iterable[str] = LANGUAGES
) -> list[tuple[object, ...]]:
    """Return what of the hands is not in sight, in which language and size of the phone."""
    hidden_parts: list[tuple[object, ...]] = []
    for language, hand in product(languages, hands):
        player.browser.keep(url, look=f"language={language}")
        player.open(f"{url}/hand/{hand}/")
        player.see("#bar form .primary")
        for size in (USUAL, *SMALLER):
            shown_parts = find_at(player.browser, size, SHOWN_SCRIPT)
            assert shown_parts["parts"] > 16
            if shown_parts["beyond"] or shown_parts["wide"]:
                hidden_parts.append(
                    (language, hands.index(hand), size, shown_parts["beyond"], shown_parts["wide"])
                )
    return hidden_parts


def _give(live: LiveServer, seat: int, photo: Path) -> str:
    hand = upload(live, f"/table/hand/{seat}", photo.read_bytes()).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    return hand


def _open(player: Player, live: LiveServer, groups: tuple[Group, ...] = WINNING) -> str:
    """Open the winner's hand at the table; return its id."""
    begin(live.url)
    other_phone(live.url, "/table/winner", who="2", won_by="discard")
    hand = upload(live, "/table/hand/2", picture(lay(groups))).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    player.open(f"{live.url}/hand/{hand}/")
    return hand


def test_a_wrong_tile_is_two_taps_and_no_scroll(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    hand = _open(player, live)
    _touch(player, '.small-tile[data-tile="7"]')
    player.see("#sheet .alternatives .pick")
    _touch(player, '#sheet .alternatives [value="B4"]')
    player.see('.small-tile.changed[data-tile="7"]')
    assert live.hands.get(hand).tiles[7].code == "B4"


def _touch(player: Player, selector: str) -> None:
    """Tap what is in sight; what has to be scrolled to is a fault."""
    element = player.see(selector)
    middle = player.browser.execute_script(
        """const box = arguments[0].getBoundingClientRect();
        const x = box.x + box.width / 2, y = box.y + box.height / 2;
        return arguments[0].contains(document.elementFromPoint(x, y));""",
        element,
    )
    assert middle, f"{selector} is not in sight"
    element.click()


def test_a_tiles_sheet_turns_its_set_up_and_down(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    hand = _open(player, live)
    _touch(player, ".strip-exposed .small-tile")
    _touch(player, '#sheet [name="row"][value="concealed"]')
    player.wait_until(
        lambda: len(player.browser.find_elements(By.CSS_SELECTOR, ".strip-exposed .set")) == 1,
        "the set stayed where it was",
    )
    assert live.hands.get(hand).sets[0].row == "concealed"
    assert "was" in player.text("#bar small")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_set_to_be_tapped_is_in_sight_in_big_text(
    player: Player, serve_with: ServeWith, language: str
) -> None:
    """Of a hand in one row, with a conflict above the photo, on a low phone."""
    rows: tuple[Group, ...] = (("concealed", "B2 B2 B2"), ("concealed", "C3 C4 C5"))
    rows = (*rows, ("concealed", "DR DR"), ("concealed", "WE WS O1 O9 DG"))
    live = serve_with(FakeReader(replace(lay(rows), problems=(ask("lies.one-row"),))))
    begin(live.url)
    other_phone(live.url, "/table/winner", who="1", won_by="wall")
    for seat in (2, 3):
        hand = upload(live, f"/table/hand/{seat}", picture(lay(rows)))
        hand = hand.rstrip("/").rpartition("/")[2]
        wait_until_read(live.hands, hand)
    player.browser.keep(live.url, look=f"language={language}&text=big")
    try:
        player.browser.resize(360, 740)
        player.open(f"{live.url}/hand/{hand}/")
        _touch(player, "#strip button.turn")
    finally:
        player.browser.resize()


def test_a_held_tile_is_the_one_that_won(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    hand = _open(player, live)
    player.reads("#question", "Which tile won?")
    tile = player.see('.small-tile[data-tile="14"]')
    ActionChains(player.browser).click_and_hold(tile).pause(0.9).release().perform()
    player.see('.small-tile.winning[data-tile="14"]')
    assert live.hands.get(hand).situation.winning_tile == 14
    assert not player.browser.find_elements(By.CSS_SELECTOR, "#sheet[open]"), "no sheet as well"
    player.see("#bar form .primary")


def test_what_is_open_is_answered_in_sight(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    _open(player, live)
    _touch(player, '#bar .many [value="13"]')
    player.see("#bar form .primary")
    other_phone(live.url, "/table/winner", who="1", won_by="wall")
    player.browser.refresh()
    player.reads("#question", "These tiles are a Mah-Jong. Did Cy go out?")
    _touch(player, '#bar [value="complete"]')
    player.see("#bar form .primary")
    assert player.complaints() == []
