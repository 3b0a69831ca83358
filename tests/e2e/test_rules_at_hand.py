"""From a line of the score to its rule and back to the hand; nothing is too small to tap."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.web.preferences import CHOICES
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.tutor_tour import STOPS

SMALL = """
for (const each of document.querySelectorAll("details")) {
  each.removeAttribute("name");
  each.open = true;
}
return [...document.querySelectorAll("a.rule, .sums-of a, .rule-list a, .figures a")]
  .map((each) => [each.textContent.trim().slice(0, 30), each.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.height < 47.5).map(([text]) => text);
"""
"""Links that are lower than a finger wants, also within a text."""

OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def hand(player: Player, serve_with: ServeWith, tmp_path: Path) -> str:
    """Have a hand photographed and read; return its address, where the phone is."""
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(picture(lay()))
    player.open(f"{serve_with(FakeReader()).url}/single/")
    player.choose_photo(photo)
    player.reads_total("224")
    return player.browser.current_url


def test_a_line_leads_to_its_rule_and_the_rule_back_to_the_hand(player: Player, hand: str) -> None:
    player.tap('details.line[data-tiles="3 4 5 6"] summary')
    player.tap("details.line[open] a.rule")
    player.reads("main h1", "Kong of a major tile")
    player.see(".sums-of .lit")
    player.tap(".top a.button")
    player.until(lambda: player.browser.current_url == hand, "the way back led elsewhere")
    player.reads_total("224")
    assert player.complaints() == []


def test_rules_can_be_tapped_wherever_they_are_cited(player: Player, hand: str) -> None:
    for path in (hand, f"{hand}dispute", f"{hand}referee"):
        player.open(path)
        player.see("main")
        assert player.browser.execute_script(SMALL) == [], path


def test_the_tutors_pages_fit_the_phone(player: Player, serve_with: ServeWith) -> None:
    """In each size of text, which is tried on the page that is open."""
    box = serve_with(FakeReader())
    for name, path in STOPS:
        player.open(f"{box.url}{path}")
        for size in CHOICES["text"]:
            player.browser.execute_script(f"document.documentElement.dataset.text = '{size}'")
            assert player.browser.execute_script(SMALL) == [], (name, size)
            assert player.browser.execute_script(OVERFLOW) <= 0, (name, size)
