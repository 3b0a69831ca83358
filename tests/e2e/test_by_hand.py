"""Hands without a photograph, and what a correction costs: every tap is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.device.fake_reader import FakeReader, Group, lay
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Browser, in_chromium_at_length, in_webkit_at_length
from tests.e2e.tap_counter import CountingPlayer

SMALL = """
const taps = "a.button, button, .segments span, summary";
return [...document.querySelectorAll(taps)].filter((e) => e.offsetParent).map((e) => {
  const box = e.getBoundingClientRect();
  return [e.className, e.ariaLabel ?? e.textContent.trim(), Math.round(box.width), box.height];
}).filter(([, , width, height]) => width < 44 || height < 48);
"""


FIRST_ANSWER_COMES_LAST = """
const ask = window.fetch;
const hold = async (...asked) => {
  window.fetch = ask;
  const page = await ask(...asked);
  await new Promise((resolve) => (window.deliver = resolve));
  return page;
};
window.fetch = async (...asked) => {
  const answer = await ask(...asked);
  if (asked[1]?.method === "POST") window.fetch = hold; // the page that the tap led to
  return answer;
};
"""

DELIVER = """
const [done] = arguments;
deliver();
setTimeout(() => done(document.querySelector("#laid").textContent), 200);
"""


@pytest.fixture
def player(engine: Browser) -> CountingPlayer:
    return CountingPlayer(engine)


def choose(player: CountingPlayer, name: str, value: str) -> None:
    player.tap(f'#entry label:has([name="{name}"][value="{value}"])')


def key(player: CountingPlayer, code: str) -> None:
    player.tap(f'#keys .key[value="{code}"]')


@in_chromium_at_length
def test_a_whole_hand_by_hand_is_ten_taps(player: CountingPlayer, serve_with: ServeWith) -> None:
    player.open(f"{serve_with(FakeReader()).url}/single/")
    player.tap('form[action="/enter"] button')
    player.see("#entry")
    key(player, "B2")
    player.tap("#bar a")  # Done, too early
    player.reads("#bar .primary", "Go on entering")
    player.tap("#bar .primary")
    before = player.taps - 1
    key(player, "O9")
    choose(player, "row", "concealed")
    for code in ("C7", "DR"):
        key(player, code)
    assert "Not complete" in player.text("#bar"), "no number while tiles are missing"
    choose(player, "kind", "pair")
    key(player, "WE")
    key(player, "F1")
    player.wait_until(lambda: "14 of 14" in player.text("#laid"), "not all taps arrived")
    player.wait_until(lambda: "Score" in player.text("#bar"), "there is no score")
    assert player.count_since(before) <= 10
    assert player.browser.execute_script(SMALL) == []
    assert player.overflow() == 0, "nothing sticks out at the side"
    assert player.complaints() == []


def test_an_answer_that_comes_late_takes_nothing_back(
    player: CountingPlayer, serve_with: ServeWith
) -> None:
    player.open(f"{serve_with(FakeReader()).url}/single/")
    player.tap('form[action="/enter"] button')
    player.see("#entry")
    player.browser.execute_script(FIRST_ANSWER_COMES_LAST)
    key(player, "B2")
    player.wait_until(
        lambda: player.browser.execute_script("return 'deliver' in window"), "it was not asked"
    )
    key(player, "O9")
    player.wait_until(lambda: "6 of 13" in player.text("#laid"), "the second tap was not answered")
    assert "6 of 13" in player.browser.execute_async_script(DELIVER)


def test_a_set_goes_out_with_one_tap_and_comes_back_with_one(
    player: CountingPlayer, serve_with: ServeWith
) -> None:
    player.open(f"{serve_with(FakeReader()).url}/single/")
    player.tap('form[action="/enter"] button')
    key(player, "B2")
    before = player.taps
    player.tap("#laid .laid")
    player.wait_until(lambda: "0 of 13" in player.text("#laid"), "the set stayed")
    assert player.count_since(before) == 1
    before = player.taps
    player.tap("#laid header button")
    player.wait_until(lambda: "3 of 13" in player.text("#laid"), "the set stayed away")
    assert player.count_since(before) == 1
    choose(player, "kind", "kong")
    key(player, "B2")
    player.wait_until(lambda: "already has 3" in player.text("#keys"), "five of a tile passed")


@in_webkit_at_length
def test_what_a_correction_costs(
    player: CountingPlayer, serve_with: ServeWith, photo: Path
) -> None:
    player.open(f"{serve_with(FakeReader()).url}/single/")
    player.choose_photo(photo)
    player.reads_total("224")

    def costs(taps: int, *selectors: str, total: str, shows: str) -> None:
        before = player.taps
        for selector in selectors:
            player.tap(selector)
        player.see(shows)
        player.reads_total(total)
        assert player.count_since(before) == taps, selectors

    undo = ".changes button"
    # A misread tile: two taps with the right one among the alternatives, undone with one.
    misread_tile = ('.small-tile[data-tile="7"]', '#sheet .alternatives [value="B4"]')
    costs(2, *misread_tile, total="No", shows='.small-tile.changed[data-tile="7"]')
    costs(1, undo, total="224", shows='.small-tile[data-tile="7"]:not(.changed)')
    # What is no alternative costs no more: all 42 stand below.
    from_all = ('.small-tile[data-tile="7"]', '#sheet .family [value="C6"]')
    costs(2, *from_all, total="224", shows='.small-tile.changed[data-tile="7"]')
    # Exposed or concealed: two taps, for a tile of the set and then for the set.
    flip = ('.strip-exposed [data-tile="0"]', '#sheet [name="row"][value="concealed"]')
    costs(2, *flip, total="232", shows="#bar small")
    assert "was 224" in player.text("#bar")
    costs(1, undo, total="224", shows='.strip-exposed [data-tile="0"]')
    # The winning tile: one tap.
    winning = '#situation .which label:has([value="7"])'
    costs(1, winning, total="224", shows='.small-tile.winning[data-tile="7"]')
    assert player.complaints() == []


def test_a_set_is_split_and_joined_by_three_taps_each(
    player: CountingPlayer, serve_with: ServeWith, photo: Path
) -> None:
    hand: list[Group] = [
        ("exposed", "B2 B2 B2"),
        ("concealed", "O5 O5 O5 O5"),
        ("concealed", "C3 C3 C3"),
        ("concealed", "DR DR DR"),
        ("concealed", "WE WE"),
    ]
    live = serve_with(FakeReader(lay(hand)))
    player.open(f"{live.url}/single/")
    player.choose_photo(photo)
    player.reads_total("224")
    for way, sets in (("3 4 5|6", 6), ("3 4 5 6", 5)):
        before = player.taps
        player.tap('.small-tile[data-tile="3"]')
        player.tap("#sheet summary")
        player.tap(f'#sheet [value="{way}"]')
        player.wait_until(
            lambda: not player.browser.find_elements("css selector", "#sheet[open]"), way
        )
        assert len(live.hands.recent()[0].assembled_hand.sets) == sets
        assert player.count_since(before) == 3
    player.reads_total("224")
