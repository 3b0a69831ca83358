"""A deal that nobody photographs: all scores on one page, in fewer taps."""

from __future__ import annotations

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from device.store.events import ScoreTyped
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import Browser, in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.tour import begin, begin_at_seat

MAX_TAPS = 9
"""The link 1, who 1, into the first field 1, on from each 4, keep 1, confirm 1: seat by seat 16."""

UNREACHABLE = ("1600", "8", "3", "0")
"""Above the match's limit of 1,000, and an odd score that no hand has."""


def test_a_deal_is_typed_on_one_page(player: Player, serve_with: ServeWith, phone: Browser) -> None:
    live = serve_with(FakeReader())
    begin_at_seat(player, live.url, 2)  # this is Cy's phone
    taps = 0

    def tap(selector: str) -> None:
        nonlocal taps
        player.tap(selector)
        taps += 1

    tap('a[href="/table/totals/"]')
    tap(".segments label:nth-child(3)")
    tap("#score0")
    for score in ("20", "8", "96", "0"):
        field = phone.switch_to.active_element
        field.send_keys(score)
        assert field.get_attribute("value") == score
        field.send_keys(Keys.TAB)  # the keyboard's own way to the next field
        taps += 1
    assert player.see("#score0").get_attribute("inputmode") == "numeric"
    tap("form .primary")
    player.see("#settlement")
    scores = [cell.text for cell in phone.find_elements(By.CSS_SELECTOR, ".standings td a")]
    assert sorted(scores, key=int) == ["0", "8", "20", "96"]
    tap("#bar button")
    player.see("#table")
    assert taps <= MAX_TAPS
    assert player.complaints() == []


@in_webkit_at_length
def test_scores_that_cannot_be_are_kept_only_when_asked_twice(
    player: Player, serve_with: ServeWith
) -> None:
    live = serve_with(FakeReader())
    begin(live.url)
    player.open(f"{live.url}/table/totals/")
    player.tap(".segments label:nth-child(1)")
    for number, score in enumerate(UNREACHABLE):
        player.see(f"#score{number}").send_keys(score)
    player.tap("form .primary")
    player.wait_until(lambda: "1600" in player.text("[role=alert]"), "nobody asks back")
    assert not list(live.hands.store.of_kinds(ScoreTyped)), "nothing is kept yet"
    player.tap("button[name=keep]")
    player.tap("#bar button")
    player.see("#table")
    player.open(f"{live.url}/table/history")
    player.wait_until(
        lambda: "The table saved it anyway." in player.text("main"), "it is not marked"
    )
    other_complaints = [each for each in player.complaints() if "422" not in each]
    assert other_complaints == [], "but for the status of the page that asks back"
