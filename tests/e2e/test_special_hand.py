"""A special hand on the phone, with a script and without: its name, its sums, its tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from tests.device.events import event_of
from tests.device.fake_reader import FakeReader, lay_text, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player

PAIRS = "| B11 B99 C11 C99 WEE WSS DRR | F1 F3 won=discard with=DR"
BLESSINGS = "WEEE WSSS WWWW | WNN C55 | S3 seat=S round=W"

UNFOLD = "document.querySelectorAll('#score details').forEach((each) => (each.open = true))"
SMALL = """
return [...document.querySelectorAll("#score summary, #score button")]
  .map((each) => [each.textContent.trim().slice(0, 30), each.getBoundingClientRect().height])
  .filter(([, height]) => height < 48);
"""

OpenHand = Callable[[str], None]


@pytest.fixture
def open_hand(player: Player, serve_with: ServeWith, tmp_path: Path) -> OpenHand:
    """Have a hand text photographed, read and answered for, and open its page."""

    def open_hand_text(text: str) -> None:
        reading, answers = lay_text(text)
        photo = tmp_path / "hand.jpg"
        photo.write_bytes(picture(reading))
        box = serve_with(FakeReader(reading))
        player.open(f"{box.url}/single/")
        player.choose_photo(photo)
        player.see("#score")
        (record,) = box.hands.recent()
        box.hands.change(record.id, event_of("context-set", answers))
        player.open(f"{box.url}/hand/{record.id}/")

    return open_hand_text


@pytest.fixture
def without_script(player: Player) -> Iterator[Callable[[], None]]:
    """Reload the page as a phone without JavaScript shows it."""
    with ExitStack() as endings:

        def reload() -> None:
            endings.enter_context(player.browser.scripts(run=False))
            player.browser.refresh()

        yield reload


def unfold(player: Player, summary: str) -> None:
    """Open a fold with the Enter key: the driver's own tap waits for a script to answer."""
    player.browser.press_enter(player.see(summary))


def test_a_special_hand_is_named_and_summed_and_its_tiles_light_up(
    player: Player, open_hand: OpenHand
) -> None:
    open_hand(PAIRS)
    assert player.text("#score .special h3") == "All pair honours"
    player.reads_total("516")
    assert "500 + 16 = 516" in player.text("#score .working")
    player.tap("#score details.line summary")
    player.see(".small-tile.lit")
    assert len(player.browser.find_elements(By.CSS_SELECTOR, ".small-tile.lit")) == 14
    player.browser.execute_script(UNFOLD)
    assert player.overflow() == 0, "nothing sticks out at the side"
    assert player.complaints() == []


def test_what_a_fishing_hand_waited_for_is_one_tap_away(
    player: Player, open_hand: OpenHand
) -> None:
    open_hand(BLESSINGS)
    assert "One tile short" in player.text("#score .special")
    player.reads_total("404")
    player.tap("#waits summary")
    assert "North wind" in player.text("#waits")
    assert "1000" in player.text("#waits")
    player.browser.execute_script(UNFOLD)
    assert player.browser.execute_script(SMALL) == [], "all of it is large enough to tap"
    assert player.overflow() == 0, "nothing sticks out at the side"


def test_a_special_hand_needs_no_script(
    player: Player, open_hand: OpenHand, without_script: Callable[[], None]
) -> None:
    open_hand(BLESSINGS)
    without_script()
    assert player.see("#score .special h3").text == "Four blessings hovering over the door"
    assert not player.browser.find_element(By.CSS_SELECTOR, "#waits .rows").is_displayed()
    unfold(player, "#waits summary")
    assert "North wind" in player.see("#waits .rows").text
    unfold(player, "#rules summary")
    assert "limit 1000" in player.see("#rules > p").text
