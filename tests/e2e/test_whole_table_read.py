"""A deal by one photograph of the table that the real networks read: to four scored hands."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.by import By

from scorer.notation import parse_hand
from scorer.score import score_total
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.tour import begin_at_seat
from vision.reader import Reader

PHOTO = Path(__file__).parents[1] / "goldens" / "whole_tables" / "00.jpg"

HANDS = {
    "Cy": "B111 C333 | B66 O345 WEEE | seat=W round=E won=wall with=WE",
    "Di": "B2222 DGGGG O789 | B14 C6 DW | F12 S4 seat=N round=E",
    "Ann": "C111 O567 | B557 C256 O2 | F4 S2 seat=E round=E",
    "Bob": "O333 | B478 C28 O999 WNW | F3 S13 seat=S round=E",
}
"""As they lie, anticlockwise from the lower edge: written by hand from the picture."""


def test_one_photograph_of_the_table_becomes_four_scored_hands(
    player: Player, serve_with: ServeWith
) -> None:
    begin_at_seat(player, serve_with(Reader.load()).url, 2)  # this is Cy's phone
    player.tap("#bar a")  # Score this deal
    player.tap(".felt .seat.at-bottom")  # Cy went out
    player.tap('button[value="wall"]')
    page = player.browser
    uploads = (By.CSS_SELECTOR, 'form[action^="/table/whole/"] input[capture]')  # it is not visible
    player.wait_until(lambda: bool(page.find_elements(*uploads)), "the way in for a picture")
    page.find_element(*uploads).send_keys(str(PHOTO))
    player.see(".bottom-names")
    player.tap(".bottom-names .primary")  # Cy sits at the bottom of the picture
    player.see(".looked")
    names = [
        each.text.split(",")[0].strip()
        for each in page.find_elements(By.CSS_SELECTOR, ".looked .name")
    ]
    scores = [int(each.text) for each in page.find_elements(By.CSS_SELECTOR, ".looked strong")]
    due = {name: score_total(parse_hand(hand)) for name, hand in HANDS.items()}
    assert dict(zip(names, scores, strict=True)) == due
    assert "All 4 look right" in player.text("#bar")
    player.tap("#bar button")
    player.see("#settlement")
    assert player.complaints() == []
    assert player.hosts() == {"127.0.0.1"}
