"""A season's page as a browser prints it: the ranking begins on the first sheet, in dark ink."""

from __future__ import annotations

import pytest

from device.matches.repository import MatchRepository
from tests.device.fake_reader import FakeReader
from tests.device.web.club.test_season import FORM, play
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.tour import post
from tests.pdf_pages import render_pages, text_of

PLAYERS = [f"{letter}nnabel" for letter in "ABCDEFGHIJKLMNOPQRSTUVWX"]
"""More than one sheet has room for."""

DARK = 140
"""What is darker than this, of 255, is ink."""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_first_sheet_is_full_and_no_row_is_torn(
    player: Player, serve_with: ServeWith, theme: str
) -> None:
    box = serve_with(FakeReader())
    for first in range(0, len(PLAYERS), 4):
        four = PLAYERS[first : first + 4]
        play(MatchRepository(box.hands.store), " ".join(four), four[0])
    post(box, "/club/season/new", **FORM)
    player.browser.keep(box.url, look=f"theme={theme}")
    player.open(f"{box.url}/club/season/")
    player.wait_until(
        lambda: player.text("main").count("nnabel") == len(PLAYERS), "matches are missing"
    )
    for space in range(0, 60, 15):  # so that sheets end at each part of a row
        player.browser.execute_script("document.body.style.paddingTop = `${arguments[0]}px`", space)
        pdf = player.browser.print_to_paper()
        sheet = render_pages(pdf, 2)[0]
        inked_rows = (sheet.min(axis=2) < DARK).any(axis=1).nonzero()[0] / len(sheet)
        assert inked_rows.min() < 0.2, "nothing at the top"
        assert inked_rows.max() > 0.8, "nothing at the bottom"
        for text in map(_join_words, text_of(pdf)):
            assert text.count("joint") == text.count("nnabel") == text.count("00"), "a torn row"


def _join_words(text: str) -> str:
    """Return a sheet's text without its lines: pdfium now and then makes one of each letter."""
    return text.replace("\r\n", "")
