"""Older browsers get a working page: each feature that they lack is taken away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player

ONE_ARGUMENT = """
window.FormData = class extends FormData {
  constructor(...[form]) { form ? super(form) : super(); }
};
"""

NO_DIALOG = """
for (const name of ["showModal", "show", "close", "open"]) delete HTMLDialogElement.prototype[name];
"""


def no_rules(selector: str) -> str:
    """Return a script that deletes the rules with a selector that older browsers do not know."""
    return NO_RULES % json.dumps(selector)


NO_RULES = """
addEventListener("load", () => {
  const drop = (rules) => [...rules].forEach((rule) => {
    if (rule.cssRules?.length) drop(rule.cssRules);
    if (!rule.selectorText?.includes(%s)) return;
    const from = rule.parentRule ?? rule.parentStyleSheet;
    from.deleteRule([...from.cssRules].indexOf(rule));
  });
  [...document.styleSheets].forEach((sheet) => drop(sheet.cssRules));
});
"""

NO_BUTTON = "delete SubmitEvent.prototype.submitter;"
NO_SUBMIT = "delete HTMLFormElement.prototype.requestSubmit;"
NO_BITMAP = "delete window.createImageBitmap;"
NO_SOUND = "delete window.AudioContext; delete window.speechSynthesis;"
SPARE = "".join(
    f"delete Navigator.prototype.{name};" for name in ("wakeLock", "vibrate", "userActivation")
)

LACKING_FEATURES = {
    "Safari 15.4": (ONE_ARGUMENT, NO_SUBMIT, SPARE),
    "Firefox 97": (ONE_ARGUMENT, NO_SUBMIT, NO_DIALOG, no_rules(":has(")),
    "Safari 14": (
        *(NO_BUTTON, NO_SUBMIT, NO_DIALOG, NO_BITMAP, NO_SOUND, SPARE),
        *(no_rules(":has("), no_rules(":focus-visible")),
    ),
}
"""What is taken away before a page's own scripts run: all that a browser of that age lacks."""

AUTOFOCUS = "Autofocus processing was blocked"
"""No error: what Chromium says where a sheet's content is shown as a page."""


def correct_a_photograph(player: Player, url: str, photo: Path) -> None:
    """Give a photograph, put a tile right, hold the one that won, and take the last back."""
    player.open(f"{url}/single/")
    player.choose_photo(photo)
    player.reads_total("224")
    player.tap('.small-tile[data-tile="7"]')
    player.tap('.alternatives [value="B4"]')
    player.see('.small-tile.changed[data-tile="7"]')
    player.reads_total("No")
    player.tap(".changes button")
    player.reads_total("224")
    player.tap("#score details.line:nth-of-type(1) summary")
    player.tap("#score details.line:nth-of-type(2) summary")
    open_lines = "return document.querySelectorAll('#score details.line[open]').length"
    player.wait_until(lambda: player.browser.execute_script(open_lines) == 1, "both lines are open")
    player.browser.execute_script(HOLD, '[data-won] [data-tile="7"]')
    player.see('.small-tile.winning[data-tile="7"]')


HOLD = """
const tile = document.querySelector(arguments[0]);
tile.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}));
document.dispatchEvent(new Event("scroll"));
"""
"""A finger goes down, and the page moves by itself, as after a line above has closed."""


def enter_by_hand(player: Player, url: str) -> None:
    """Tap in a set and take it out again."""
    player.open(f"{url}/single/")
    player.tap('form[action="/enter"] button')
    player.tap('#keys .key[value="B2"]')
    player.wait_until(lambda: "3 of 13" in player.text("#laid"), "the set did not come")
    player.tap("#laid .laid")
    player.wait_until(lambda: "0 of 13" in player.text("#laid"), "the set stayed")


@pytest.mark.parametrize(
    "old",
    # What lacks least does so by `make prove` alone: the two others lack all that it lacks.
    ["Safari 14", "Firefox 97", pytest.param("Safari 15.4", marks=pytest.mark.prove)],
)
def test_a_page_works_without_what_older_browsers_lack(
    player: Player, serve_with: ServeWith, photo: Path, old: str
) -> None:
    url = serve_with(FakeReader()).url
    with player.browser.before_each_page("\n".join(LACKING_FEATURES[old])):
        correct_a_photograph(player, url, photo)
        assert player.overflow() == 0
        enter_by_hand(player, url)
    assert [said for said in player.complaints() if AUTOFOCUS not in said] == []


def test_forms_work_where_our_scripts_do_not_run(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    """As in a browser that cannot parse them: JavaScript is there, and noscript shows nothing."""
    url = serve_with(FakeReader()).url
    with player.browser.block("*.js"):
        player.open(f"{url}/single/")
        player.choose_photo(photo)
        player.tap("form[data-upload] .scriptless")
        player.see(".waiting")
        player.wait_until(lambda: _is_read(player), "the photograph was not read")
        player.tap('.small-tile[data-tile="7"]')
        player.tap('.alternatives [value="B4"]')
        player.reads_total("No")
        enter_by_hand(player, url)


def _is_read(player: Player) -> bool:
    player.browser.refresh()
    return bool(player.browser.find_elements("id", "score"))
