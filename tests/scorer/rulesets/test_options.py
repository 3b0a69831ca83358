"""What tables play differently: each choice changes the hands that it is about, and no others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score, score_total
from scorer.score_json import hand_from_json
from scorer.sets import GREEN_CODES
from scorer.tiles import BY_CODE
from tests.scorer.strategies import goulash_wins, lost_hands, one_short_hands, won_hands

OPTIONS = {option.name: option for option in load_builtin("bmja").options}

ELSEWHERE = {
    "loose_tiles_spread": "C10 is about the wall: `test_wall`; no hand scores by it",
    "prevailing_wind_doubles": "C15 is about who pays double: `test_settle`; no hand scores by it",
}
"""The choices that no hand's score hangs on, and why."""

FULL = "B222 C345 O777 | B888 O99 |"
PURE = "B222 B333 B555 | B666 B99 |"

Outcome = int | str
"""A total, or the code of the refusal."""

ROWS: list[tuple[str, str, Outcome, Outcome, str]] = [
    ("fishing_intrinsic_includes_bonus",
     "| [DRRRR] [DGGGG] [DWWWW] O888 WN | F2 S1 seat=E round=S", 1000, 816,
     "C01: (100 + 8) × 2^4 is over the limit; apart 100 × 2^3 + 8 × 2"),
    ("purity_loose_tile_scores", f"{PURE} S2 won=loose with=B9", 260, 244,
     "C02: (30 + 2) × 8 + 4, or 30 × 8 + 4"),
    ("purity_final_discard_doubles", f"{PURE} won=last-discard with=B9", 480, 240,
     "C03: 30 × 2^4 or 2^3"),
    ("original_call_winner_extra", f"{FULL} won=wall original-call", 120, 60, "C04: 30 × 4 or 2"),
    ("bouquet_includes_own", "| | F1234 seat=N", 64, 128, "C05: 16 × 2^2, or 2^3 with the own"),
    ("concealed_needs_sets", "| B222 C345 O777 B888 WNN | won=wall", 34, 68,
     "C06: 22 + 3×4, doubled where the pair of honours will do"),
    ("purity_intrinsic_concealed",
     "| [B2222] B333 B555 B666 B99 | F1234 won=wall with=B9 limit=off", 1056, 528,
     "C07: (22 + 16 + 12 + 16) × no chows, two for the bouquet, and concealed or not"),
    ("knitting_two_suits", "| B22 C22 B33 C33 B4 O4 C5 O5 B9 C9 | won=wall", "not-mah-jong", 500,
     "C08: three suits"),
    ("buried_treasure_last_pung_claimable", "| B222 B333 B555 DRRR B99 | won=discard with=B5",
     1000, 304, "C09: or (20 + 4 + 4 + 2 + 8) × no chows, one suit, dragons"),
    ("last_tile_from_live_wall", f"{FULL} won=last-tile", 60, 56, "C12: (28 + 2) × 2 or 28 × 2"),
    ("gates_only_terminal_claimable",
     "| B22 C22 B33 C33 B4 O4 C5 O5 B9 C9 | won=discard with=B4", 500, 500,
     "C13 is about the gates, not about Knitting"),
    ("only_possible_tile", "B222 C345 O777 B888 | O99 | won=discard with=B8", 26, 26,
     "C16: the tile lies with an exposed set, and what else would have done is not looked for"),
    ("only_possible_tile", f"{FULL} won=discard", 28, 28,
     "C16: with the winning tile not said there is none to be the only one"),
    ("one_suit_with_chow", f"{PURE} F1 S1 won=wall with=B9", 320, 320,
     "C18 is about hands with a chow: 40 × 2^3, not the 288 of Purity"),
    ("knitting_two_suits", "| B11 C11 B33 C33 B55 C55 O4 JK | goulash won=wall with=B1",
     "not-mah-jong", 500, "C08: whatever the joker stands for, the 4 of circles is a third suit"),
    ("gates_only_terminal_claimable", "| O111 O2345678 O999 O5 | won=discard with=O5",
     "too-many-chows", 1000, "C13: a claimed 5"),
    ("gates_only_terminal_claimable", "| O111 O2345678 O999 O5 | won=discard with=O9",
     1000, 1000, "C13: a claimed 9 is as good"),
    ("gates_only_terminal_claimable", "| O111 O2345678 O999 O5 | won=wall with=O5",
     1000, 1000, "C13: and so is a 5 that was drawn"),
    ("jade_chows", "B222 B333 B234 | DGGG B88 | won=wall", 1000, 136,
     "C14: or (22 + 4 + 8) × dragons, one suit"),
    ("only_possible_tile", f"{FULL} won=wall with=O9", 32, 30, "C16: a single 9 waits for a 9"),
    ("only_possible_tile", "| B34 B222 O777 B888 O99 B5 | won=wall with=B5", 34, 34,
     "C16: a 2 would have done as well: 22 + 12"),
    ("pair_completed", f"{FULL} won=wall with=O9", 32, 30, "C16: the 9 completes the pair"),
    ("pair_completed", f"{FULL} won=wall with=B8", 30, 30, "C16: the 8 does not"),
    ("clean_hand", "B222 B345 B777 | B888 WNN | won=discard with=WN", 56, 28, "C17: 28 × 2"),
    ("one_suit_with_chow", "B222 B345 B777 | B888 B99 | won=discard with=B9", 56, 28,
     "C18: 28 × 2"),
    ("heaven_after_bonus_tiles", "| B222 C345 O777 WNN B888 | F2 won=heaven", 1000, 72,
     "S39: or (20 + 12 + 4) × concealed"),
    ("two_player_minimum", "B222 C333 O777 | B888 O99 | won=wall players=2", "two-players", 32,
     "N02: 32 points and no double"),
    ("two_player_minimum", "| [DRRRR] [DGGGG] C444 O777 WEE | won=wall players=2", 784, 784,
     "N02: 98 × 2^3 reaches 500"),
]  # fmt: skip


def outcome(hand: Hand) -> Outcome:
    try:
        return score_total(hand)
    except HandError as fault:
        return fault.problems[0].code


def switched(hand: Hand, option: str, state: str) -> Hand:
    return replace(hand, house=(f"{option}:{state}",))


@pytest.mark.parametrize(("option", "text", "on", "off", "why"), ROWS)
def test_a_choice_decides_a_hand(
    option: str, text: str, on: Outcome, off: Outcome, why: str
) -> None:
    hand = parse_hand(text)
    assert outcome(switched(hand, option, "on")) == on, why
    assert outcome(switched(hand, option, "off")) == off, why
    assert outcome(hand) == (on if OPTIONS[option].default else off), why


def test_declaring_fishing_is_only_remarked_on() -> None:
    hand = parse_hand(f"{FULL} won=wall")
    codes = {
        state: [
            each.code for each in score(switched(hand, "fishing_must_be_declared", state)).problems
        ]
        for state in ("on", "off")
    }
    assert codes == {"on": ["declare-fishing"], "off": []}  # C11
    assert outcome(switched(hand, "fishing_must_be_declared", "on")) == 30


def test_every_choice_has_a_hand_that_it_decides_or_a_reason() -> None:
    decided = {option for option, _, on, off, _ in ROWS if on != off}
    assert decided | {"fishing_must_be_declared"} | set(ELSEWHERE) == set(OPTIONS)
    assert not decided & set(ELSEWHERE)


def test_the_table_is_told_which_choices_were_in_force() -> None:
    hand = parse_hand(f"{FULL} won=wall house=clean_hand:off+jade_chows:on")
    changed = {each.name: each.value for each in score(hand).options if each.value != each.default}
    assert changed == {"clean_hand": False, "jade_chows": True}


def test_the_later_of_two_words_about_one_choice_counts() -> None:
    hand = parse_hand(f"{FULL} won=wall with=O9 house=pair_completed:on+pair_completed:off")
    assert score_total(hand) == 30


def test_a_program_says_its_choices_in_a_list() -> None:
    data = {
        "bonus": ["F1", "F2", "F3", "F4"],
        "seat_wind": "N",
        "house": ["bouquet_includes_own:off"],
    }
    assert score_total(hand_from_json(data)) == 128


def one_suit(hand: Hand) -> bool:
    return len({code[0] for code in hand.tiles if code not in hand.wild_codes} & set("BCO")) == 1


def suits_only(hand: Hand) -> bool:
    return all(BY_CODE[c].is_suit for c in hand.tiles if c not in hand.wild_codes)


def has_bouquet(hand: Hand) -> bool:
    return any(sum(code[0] == family for code in hand.bonus) == 4 for family in "FS")


CONCERNED: dict[str, Callable[[Hand], bool]] = {
    "fishing_intrinsic_includes_bonus": lambda hand: not hand.winner and bool(hand.bonus),
    "purity_loose_tile_scores": lambda hand: hand.on_loose_tile and suits_only(hand),
    "purity_final_discard_doubles": lambda hand: "last-discard" in hand.won_by and one_suit(hand),
    "original_call_winner_extra": lambda hand: hand.winner and hand.made_original_call,
    "bouquet_includes_own": has_bouquet,
    "concealed_needs_sets": lambda hand: hand.winner and not hand.exposed and not hand.claimed,
    "purity_intrinsic_concealed": lambda hand: hand.winner and one_suit(hand) and suits_only(hand),
    "knitting_two_suits": lambda hand: suits_only(hand) and not hand.declared_kongs,
    "buried_treasure_last_pung_claimable": lambda hand: hand.claimed,
    "loose_tiles_spread": lambda hand: False,
    "fishing_must_be_declared": lambda hand: False,
    "last_tile_from_live_wall": lambda hand: "last-tile" in hand.won_by,
    "gates_only_terminal_claimable": lambda hand: hand.claimed and one_suit(hand),
    "jade_chows": lambda hand: set(hand.tiles) <= GREEN_CODES,
    "prevailing_wind_doubles": lambda hand: False,
    "only_possible_tile": lambda hand: hand.winner,
    "pair_completed": lambda hand: hand.winner,
    "clean_hand": lambda hand: hand.winner and one_suit(hand),
    "one_suit_with_chow": lambda hand: hand.winner and one_suit(hand) and suits_only(hand),
    "heaven_after_bonus_tiles": lambda hand: "heaven" in hand.won_by,
    "two_player_minimum": lambda hand: hand.players == 2,
}
"""The hands that a choice may be about; generous, and to be so only where that is simple."""

hands = st.one_of(
    won_hands().map(lambda won: won.hand),
    goulash_wins().map(lambda won: won.hand),
    lost_hands(),
    one_short_hands(),
)


def test_every_choice_says_which_hands_it_may_be_about() -> None:
    assert set(CONCERNED) == set(OPTIONS)


@given(hands)
def test_a_choice_changes_nothing_for_other_hands(hand: Hand) -> None:
    expected = outcome(hand)
    for option, concerns in CONCERNED.items():
        if not concerns(hand):
            state = "off" if OPTIONS[option].default else "on"
            assert outcome(switched(hand, option, state)) == expected, option
