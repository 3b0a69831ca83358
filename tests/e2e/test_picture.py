"""A result becomes a PNG on the phone, in Chromium and WebKit, with Chinese and accented names."""

from __future__ import annotations

import pytest

from device.matches.repository import MatchRepository
from device.store.events import DealSettled, MatchBegun, MatchEnded, WinnerEntered
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player

NAMES = ("Zoë Müller-Østergård", "陳大文", "Wilhelminajacquelineanna", "Łukasz")

PNG_LOOK = """
const done = arguments[0];
const shown = document.getElementById("picture");
createImageBitmap(shown).then((bitmap) => {
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let dark = 0;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] + data[at + 1] + data[at + 2] < 200) dark += 1;
  const saved = document.getElementById("save-picture");
  done({width: bitmap.width, dark, name: saved.download, same: saved.href === shown.src});
});
"""
"""What the phone has made: its width, how many pixels are as dark as letters, and its name."""


TOUCHING_SCRIPT = """
const texts = [...document.querySelectorAll("text")];
const boxes = texts.map((text) => [text.getBBox(), text.textContent]);
const right = ([{x, width}]) => x + width;
return boxes.flatMap((one, at) => [
  ...(right(one) > document.documentElement.width.baseVal.value - 20 ? [one[1]] : []),
  ...boxes.slice(at + 1).filter(([other]) => Math.abs(other.y - one[0].y) < 4)
    .filter((other) => one[0].x < right(other) + 4 && other[0].x < right(one) + 4)
    .map((other) => `${one[1]} | ${other[1]}`),
]);
"""
"""The drawing's texts that touch the one beside them, or its edge."""


def begin_and_end(live: LiveServer) -> str:
    """Play a match to its end; return its page."""
    matches = MatchRepository(live.hands.store)
    match = matches.begin(MatchBegun(players=NAMES, ruleset="bmja", limit=1000, house=()))
    matches.change(match, WinnerEntered(winner=NAMES[1]))
    scores = dict.fromkeys(NAMES, 8) | {NAMES[1]: 208}
    matches.change(match, DealSettled(winner=NAMES[1], scores=scores))
    matches.change(match, MatchEnded())
    return f"{live.url}/match/{match}"


@pytest.mark.parametrize(
    ("engine", "language"), [("chromium", "fr"), ("webkit", "zh-Hant")], indirect=["engine"]
)
def test_the_result_is_a_png_that_can_be_saved(
    player: Player, serve_with: ServeWith, language: str
) -> None:
    live = serve_with(FakeReader())
    match = begin_and_end(live)
    player.open(f"{live.url}/nowhere")
    player.browser.add_cookie({"name": "look", "value": f"language={language}"})
    player.open(f"{match}/final")
    player.tap('a[href$="/picture/"]')
    player.see("#picture[src^='blob:']")
    picture = player.browser.execute_async_script(PNG_LOOK)
    assert picture["width"] == 1080
    assert picture["dark"] > 5_000, "the letters are in it"
    assert picture["name"] == "tongbox-match.png"
    assert picture["same"]
    assert [each for each in player.complaints() if "nowhere" not in each] == []


def test_no_name_touches_its_total(player: Player, serve_with: ServeWith) -> None:
    player.open(f"{begin_and_end(serve_with(FakeReader()))}/picture.svg")
    assert player.browser.execute_script(TOUCHING_SCRIPT) == []
