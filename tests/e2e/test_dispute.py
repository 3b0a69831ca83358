"""What is looked into and put right on a phone: a score in dispute, and a deal of long ago."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.by import By

from device.hands.readings import reading_event
from device.matches.repository import MatchRepository
from device.store.events import SetMoved, TileCorrected
from tests.device.fake_reader import FakeReader, picture
from tests.device.match_play import AGREED_TERMS, settle
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import HEIGHT, in_chromium_at_length, in_webkit_at_length
from tests.e2e.player import Player
from tests.pdf_pages import sizes
from vision.photo import open_photo

LIT_BOXES_SCRIPT = (
    "return [...document.querySelectorAll('.box.lit')].map((each) => Number(each.dataset.tile))"
)
TAP_BOX = """
const box = document.querySelector(`.box[data-tile="${arguments[0]}"] polygon`);
box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
"""
IS_CHOICE_IN_SIGHT = """
const choice = document.querySelector(".other-faces")?.getBoundingClientRect();
return Boolean(choice) && choice.top > 0 && choice.bottom <= innerHeight + 1;
"""
CLAIM_TOP = "return document.querySelector('#claim h2').getBoundingClientRect().top"
SMALL = """
return [...document.querySelectorAll("main a:not(.box), main button, main summary, main select")]
  .map((each) => [each.textContent.trim().slice(0, 30), each.getBoundingClientRect().height])
  .filter(([, height]) => height && height < 47.5);
"""


@pytest.fixture
def box(serve_with: ServeWith) -> LiveServer:
    return serve_with(FakeReader())


@pytest.fixture
def hand(box: LiveServer) -> str:
    """Return the id of East's winning hand, read."""
    reader = FakeReader()
    data = picture(reader.reading)
    hand = box.hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    box.hands.change(hand, reading_event(reader.reading))
    return hand


@pytest.fixture
def scriptless(player: Player) -> Iterator[None]:
    with player.browser.scripts(run=False):
        yield


@in_webkit_at_length
def test_lines_and_tiles_light_each_other_up(player: Player, box: LiveServer, hand: str) -> None:
    player.open(f"{box.url}/hand/{hand}/dispute")
    player.tap("details.award[data-tiles='10 11 12'] summary")  # the concealed pung of dragons
    player.wait_until(
        lambda: player.browser.execute_script(LIT_BOXES_SCRIPT) == [10, 11, 12],
        "its boxes stay dark",
    )
    player.browser.execute_script(TAP_BOX, 0)
    player.wait_until(
        lambda: player.browser.execute_script(LIT_BOXES_SCRIPT) == [0], "the tapped box stays dark"
    )
    assert "99 % sure" in player.text("#tile-0")
    award_lines = player.browser.find_elements(By.CSS_SELECTOR, "details.award.used .what")
    assert [each.text for each in award_lines] == [
        "Going out",
        "Exposed pung of a minor tile",
    ]
    player.tap("#tile-0 li:last-child a[href^='#line-']")
    player.wait_until(
        lambda: player.browser.execute_script(LIT_BOXES_SCRIPT) == [0, 1, 2],
        "its line stays closed",
    )
    assert player.overflow() == 0
    assert player.browser.execute_script(SMALL) == []
    assert player.complaints() == []


@in_chromium_at_length
def test_what_if_stands_where_it_was_asked_and_goes_into_the_hand(
    player: Player, box: LiveServer, hand: str
) -> None:
    player.open(f"{box.url}/hand/{hand}/dispute")
    player.tap("#score a[href='#claim']")
    player.wait_until(
        lambda: player.browser.execute_script(CLAIM_TOP) < HEIGHT / 2, "the claim stays far below"
    )
    player.tap(".supposed-set:last-of-type .laid-tiles a:last-child")
    player.wait_until(
        lambda: player.browser.execute_script(IS_CHOICE_IN_SIGHT), "the tiles to choose are below"
    )
    player.browser.execute_script(TAP_BOX, 0)
    before = box.hands.get(hand)
    player.tap("#tile-0 a[href*='tile.0.B4']")
    player.wait_until(
        lambda: "What if tile 1 were 4 bamboo?" in player.text("#supposed"), "no answer"
    )
    player.tap("#supposed .supposition a")  # takes it back
    player.wait_until(lambda: "4 bamboo" not in player.text("#what-if"), "it stays supposed")
    player.tap(".supposed-set a.button[href*='set.3.exposed']")
    player.wait_until(
        lambda: "this set were exposed" in player.text("#supposed"), "the set stays concealed"
    )
    assert "instead of 224" in player.text("#supposed")
    assert player.browser.current_url.endswith("/dispute#claim"), "the page stays"
    assert player.overflow() == 0
    assert player.browser.execute_script(SMALL) == []
    assert box.hands.get(hand) == before
    player.tap("#supposed button.primary")
    player.wait_until(lambda: box.hands.get(hand).has_change(SetMoved.kind), "it was not saved")
    assert player.complaints() == []


def test_a_tile_is_looked_into_without_a_script(
    player: Player, box: LiveServer, hand: str, scriptless: None
) -> None:
    player.open(f"{box.url}/hand/{hand}/dispute#tile-3")
    assert "sure" in player.text("#tile-3"), "the browser unfolds what a link points to"


@pytest.mark.parametrize("corrections", [0, 8], ids=["as it was read", "much corrected"])
def test_the_referee_gets_one_page_of_a4(
    player: Player, box: LiveServer, hand: str, corrections: int
) -> None:
    for place in range(corrections):
        box.hands.change(hand, TileCorrected(tile=place, code="B5"))
        box.hands.change(hand, TileCorrected(tile=place, code="B2"))
    player.open(f"{box.url}/hand/{hand}/referee")
    assert len(sizes(player.browser.print_to_paper())) == 1


@in_webkit_at_length
def test_a_deal_of_long_ago_is_put_right(player: Player, box: LiveServer) -> None:
    tables = MatchRepository(box.hands.store)
    match = tables.begin(AGREED_TERMS)
    for winner in ("Cy", "Bob", "Di"):
        settle(tables, match, winner)
    player.open(f"{box.url}/table/")
    player.tap("header.top a[href$='/table/history']")
    player.tap("#entry-1 a[href$='/correct']")
    player.tap(".segments label:first-child")  # Ann
    player.tap("form button.primary")
    player.wait_until(lambda: "Ann went out" in player.text("main"), "what changes is not shown")
    assert "Changes with it" in player.text("main")
    assert getattr(tables.get(match).course.rows[0].event, "winner", "") == "Cy", "not kept yet"
    assert player.overflow() == 0
    player.tap("#bar button")
    assert "Ann went out" in player.text("#entry-1")
    rows = tables.get(match).course.rows
    assert [row.deal.seats["E"] for row in rows if row.deal] == ["Ann", "Ann", "Bob"]
    assert player.browser.execute_script(SMALL) == []
    player.tap("form.done button")
    player.wait_until(lambda: "Cy went out" in player.text("#entry-1"), "it was not taken back")
    player.tap("a[href$='/seats/']")  # Ann and Bob sat in each other's places
    player.tap("#places .sits-0")
    player.wait_until(lambda: "Ann's place" in player.text("#places"), "Ann was not chosen")
    player.tap("#places .sits-1")
    player.wait_until(lambda: "Deal 2" in player.text("main"), "what changes is not shown")
    assert player.overflow() == 0
    assert player.browser.execute_script(SMALL) == []
    player.tap("#bar button")
    player.wait_until(lambda: "changed the seats" in player.text("#history"), "it was not saved")
    rows = tables.get(match).course.rows
    assert [row.deal.seats["E"] for row in rows if row.deal] == ["Bob", "Ann", "Cy"]
    assert player.complaints() == []
