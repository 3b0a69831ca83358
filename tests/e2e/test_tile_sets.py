"""A player says that the tiles are right, lets the box learn them, and deletes what was learnt."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.test_other_set import FIRST_ANSWERS

RIGHT = 'form[action$="/right"]'

SMALL = """
return [...document.querySelectorAll("main a.button, main button, main summary, main input")]
  .filter((each) => each.offsetParent && each.getBoundingClientRect().height < 48)
  .map((each) => each.textContent.trim() || each.name);
"""


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_tiles_are_learnt_and_forgotten(
    player: Player, serve_with: ServeWith, tmp_path: Path, script: bool
) -> None:
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(picture(lay()))
    box = serve_with(FakeReader())
    player.open(f"{box.url}/single/")
    player.choose_photo(photo)
    player.see("#score")
    (record,) = box.hands.recent()
    with player.browser.scripts(run=script):
        player.open(f"{box.url}/hand/{record.id}/")
        press(player, f"{RIGHT} button")
        # The page so far asks for the first answer, too: what is pressed there is lost.
        player.wait_until(
            lambda: not player.browser.find_elements(By.CSS_SELECTOR, RIGHT),
            "they were never called right",
        )
        for name, value in FIRST_ANSWERS.items():
            press(player, f"#bar button[name={name}][value={value}]")
        player.wait_until(lambda: "learns from them" in player.text(".said"), "it never learnt")

        player.wait_until(lambda: bool(box.hands.get(record.id).crops), "nothing is cut out")
        player.open(f"{box.url}/sets/")
        assert "8 of 42 tiles known" in player.text(".sets")
        press(player, ".sets summary")
        press(player, '.sets form[action$="/delete"] button')
        player.wait_until(lambda: "Nothing learnt yet" in player.text(".sets"), "still there")
    assert player.overflow() == 0, "nothing sticks out at the side"
    assert player.browser.execute_script(SMALL) == [], "all of it is large enough to tap"
    assert player.complaints() == []


def press(player: Player, selector: str) -> None:
    """Press a control with the Enter key: the driver's own tap waits for a script to answer."""
    player.browser.press_enter(player.see(selector))
