"""What a Chinese phone prints is Chinese, in its margins, and small: of the font it has a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pypdfium2
import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.i18n.words import load, use_words
from device.matches.repository import MatchRepository
from device.paper.blocks import PaperBlock, PaperEntry, print_blocks
from device.paper.card import print_card
from device.paper.drawing import measure_text
from device.paper.exercises import print_exercises
from device.paper.results import print_match
from device.store.events import DealSettled, WinnerEntered
from scorer.rulesets.builtin import load_builtin
from tests.device.match_play import AGREED_TERMS, SCORES
from tests.pdf_pages import letters_on, text_of
from tests.readers import NEEDS_FONT

pytestmark = NEEDS_FONT

WORDS = load("zh-Hant")
MARGIN = 25
"""Points that stay white at the edges; a printer needs some 12."""


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    use_words("zh-Hant")
    yield
    use_words("en-GB")


def outside(pdf: bytes) -> list[str]:
    """Return the letters that stand over the edge of their page."""
    document = pypdfium2.PdfDocument(pdf)
    outside_letters = []
    for page in document:
        width, height = page.get_size()
        for letter in letters_on(page):
            is_between_margins = letter.left >= MARGIN and letter.right <= width - MARGIN
            if not (
                is_between_margins and letter.bottom >= MARGIN and letter.top <= height - MARGIN
            ):
                outside_letters.append(letter.text)
    document.close()
    return [letter for letter in outside_letters if letter.strip()]


PAGES: list[tuple[Callable[[], bytes], str]] = [
    (lambda: print_card(load_builtin("bmja")), "英式麻雀"),
    (lambda: print_exercises("", 1, load_builtin("bmja")), "每手怎樣計分"),
]


@pytest.mark.parametrize(("make", "words"), PAGES)
def test_a_page_is_chinese_and_keeps_its_margins(make: Callable[[], bytes], words: str) -> None:
    pdf = make()
    assert words in "".join("".join(text_of(pdf)).split())
    assert "?" not in "".join(text_of(pdf)).replace("??", ""), "every letter has its form"
    assert outside(pdf) == []
    assert len(pdf) < 300_000, "a part of the font alone is in the file"


def test_a_long_line_without_spaces_is_broken() -> None:
    long = "聽" * 300
    pdf = print_blocks(
        "麻雀",
        long,
        [PaperBlock(long, "12", entries=(PaperEntry("8", long), PaperEntry("4", "Ann")))],
    )
    assert "".join(text_of(pdf)).count("聽") == 900
    assert outside(pdf) == []


def test_no_line_begins_with_a_mark() -> None:
    (page,) = text_of(print_card(load_builtin("bmja")))
    assert [line for line in page.splitlines() if line[:1] in tuple("，。；：、！？）」")] == []


def test_a_score_sheet_of_a_match_says_who_pays_whom_in_chinese(matches: MatchRepository) -> None:
    players = ("陳大文", "Bob", "Cy", "Zoë")
    match = matches.begin(structs.replace(AGREED_TERMS, players=players))
    matches.change(match, WinnerEntered(winner="Bob"))
    scores = dict(zip(players, SCORES.values(), strict=True))
    matches.change(match, DealSettled(winner="Bob", scores=scores))
    pdf = print_match(matches.get(match), "Table 1")
    assert outside(pdf) == []
    text = "".join("".join(text_of(pdf)).split())
    assert "陳大文" in text
    assert "Zoë" in text
    assert "付" in text, "pays"
    assert "Table1·陳大文,Bob,Cy,Zoë·" in text, "the table is none of the players"
    assert "West" not in text, "winds are in the reader's words, too"


def test_a_chinese_name_is_printed_on_an_english_sheet() -> None:
    use_words("en-GB")
    (page,) = text_of(print_blocks("Hands", "陳大文 and Bob", [PaperBlock("East: 陳大文", "12")]))
    assert "陳大文 and Bob" in page


def test_what_a_phone_prints_is_in_its_language(client: FlaskClient, read_hand: str) -> None:
    client.post("/phone/", data={"language": "zh-Hant"})
    (page,) = text_of(client.get("/print/hands.pdf").data)
    assert WORDS["paper.hands"] in page


def test_widths_are_of_both_fonts() -> None:
    assert measure_text("麻雀", "Helvetica", 10) == pytest.approx(20, rel=0.05)
    assert measure_text("麻A", "Helvetica", 10) == 10 + measure_text("A", "Helvetica", 10)
