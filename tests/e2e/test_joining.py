"""A table switches its PIN on, another phone is let in by the code, a third types the PIN."""

from __future__ import annotations

import pytest

from device.access import qr_code_secret, set_new_pin
from device.settings import SettingsLog
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.test_tile_sets import press


def test_a_table_switches_its_pin_on(player: Player, serve_with: ServeWith) -> None:
    box = serve_with(FakeReader())
    player.open(f"{box.url}/settings/pin/")
    player.tap("#pin summary")
    player.tap('#pin button[value="new"]')
    pin = player.text("p.pin")
    assert_fits(player, "#pin")
    player.tap("a.let-in")
    assert pin in player.text("#sheet"), "what is held out to others says it, too"
    assert_fits(player, "#sheet")
    player.browser.delete_all_cookies()
    player.open(f"{box.url}/sets/")
    player.see("input[name=pin]").send_keys("0000" if pin != "0000" else "1111")
    player.tap("main form button")
    player.wait_until(lambda: "not the PIN" in player.text("[role=alert]"), "it was not refused")
    assert_fits(player, "main")
    player.see("input[name=pin]").send_keys(pin)
    player.tap("main form button")
    player.wait_until(lambda: player.browser.current_url.endswith("/sets/"), "it led nowhere")
    assert "Your tile sets" in player.text("h1")


def test_a_code_followed_from_another_site_lets_in(player: Player, serve_with: ServeWith) -> None:
    # Some programs that read codes are, to the browser, another site; a strict cookie set on the
    # way of a redirect from there is not sent along with the next page.
    box = serve_with(FakeReader())
    player.browser.delete_all_cookies()
    player.open(f"{box.url}/nowhere")
    code = qr_code_secret(set_new_pin(SettingsLog(box.hands.store)))
    other_site = box.url.replace("127.0.0.1", "localhost")
    player.browser.execute_script(f"location.href = '{other_site}/?code={code}'")
    player.wait_until(
        lambda: player.browser.current_url == f"{other_site}/", "the code stays on show"
    )
    assert "Play a match" in player.text(".primary")
    player.browser.delete_all_cookies()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_code_is_one_tap_away_and_leads_back(
    player: Player, serve_with: ServeWith, script: bool
) -> None:
    box, phone = serve_with(FakeReader()), player.browser
    with phone.scripts(run=script):
        asked_address = f"{box.url}/match/new?player=Zo%C3%AB"
        player.open(asked_address)
        if script:
            player.see("[name=player1]").send_keys("Bob")
        press(player, ".top .let-in")
        code = player.see(".code").rect
        assert min(code["width"], code["height"]) >= 280, "read across a table"
        assert code["y"] + code["height"] <= 844, "nobody has to scroll"
        assert player.text(".address b").endswith(box.url.rpartition(":")[2] + "/")
        press(player, "[data-close]")
        player.wait_until(lambda: phone.current_url == asked_address, "it leads elsewhere")
        typed_name = player.see("[name=player1]").get_property("value")
        assert typed_name == ("Bob" if script else ""), "what was typed is still there"


def assert_fits(player: Player, selector: str) -> None:
    """Look at the page when this is on it: nothing runs out of the screen."""
    player.see(selector)
    assert player.overflow() == 0, selector
