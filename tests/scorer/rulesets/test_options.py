"""What tables play differently: each choice changes the hands that it is about, and no others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.notation import parse_hand
from scorer.patterns.notation import GREEN_CODES
from scorer.rulesets.builtin import load_builtin
from scorer.score import score, score_total
from scorer.score_json import hand_from_json
from scorer.tiles import BY_CODE
from tests.scorer.strategies import goulash_wins, lost_hands, one_short_hands, won_hands
from tests.scorer.test_cases import CASES, UNREADABLE

BMJA = load_builtin("bmja")
OPTIONS = {option.name: option for option in BMJA.options}

TESTED_ELSEWHERE_OPTIONS = {
    "loose_tiles_spread": "C10 is about the wall: `test_wall`; no hand scores by it",
    "prevailing_wind_doubles": "C15 is about who pays double: `test_settle`; no hand scores by it",
}
"""The choices that no hand's score hangs on, and why."""

FULL = "B222 C345 O777 | B888 O99 |"

Outcome = int | str
"""A total, or the code of the refusal."""


def outcome(hand: Hand) -> Outcome:
    try:
        return score_total(hand)
    except HandError as fault:
        return fault.problems[0].code


def switch(hand: Hand, option: str, state: str) -> Hand:
    return replace(hand, house=(f"{option}:{state}",))


def judged_both_ways() -> set[str]:
    """Return the choices that decide a hand of the case tables: it stands there both ways."""
    outcomes = defaultdict[tuple[Hand, str, frozenset[str]], set[object]](set)
    for case in CASES.values():
        if case.error in (UNREADABLE, True):
            continue
        hand = parse_hand(case.hand)
        if hand.ruleset == "bmja" and not list(BMJA.unknown_choices(hand.house)):
            active_options = BMJA.with_choices(hand.house).active_options
            for name in OPTIONS:
                other_outcome = outcomes[replace(hand, house=()), name, active_options - {name}]
                other_outcome.add(case.total if case.error is None else case.error)
    return {name for (_, name, _), found in outcomes.items() if len(found) > 1}


def test_declaring_fishing_is_only_remarked_on() -> None:
    hand = parse_hand(f"{FULL} won=wall")
    codes = {
        state: [
            each.code for each in score(switch(hand, "fishing_must_be_declared", state)).problems
        ]
        for state in ("on", "off")
    }
    assert codes == {"on": ["declare-fishing"], "off": []}  # C11
    assert outcome(switch(hand, "fishing_must_be_declared", "on")) == 30


def test_every_choice_has_a_hand_that_it_decides_or_a_reason() -> None:
    assert judged_both_ways() | {"fishing_must_be_declared"} | set(TESTED_ELSEWHERE_OPTIONS) == set(
        OPTIONS
    )


def test_the_table_is_told_which_choices_were_in_force() -> None:
    hand = parse_hand(f"{FULL} won=wall house=clean_hand:off+jade_chows:on")
    changes = {each.name: each.value for each in score(hand).options if each.value != each.default}
    assert changes == {"clean_hand": False, "jade_chows": True}


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


AFFECTED_HANDS: dict[str, Callable[[Hand], bool]] = {
    "fishing_intrinsic_includes_bonus": lambda hand: not hand.winner and bool(hand.bonus),
    "purity_loose_tile_scores": lambda hand: hand.on_loose_tile and suits_only(hand),
    "purity_final_discard_doubles": lambda hand: "last-discard" in hand.won_by and one_suit(hand),
    "bouquet_includes_own": has_bouquet,
    "concealed_needs_sets": lambda hand: hand.winner and not hand.exposed and not hand.is_claimed,
    "purity_intrinsic_concealed": lambda hand: hand.winner and one_suit(hand) and suits_only(hand),
    "knitting_two_suits": lambda hand: suits_only(hand) and not hand.declared_kongs,
    "buried_treasure_last_pung_claimable": lambda hand: hand.is_claimed,
    "loose_tiles_spread": lambda hand: False,
    "fishing_must_be_declared": lambda hand: False,
    "gates_only_terminal_claimable": lambda hand: hand.is_claimed and one_suit(hand),
    "jade_chows": lambda hand: set(hand.tiles) <= GREEN_CODES,
    "prevailing_wind_doubles": lambda hand: False,
    "clean_hand": lambda hand: hand.winner and one_suit(hand),
    "one_suit_with_chow": lambda hand: hand.winner and one_suit(hand) and suits_only(hand),
    "heaven_after_bonus_tiles": lambda hand: "heaven" in hand.won_by,
    "two_player_minimum": lambda hand: hand.players == 2,
}
"""The hands that a choice may be about; generous, and to be so only where that is simple.

A choice that is not listed is about the hands that its own rows look at.
"""

ROWS = {name: [row for row in BMJA.every_rule if row.option == name] for name in OPTIONS}


def concerns(option: str, hand: Hand) -> bool:
    if option in AFFECTED_HANDS:
        return AFFECTED_HANDS[option](hand)
    ways = {*hand.won_by, *(["original-call"] if hand.made_original_call else [])}
    return any(
        (hand.winner or not row.winner_only) and (not row.ways or not ways.isdisjoint(row.ways))
        for row in ROWS[option]
    )


hands = st.one_of(
    won_hands().map(lambda win: win.hand),
    goulash_wins().map(lambda win: win.hand),
    lost_hands(),
    one_short_hands(),
)


def test_every_choice_says_which_hands_it_may_be_about() -> None:
    assert {name for name, rows in ROWS.items() if not rows} <= set(AFFECTED_HANDS) <= set(OPTIONS)


@given(hands)
def test_a_choice_changes_nothing_for_other_hands(hand: Hand) -> None:
    expected = outcome(hand)
    for option in OPTIONS:
        if not concerns(option, hand):
            state = "off" if OPTIONS[option].default else "on"
            assert outcome(switch(hand, option, state)) == expected, option
