"""What the box prints: sizes that are exact, codes that can be read, sums that are all there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from device.hands.readings import reading_event
from device.hands.repository import HandQuestion, HandRepository
from device.hands.scoring import find_total
from device.host.page_links import PageLink, WifiNetwork
from device.i18n.words import say
from device.matches.repository import MatchRepository
from device.paper.blocks import PaperBlock, PaperEntry, print_blocks
from device.paper.drawing import SPRITE_TILE_HEIGHT, SPRITE_TILE_WIDTH, PdfPages, draw_tile
from device.paper.labels import print_labels, print_mat
from device.paper.results import print_hands, print_match
from device.store.events import (
    ChargeMade,
    DealCorrected,
    DealSettled,
    HandAgreed,
    HandGiven,
    MatchEnded,
    MatchEvent,
    ScoreTyped,
    TileCorrected,
    WinnerEntered,
)
from device.views.tiles import symbol
from scorer.tiles import CODES, FACE_DOWN, JOKER
from tests.device.fake_reader import lay, picture
from tests.device.match_play import AGREED_TERMS, SCORES, settle
from tests.pdf_pages import render_pages, sizes, text_of
from tests.readers import NEEDS_FONT
from vision.photo import open_photo

pytestmark = pytest.mark.slow

A3, A4 = (420.0, 297.0), (210.0, 297.0)
HOME = PageLink("http://192.168.1.20/", "http://tongbox.local/", pin="4821", code="x-y")
HOTSPOT = PageLink(
    "http://10.42.0.1/", wifi=WifiNetwork('Bill; "Ben"', "amber-badger-47", "10.42.0.1")
)


@pytest.mark.parametrize(
    ("pdf", "pages"),
    [(print_mat("a3"), [A3]), (print_mat("a4"), [A4, A4]), (print_labels([HOME]), [A4])],
    ids=["mat on A3", "mat on A4", "label"],
)
def test_sheets_have_the_size_of_their_paper(pdf: bytes, pages: list[tuple[float, float]]) -> None:
    assert np.allclose(sizes(pdf), pages, atol=0.001), "millimetres"


@pytest.mark.parametrize(("paper", "rulers"), [("a3", 1), ("a4", 2)])
def test_every_sheet_has_a_ruler_of_100_millimetres(paper: str, rulers: int) -> None:
    lengths = []
    for page in render_pages(print_mat(paper), 10):
        dark = page[2870:2872].max(2).min(0) < 128
        edges = np.flatnonzero(np.diff(dark.astype(int)))
        runs = np.diff(edges)[::2]
        lengths += [run / 10 for run in runs if run > 500]
    assert lengths == pytest.approx([100.0] * rulers, abs=0.4)


def test_the_squares_of_a_code_are_no_wider_on_a_label_printer() -> None:
    """PDFium rounds rectangles up to whole dots, but not those of one path: 78 % would be black."""
    pages = PdfPages("squares", (20.0, 20.0))
    dark = np.indices((80, 80)).sum(0) % 2 == 0
    pages.squares(2.0, 2.0, 0.1875, dark.tolist())
    pages.end()
    (page,) = render_pages(pages.pdf(), 8)  # 203 dots an inch: a square is 1.5 dots wide
    black_share = 1 - page[20:132, 20:132].mean() / 255
    assert black_share == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("ways", "codes", "words"),
    [
        ([HOME], ["http://192.168.1.20/?code=x-y"], ["http://tongbox.local/", "PIN 4821"]),
        (
            [HOTSPOT],
            ['WIFI:T:WPA;S:Bill\\; \\"Ben\\";P:amber-badger-47;;', "http://10.42.0.1/"],
            ["amber-badger-47", "code 1, then code 2", "Stay connected"],
        ),
    ],
)
def test_a_label_says_the_way_in_codes_and_in_words(
    ways: list[PageLink], codes: list[str], words: list[str]
) -> None:
    (page,) = render_pages(print_labels(ways), 8)
    is_found, read, _, _ = cv2.QRCodeDetectorAruco().detectAndDecodeMulti(page)
    assert is_found
    assert sorted(read) == sorted(codes)
    (text,) = text_of(print_labels(ways))
    assert [each for each in words if each not in text] == []


def test_a_label_for_each_way_lies_on_one_sheet() -> None:
    (page,) = render_pages(print_labels([HOME, HOTSPOT]), 8)
    _, read, _, _ = cv2.QRCodeDetectorAruco().detectAndDecodeMulti(page)
    assert len(read) == 3


def test_every_face_is_drawn_and_none_looks_like_another() -> None:
    pictures = set()
    symbols = {symbol(code) for code in (*CODES, FACE_DOWN, JOKER)}
    for each in symbols:
        canvas = Canvas("", pagesize=(SPRITE_TILE_WIDTH, SPRITE_TILE_HEIGHT))
        draw_tile(canvas, each, 0, 0, SPRITE_TILE_WIDTH)
        (picture,) = render_pages(canvas.getpdfdata(), 2)
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3, each
        pictures.add(picture.tobytes())
    assert len(pictures) == len(symbols)


def test_the_score_sheet_has_every_line_of_the_sum(hands: HandRepository, read_hand: str) -> None:
    hands.change(read_hand, TileCorrected(tile=0, code="B3"))
    hands.change(read_hand, TileCorrected(tile=0, code="B2"))
    (text,) = text_of(print_hands(hands))
    expected = ["One hand", "East, prevailing wind East · From the wall", "Going out",
              "BMJA-B11", "Exposed kong of a major tile", "×2", "Concealed", "Flowers and seasons",
              "Tile 1: read 2 bamboo, changed to 3 bamboo", "No player has confirmed these tiles",
              "B222 O9999"]  # fmt: skip
    assert [each for each in expected if each not in text] == []


def test_a_hand_that_has_no_score_says_why(hands: HandRepository, read_hand: str) -> None:
    for place in (0, 1, 2):
        hands.change(read_hand, TileCorrected(tile=place, code="C3"))
    hands.change(read_hand, TileCorrected(tile=12, code="C3"))
    (text,) = text_of(print_hands(hands))
    assert "No score yet" in text
    assert "C3" in text or "3 characters" in text


def test_the_newest_hands_can_be_printed_alone(hands: HandRepository, unread_hand: str) -> None:
    hands.begin_question(None, b"", "bmja", HandQuestion())
    assert "One hand" in text_of(print_hands(hands, limit=1))[0], "a question takes no hand's place"
    assert "none yet" in text_of(print_hands(hands, limit=0))[0], "an empty box prints, too"


def test_blocks_stay_whole_and_pages_are_numbered() -> None:
    entries = tuple(PaperEntry("2", f"line {n}", "BMJA-B02") for n in range(20))
    pages = text_of(
        print_blocks(
            "Title", "", [PaperBlock(f"hand {n}", "40", entries=entries) for n in range(5)]
        )
    )
    assert [text.count("line 0") == text.count("line 19") for text in pages] == [True] * len(pages)
    assert [f"Page {n}" in text for n, text in enumerate(pages, 1)] == [True] * len(pages)


@NEEDS_FONT
def test_words_of_any_script_and_signs_of_markup_do_no_harm() -> None:
    (text,) = text_of(print_blocks("<b>Zoë & Łuk 麻", "", [PaperBlock("a < b", "5")]))
    assert "<b>Zoë & Łuk 麻" in text
    assert "a < b" in text


def test_the_same_drawing_is_the_same_file() -> None:
    assert print_mat("a4") == print_mat("a4")


def test_a_match_is_printed_deal_by_deal(matches: MatchRepository) -> None:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    settle(matches, match, None)
    matches.change(match, ChargeMade(payer="Di", amounts={"Ann": 20}, why="Dropped the wall"))
    lines = " ".join(text_of(print_match(matches.get(match))))
    assert "Deal 1 · Prevailing wind: East · Cy went out: from the wall" in lines, "in one line"
    text = " ".join(lines.split())
    assert "Dropped the wall 20 Di pays Ann 20." in text
    assert "The score so far" in text
    assert "Ann pays Cy 208 for going out, doubled because East pays: 416." in text
    assert "BMJA-M01 BMJA-M03" in text
    assert "Cy (West): 208, " in text
    assert "Wash-out: nobody went out" in text
    totals = matches.get(match).course.totals
    assert all(f"{total} {player}" in text for player, total in totals.items())
    matches.change(match, MatchEnded())
    assert "Final scores" in " ".join(text_of(print_match(matches.get(match))))


def test_a_hand_that_the_table_agreed_to_is_not_said_to_be_unconfirmed(
    hands: HandRepository,
    matches: MatchRepository,
) -> None:
    match, hand = _give_hand(hands, matches)

    def print_text() -> str:
        return " ".join(text_of(print_hands(hands)))

    assert say("paper.unconfirmed") in print_text()
    assert "Bob · South, prevailing wind East" in print_text(), "whose hand it is"
    score = find_total(hands.get(hand)) or 0
    matches.change(match, HandAgreed("Bob", hand, score))
    assert say("paper.unconfirmed") not in print_text()
    matches.change(match, DealSettled(winner="Bob", scores={**SCORES, "Bob": score}))
    hands.change(hand, TileCorrected(15, "F2"))
    total = find_total(hands.get(hand)) or 0
    assert total != score
    assert say("paper.unconfirmed") in print_text(), "it is another now"
    matches.change(match, DealCorrected(1, winner="Bob", scores={**SCORES, "Bob": total}))
    assert say("paper.unconfirmed") not in print_text(), "the dispute put it into the deal"


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(None, id="taken back by Undo"),
        pytest.param(ScoreTyped("Bob", 88), id="a typed score counts instead"),
        pytest.param(HandGiven("Bob", "0" * 12), id="another hand counts instead"),
        pytest.param(WinnerEntered(winner=None), id="in a wash-out nobody scores"),
    ],
)
def test_a_hand_that_does_not_count_is_not_printed(
    hands: HandRepository, matches: MatchRepository, event: MatchEvent | None
) -> None:
    match, _ = _give_hand(hands, matches)
    if event:
        matches.change(match, event)
    else:
        matches.undo(match, matches.get(match).doings[-1].seq)
    assert "none yet" in " ".join(text_of(print_hands(hands)))


def _give_hand(hands: HandRepository, matches: MatchRepository) -> tuple[str, str]:
    """Begin a match in which Bob went out, and give his hand; return the ids of both."""
    data = picture(lay())
    match = matches.begin(AGREED_TERMS)
    matches.change(match, WinnerEntered(winner="Bob"))
    hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja", match=match)
    hands.change(hand, reading_event(lay()))
    matches.change(match, HandGiven("Bob", hand))
    return match, hand
