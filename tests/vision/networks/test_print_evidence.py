"""What a tile is by look and print together: signs as they are read, said here by hand."""

from __future__ import annotations

import numpy as np
import pytest

from vision.networks.print_evidence import is_legible, is_spelt, weigh_evidence
from vision.networks.print_reader import CornerPrint, Ink, TilePrint
from vision.networks.print_signs import CHINESE_NUMERALS, NUMERALS, SIGNS, WORD_TRUST
from vision.preprocess import Float32s

GATE = 0.954

BARE, BLACK = Ink(0.01, 0, 0), Ink(0.2, 0, 0)
RED, BLUE = Ink(0.2, 0.9, 0), Ink(0.2, 0, 0.9)

UNSURE = dict.fromkeys(("F1", "F2", "F3", "F4", "S1", "S2", "S3", "S4"), 0.125)
"""A set never seen: a flower or a season, whichever."""


def corner(sign: str = "", ink: Ink = BARE, sure: float = 0.99) -> CornerPrint:
    numerals = np.array(
        [sure * (each == sign) for each in (*NUMERALS, *CHINESE_NUMERALS)], np.float32
    )
    return CornerPrint(numerals, signs(sign, sure), ink)


def signs(sign: str, sure: float = 0.99) -> Float32s:
    return np.array([sure * (each == sign and each != "") for each in SIGNS], np.float32)


def tile(left: CornerPrint, right: CornerPrint, middle: str = "") -> TilePrint:
    return TilePrint(left, right, signs(middle))


PLAIN = corner()
CASES = {
    # what is printed, the two likeliest names, whether the best needs no question
    "numeral and character": (tile(corner("2", RED), corner("夏", RED)), ("S2", "F2"), True),
    "character and numeral": (tile(corner("菊", BLUE), corner("3", BLUE)), ("F3", "S3"), True),
    "a character by itself": (tile(PLAIN, corner("竹", BLUE)), ("F4",), True),
    "a character on the middle": (tile(PLAIN, PLAIN, "蘭"), ("F2",), True),
    "numeral right of what none can read": (
        tile(corner(ink=BLACK), corner("3", BLACK)), ("F3", "S3"), True
    ),
    "numeral left of something red": (
        tile(corner("3", BLACK), corner(ink=RED)), ("S3", "F3"), True
    ),
    "a blue numeral": (tile(corner("2", BLUE), PLAIN), ("F2", "S2"), True),
    "a Chinese numeral at the right": (tile(PLAIN, corner("三", RED)), ("S3", "F3"), True),
    "a black numeral alone does not tell which": (
        tile(corner("4", BLACK), PLAIN), ("F4", "S4"), False
    ),
    "a 1 may be any stroke": (tile(corner(ink=BLACK), corner("1", BLACK)), ("F1",), False),
    "numerals read less surely": (
        tile(corner("三", RED, sure=0.65), corner("秋", RED, sure=0.5)), ("S3", "F3"), True
    ),
    "a word": (TilePrint(words={"F1": 0.99, "S1": 0.01}), ("F1",), True),
    "half a word": (TilePrint(words={"F1": 0.5, "F3": 0.01}), ("F1",), False),
    "numeral and character that differ": (
        tile(corner("3", RED), corner("夏", RED)), ("S2", "S3"), False
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_print_names_flowers_and_seasons_never_seen(case: str) -> None:
    tile_print, best, is_sure = CASES[case]
    chances = weigh_evidence(UNSURE, tile_print)
    ranking = sorted(chances, key=lambda code: -chances[code])
    assert set(ranking[: len(best)]) == set(best)
    if is_sure:
        assert ranking[0] == best[0]
    assert (chances[ranking[0]] >= GATE) == is_sure
    assert sum(chances.values()) == pytest.approx(1)


def test_what_says_nothing_changes_nothing() -> None:
    look_chances = {"F1": 0.6, "S3": 0.3, "B1": 0.1}
    after = weigh_evidence(look_chances, tile(PLAIN, PLAIN))
    assert {code: after[code] for code in look_chances} == pytest.approx(look_chances, abs=0.002)
    assert not is_legible(look_chances, tile(PLAIN, PLAIN))


NUMBERED_TILES = {
    # what a tile looks like, its numeral, what it is then likeliest
    "no honour has a numeral": ({"DW": 0.6, "F3": 0.02}, "3", {"F3", "S3"}),
    "nor a back": ({"??": 0.7, "DW": 0.1}, "四", {"F4", "S4"}),
    "nor a suit another's": ({"O6": 0.6, "B2": 0.05}, "2", {"B2"}),
    "a numeral of its own": ({"C3": 0.4, "C2": 0.5}, "三", {"C3"}),
    "a bird with its 1": ({"WE": 0.5, "B1": 0.3}, "1", {"B1"}),
    "a six taken for a nine": ({"B9": 0.8, "B6": 0.1}, "6", {"B6"}),
    "a six of which the look says nothing": ({"O9": 0.4, "O8": 0.3}, "6", {"O6"}),
}


@pytest.mark.parametrize("case", NUMBERED_TILES)
def test_what_looks_like_a_tile_that_has_no_such_numeral_is_another(case: str) -> None:
    look_chances, numeral, best = NUMBERED_TILES[case]
    after = weigh_evidence(look_chances, tile(corner(numeral, BLACK), corner()))
    assert set(sorted(after, key=lambda code: -after[code])[: len(best)]) == best
    barely = weigh_evidence(look_chances, tile(corner(numeral, BLACK, sure=0.55), corner()))
    assert max(barely, key=lambda code: barely[code]) == max(
        look_chances, key=lambda code: look_chances[code]
    )


@pytest.mark.parametrize(
    ("code", "tile_print", "reason"),
    [
        ("B7", tile(corner("8"), PLAIN), "two canes look like an 8"),
        ("B7", tile(corner("1"), PLAIN), "one cane looks like a 1"),
        ("O7", tile(corner("1"), PLAIN), "a thin 7 looks like a 1"),
        ("WS", tile(corner("5"), PLAIN), "the S of South looks like a 5"),
        ("WN", tile(PLAIN, corner("7")), "a stroke at the right looks like a 7"),
        ("S2", tile(corner("2"), corner("9")), "no season has a 9"),
    ],
)
def test_what_only_seems_a_numeral_renames_nothing(
    code: str, tile_print: TilePrint, reason: str
) -> None:
    after = weigh_evidence({code: 0.9}, tile_print)
    assert max(after, key=lambda code: after[code]) == code, reason
    assert not is_spelt(code, {code: 0.9}, tile_print), reason


def test_a_clear_numeral_that_no_other_tile_seems_to_have_spells_a_suits_tile() -> None:
    six = tile(corner("6"), PLAIN)
    assert is_spelt("B6", {"B6": 0.6, "B9": 0.3}, six)
    assert not is_spelt("B9", {"B6": 0.6, "B9": 0.3}, six)
    assert not is_spelt("B6", {"B6": 0.6, "B9": 0.3}, tile(corner("6", sure=0.6), PLAIN))
    assert not is_spelt("B6", {"B6": 0.6, "F2": 0.3}, six), "it may be no bamboo"


@pytest.mark.parametrize(
    ("look_chances", "pips", "best", "is_sure", "is_named", "reason"),
    [
        ({"B9": 0.9, "B6": 0.09}, {"B6"}, "B6", True, True, "no 9 has the pips of a 6"),
        ({"B9": 0.95}, {"B6"}, "B6", False, True, "the look all but rules it out"),
        ({"O4": 0.7, "O5": 0.3}, {"O4", "B4"}, "O4", True, True, "the look has the suit"),
        ({"B4": 0.6, "O4": 0.4}, {"O4", "B4"}, "B4", False, False, "pips tell no suit"),
        ({"B4": 0.5, "O8": 0.5}, {"B4", "O8"}, "B4", False, False, "both have such pips"),
        ({"DG": 0.98, "B5": 0.01}, {"B5", "O5"}, "B5", False, False, "a dragon has none"),
        ({"O6": 0.6, "O8": 0.4}, set(), "O6", False, False, "nothing was clear"),
    ],
)  # fmt: skip
def test_pips_rule_out_what_has_none_like_them(
    look_chances: dict[str, float],
    pips: set[str],
    best: str,
    is_sure: bool,
    is_named: bool,
    reason: str,
) -> None:
    tile_print = TilePrint(pips=frozenset(pips))
    after = weigh_evidence(look_chances, tile_print)
    assert max(after, key=lambda code: after[code]) == best, reason
    assert (after[best] >= GATE) == is_sure, reason
    assert is_spelt(best, look_chances, tile_print) == is_named, reason
    assert is_legible(look_chances, tile_print) == bool(pips)
    assert sum(after.values()) <= 1 + 1e-9


def spread(rng: np.random.Generator, n: int) -> Float32s:
    return np.asarray(rng.dirichlet(np.full(n, 0.2)), np.float32)


def test_chances_sum_up_to_one_at_most_whatever_is_read() -> None:
    rng = np.random.default_rng(8)
    for _ in range(300):
        left, right = (
            CornerPrint(spread(rng, 18), spread(rng, len(SIGNS)), BLACK) for _ in range(2)
        )
        words = {code: rng.random() ** 4 for code in UNSURE}
        look_chances = dict(zip(("F1", "C2", "B4", "DR"), rng.dirichlet(np.ones(5)), strict=False))
        middle, top = (spread(rng, len(SIGNS)) for _ in range(2))
        tile_print = TilePrint(left, right, middle, top, words)
        after = weigh_evidence(look_chances, tile_print)
        assert min(after.values()) >= 0
        assert sum(after.values()) <= 1 + 1e-9


def test_a_numeral_makes_no_flower_of_a_suit() -> None:
    """Bamboos, circles and characters have numerals in their corners too."""
    after = weigh_evidence({"B4": 0.7, "F4": 0.2, "O4": 0.1}, tile(corner("4", BLUE), PLAIN))
    assert after["B4"] == pytest.approx(0.7, abs=0.01)


def test_a_word_that_stands_on_suits_too_settles_nothing_there() -> None:
    after = weigh_evidence({"B1": 0.8, "B2": 0.1}, TilePrint(words={"F4": WORD_TRUST["BAM"]}))
    assert max(after.values()) < GATE
    assert max(after, key=lambda code: after[code]) == "B1"


def test_a_word_names_a_tile_that_looks_like_nothing_known() -> None:
    bamboo = TilePrint(words={"F4": WORD_TRUST["BAM"]})
    after = weigh_evidence({"B9": 0.44, "O8": 0.21, "O9": 0.11, "DG": 0.07}, bamboo)
    assert max(after, key=lambda code: after[code]) == "F4"


@pytest.mark.parametrize(("sign", "code"), [("發", "DG"), ("北", "WN"), ("中", "DR")])
def test_an_honours_character_settles_what_is_in_doubt(sign: str, code: str) -> None:
    after = weigh_evidence({"B1": 0.5, code: 0.3, "F2": 0.2}, tile(PLAIN, PLAIN, sign))
    assert after[code] > GATE


@pytest.mark.parametrize(
    ("look_chances", "top", "best", "is_sure", "reason"),
    [
        ({"C5": 0.6, "C3": 0.3}, 0.99, "C3", True, "the numeral is read"),
        ({"C5": 0.999, "F3": 0.001}, 0.99, "C3", False, "the look surely tells another"),
        ({"C5": 0.6, "C3": 0.3}, 0.5, "C5", False, "it is not clear"),
        ({"B3": 0.6, "B2": 0.4}, 0.99, "B3", False, "no bamboo has one"),
    ],
)
def test_the_numeral_of_a_tile_of_characters(
    look_chances: dict[str, float], top: float, best: str, is_sure: bool, reason: str
) -> None:
    tile_print = TilePrint(top=signs("三", top))
    after = weigh_evidence(look_chances, tile_print)
    assert max(after, key=lambda code: after[code]) == best, reason
    assert (after[best] >= GATE) == is_sure, reason
    assert is_spelt(best, look_chances, tile_print) == (best == "C3"), reason


def test_look_and_print_that_differ_are_asked_about() -> None:
    """The numeral counts for more than a picture, but not for more than a sure one."""
    sure = {"F1": 0.999, "S1": 0.001}
    after = weigh_evidence(sure, tile(corner(ink=BLACK), corner("2", BLACK)))
    assert max(after, key=lambda code: after[code]) in ("F1", "F2")
    assert max(after.values()) < GATE
