"""What the page says of a score: hands laid out, and what the sheet shows of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.hands.scoring import locate_tiles
from device.views.score import format_working
from scorer.notation import parse_hand
from scorer.score import score
from tests.device.events import event_of
from tests.device.fake_reader import lay_text, picture
from tests.device.page import Page, get_page
from vision.hand.assembly import AssembledHand, AssembledSet
from vision.photo import open_photo

pytestmark = pytest.mark.slow

WONDERS = "| B19 C19 O19 WESWN DRGWW | F1 S1 won=wall with=DW"
PAIRS = "| B11 B99 C11 C99 WEE WSS DRR | F1 F3 won=discard with=DR"
PURITY = "B111 B222 | B333 B555 B77 | F1 S2 won=wall with=B7"
BLESSINGS = "WEEE WSSS WWWW | WNN C55 | S3 seat=S round=W"
ORDINARY = "B888 DRRR | O234 C55 O777 | F2 won=discard with=O7"
WAITING_HAND = "B222 | C345 O77 DRRR WEE | F3 seat=S"
LOSER = "B222 | C345 O67 WE DR B9 C12 | F3"

ShowHand = Callable[[str], Page]

APART_TITLE = "Flowers and seasons, counted apart"


@pytest.fixture
def show_hand(client: FlaskClient, hands: HandRepository) -> ShowHand:
    """Lay a hand text out, answer the questions, and return the page."""

    def page(text: str) -> Page:
        reading, answers = lay_text(text)
        data = picture(reading)
        rules = parse_hand(text).ruleset
        hand = hands.begin(open_photo(data, "hand.jpg"), data, rules)
        hands.change(hand, reading_event(reading))
        hands.change(hand, event_of("context-set", answers))
        return get_page(client, f"/hand/{hand}/")

    return page


@pytest.mark.parametrize(
    ("text", "banner_says", "sums_say", "reason"),
    [
        (ORDINARY, "", "Total 64", "an ordinary hand has one sum"),
        (
            WONDERS,
            "Special hand The thirteen unique wonders One of each 1, 9, wind and dragon",
            "The hand 1000 Flowers and seasons 32 Before the limit 1032 "
            "Total cut to the limit of 1000 1000",
            "what the limit takes is said (BMJA-L01)",
        ),
        (
            PAIRS,
            "Special hand All pair honours Seven pairs",
            "The hand 500 Flowers and seasons 16 Total 516",
            "a half limit has room for flowers (BMJA-S02)",
        ),
        (
            PURITY,
            "Special hand Purity Pungs or kongs and a pair, all of one suit",
            "The hand 288 Flowers and seasons 16 Total 304",
            "Purity doubles its points and not its flowers (BMJA-S30)",
        ),
        (
            BLESSINGS,
            "One tile short of the special hand Four blessings hovering over the door",
            "The hand 400 Flowers and seasons 4 Total 404",
            "fishing has a value of its own (BMJA-F02)",
        ),
        (LOSER, "", "Total 6", "a loser's hand is ordinary"),
    ],
)
def test_the_sheet_names_the_hand_and_its_sums(
    show_hand: ShowHand, text: str, banner_says: str, sums_say: str, reason: str
) -> None:
    page = show_hand(text)
    banner = " ".join(page.texts("div.special"))
    assert banner.startswith(banner_says), reason
    assert bool(banner) == bool(banner_says), reason
    assert page.single("div.sums").text == sums_say, reason


@pytest.mark.parametrize(
    ("text", "says", "reason"),
    [
        (WONDERS, "4 4 ×2 ×2 4 + 4 = 8 · ×2 ×2 = 32", "points, doubles, the sum"),
        (BLESSINGS, "4", "a sum of one figure is not written out again"),
        (ORDINARY, "", "an ordinary hand has its flowers among the points"),
    ],
)
def test_flowers_beside_a_special_hand_have_a_little_sum(
    show_hand: ShowHand, text: str, says: str, reason: str
) -> None:
    page = show_hand(text)
    selector = f'h3:lexbor-contains("{APART_TITLE}") ~ :not(.sums, .sums ~ *)'
    assert " ".join(page.texts(f"{selector} .amount, {selector}.working")) == says, reason
    assert bool(page.all("h3", APART_TITLE)) == bool(says)


@pytest.mark.parametrize(
    ("text", "lines", "reason"),
    [
        (ORDINARY, ["20 + 4 + 2 + 2 + 4 = 32 · ×2 = 64 (limit 1000)"], "one sum"),
        (WONDERS, ["1000 + 32 = 1032 (limit 1000)"], "a fixed value needs no sum of its own"),
        (
            PURITY,
            ["20 + 2 + 4 + 2 + 4 + 4 = 36 · ×2 ×2 ×2 = 288", "288 + 16 = 304 (limit 1000)"],
            "the hand, then the bonus tiles",
        ),
        ("| B19 C19 O19 WESWN DRGWW | won=wall with=DW limit=500", ["1000 (limit 500)"],
         "the limit is said once"),
        ("B123 | B345 B789 B55 B234 | won=wall rules=safalra", ["20 + 2 = 22 · ×2 = 44"],
         "Safalra has no limit, whatever the hand says (SAF-R10)"),
    ],
)  # fmt: skip
def test_the_sum_is_written_out(text: str, lines: list[str], reason: str) -> None:
    sums = format_working(score(parse_hand(text)))
    assert [each.replace("\N{NO-BREAK SPACE}", " ") for each in sums] == lines, reason
    new_lines = [part for each in sums for part in each.split(" ")[1:]]
    assert all(part[0] in "+=×(" or part.endswith(")") for part in new_lines), "where it may break"


@pytest.mark.parametrize(
    ("text", "name", "says", "reason"),
    [
        (PURITY, "compared", "Other ways to count it (1) Purity counted", "chosen first"),
        (PURITY, "compared", "Ordinary hand 44 · ×2 ×2 = 176 176", "and what it was weighed with"),
        (ORDINARY, "compared", "", "one way is nothing to compare"),
        (ORDINARY, "not-counted", "Not counted (5)", "as before"),
        (BLESSINGS, "waits", "What it was waiting for (2) North wind Four blessings hovering over "
         "the door BMJA-S20 at most 2 left 1000 5 characters at most 2 left 672",
         "each tile, how many, what hand and what score (BMJA-F04)"),
        (WAITING_HAND, "waits", "7 circles", "an ordinary wait"),
        (BLESSINGS, "nearest", "Four blessings hovering over the door 1 tile short:", "in reach"),
        (ORDINARY, "nearest", "", "a winner needs no lesson"),
        (ORDINARY, "rules", "British Mah-Jong (BMJA) · limit 1000", "always there"),
    ],
)  # fmt: skip
def test_what_stands_folded_below(
    show_hand: ShowHand, text: str, name: str, says: str, reason: str
) -> None:
    details_text = " ".join(show_hand(text).texts(f"details.more#{name}"))
    assert says in details_text, reason
    assert bool(details_text) == bool(says), reason


def test_the_notice_of_a_ruleset_is_in_plain_sight(show_hand: ShowHand) -> None:
    page = show_hand("B123 | B345 B789 B55 B234 | won=wall rules=safalra")
    notice = page.single(".problem.notice", "figures of these rules are reconstructed")
    assert page.text.index(notice.text) < page.text.index("Points"), "before the lines"
    assert not page.all("details .problem.notice"), "not folded away"
    assert "Safalra's Mah Jong · no limit" in page.single("details.more#rules").text
    assert not show_hand(ORDINARY).all(".problem.notice"), "the British rules have none"


def test_the_choices_that_differ_from_the_file_are_told_apart() -> None:
    options = score(parse_hand(f"{ORDINARY} house=clean_hand:off")).options
    changes = [(each.name, each.value) for each in options if not each.is_usual]
    assert changes == [("clean_hand", False)]
    assert len(options) > len(changes)


@pytest.mark.parametrize("text", [WONDERS, PAIRS, PURITY, BLESSINGS])
def test_a_special_hand_lights_all_its_tiles_up(show_hand: ShowHand, text: str) -> None:
    hand = parse_hand(text)
    places = " ".join(str(place) for place in range(len(hand.tiles)))
    assert show_hand(text).all(f'[data-tiles="{places}"]'), "every tile but the bonus tiles"


@pytest.mark.parametrize(
    ("line", "places", "reason"),
    [
        ("O5 O5 JK", (3, 4, 5), "a joker has its own code"),
        ("C7 B2 B2", (6, 7, 8), "so has a 2 of bamboo that is wild"),
        ("B2 B2 B2", (0, 7, 8), "and counts as any other 2 of bamboo"),
    ],
)
def test_wild_tiles_light_up_too(line: str, places: tuple[int, ...], reason: str) -> None:
    codes = ["B2", "B3", "B4", "O5", "O5", "JK", "C7", "B2", "B2"]
    sets = [
        AssembledSet(tuple(range(at, at + 3)), tuple(codes[at : at + 3]), "concealed", "loose", 0)
        for at in (0, 3, 6)
    ]
    assert locate_tiles(line.split(), AssembledHand(tuple(sets))) == places, reason


def test_a_special_hand_that_is_no_sets_and_pair_counts_as_whole(show_hand: ShowHand) -> None:
    wonders = show_hand(WONDERS)
    assert "14 tiles · The thirteen unique wonders" in wonders.text
    assert "complete" in wonders.single("p.count").text
    assert "complete" not in show_hand(BLESSINGS).single("p.count").text, "one short"
