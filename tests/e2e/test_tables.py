"""Two tables on one box, with a phone at each: one by the code on it, one by its name."""

from __future__ import annotations

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.tour import other_phone


def test_two_tables_are_played_side_by_side(player: Player, serve_with: ServeWith) -> None:
    """A tab under a name of its own is a phone, with cookies of its own."""
    box = serve_with(FakeReader())
    ann_url, other = (box.url.replace("127.0.0.1", f"{name}.local") for name in ("ann", "eve"))
    player.open(f"{ann_url}/club/tables/")
    for name in ("Table 1", "By the window"):
        player.see("input[name=name]").clear()
        player.see("input[name=name]").send_keys(name)
        player.tap("main form .primary")
        player.reads("h1", name)
        player.tap("header .button")
        player.wait_until(
            lambda: player.browser.current_url.endswith("/club/tables/"), "no way back"
        )
    player.open(f"{ann_url}/")
    player.reads("h1", "Which table?")
    assert player.overflow() == 0
    player.tap("a.door:first-of-type")
    player.see("nav.doors .primary")  # led on by the page: nobody plays here yet
    assert "Table 1" in player.text(".doors .note")
    begin(player, ann_url, "Ann", "Bob", "Cy", "Di")
    assert "Table 1" in player.text(".middle")
    windows = player.browser.window_handles
    player.browser.switch_to.new_window("tab")
    player.open(f"{other}/")
    doors = [each.text for each in player.browser.find_elements("css selector", "a.door")]
    assert doors == ["Table 1\nAnn · Bob · Cy · Di", "By the window\nNobody plays here"]
    player.tap("a.door:last-of-type")
    begin(player, other, "Eve", "Fay", "Gus", "Hal")
    assert "By the window" in player.text(".middle")
    other_phone(box.url, "/learn/ask/enter")  # news for all phones
    player.browser.close()
    player.browser.switch_to.window(windows[0])
    player.open(f"{ann_url}/table/")
    assert "Ann" in player.text("#table")
    assert "Eve" not in player.text("#table")


def begin(player: Player, url: str, *names: str) -> None:
    """Begin a match on this phone."""
    player.open(f"{url}/match/new")
    for place, name in enumerate(names):
        player.see(f"input[name=player{place}]").send_keys(name)
    player.tap("main form .primary")
    player.see("#table")
