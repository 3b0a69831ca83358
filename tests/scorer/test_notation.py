"""Hand text: what it says, that it comes back, and where a bad line is refused."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorer.errors import NotationError
from scorer.hand import Hand
from scorer.message import to_english
from scorer.notation import format_hand, parse_hand
from tests.scorer.strategies import any_hands


@pytest.mark.slow
@settings(max_examples=100)
@given(any_hands())
@example(Hand(exposed=(("WS", "S1"), ("DR", "WE"), ("B2", "JK", "??"))))  # letters that are ranks
@example(Hand(winner=True))  # won, and no more is known
def test_a_hand_comes_back_from_its_text(hand: Hand) -> None:
    text = format_hand(hand)
    assert parse_hand(text) == hand
    assert text.isascii()


@given(st.text(alphabet="BCODWFSE123?JK[]+|= wonseatlimit", max_size=40))
def test_any_line_is_read_or_refused_with_a_place_in_it(text: str) -> None:
    try:
        hand = parse_hand(text)
    except NotationError as fault:
        position, reason = fault.position, fault.reason
        assert 0 <= position <= len(text), reason
    else:
        assert parse_hand(format_hand(hand)) == hand


def test_the_designs_own_example() -> None:
    text = "B222 O5555 | C345 DRRR WE WE | F1 S2           seat=E round=E won=wall with=C5"
    assert parse_hand(text) == Hand(
        exposed=(("B2", "B2", "B2"), ("O5", "O5", "O5", "O5")),
        concealed=("C3", "C4", "C5", "DR", "DR", "DR", "WE", "WE"),
        bonus=("F1", "S2"),
        winner=True,
        won_by=("wall",),
        winning_tile="C5",
    )


MEANINGS = [
    ("| |", Hand(), "nothing but the bars"),
    ("||", Hand(), "bars need no blanks"),
    ("| B12 [O5555] C3 |", Hand(declared_kongs=(("O5",) * 4,), concealed=("B1", "B2", "C3")),
     "a declared kong may stand anywhere among the concealed tiles"),
    ("| b12 drr |", Hand(concealed=("B1", "B2", "DR", "DR")), "small letters are let through"),
    ("b2+jk+jk | |", Hand(exposed=(("B2", "JK", "JK"),)), "a set of tiles of several kinds"),
    ("| | F13", Hand(bonus=("F1", "F3")), "flowers 1 and 3"),
    ("| | seat=S round=w", Hand(seat_wind="S", prevailing_wind="W"), "winds"),
    ("| | won=", Hand(winner=True), "a win of which no more is known"),
    ("| | won=wall+original-call", Hand(winner=True, won_by=("wall", "original-call")), "ways"),
    ("| | limit=off goulash players=3", Hand(limit=None, goulash=True, players=3), "the table"),
    ("| | limit=500 original-call rules=safalra",
     Hand(limit=500, original_call=True, ruleset="safalra"), "the rest"),
    ("| | players=5", Hand(players=5), "N03: five, of whom one sits out"),
    ("| | house=clean_hand:off+jade_chows:on", Hand(house=("clean_hand:off", "jade_chows:on")),
     "the table's choices, in their order"),
    ("jk+drr | B1 jk | goulash with=jk",
     Hand(exposed=(("JK", "DR", "DR"),), concealed=("B1", "JK"), goulash=True, winning_tile="JK"),
     "wild tiles, small letters and all"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "hand", "reason"), MEANINGS)
def test_what_a_text_means(text: str, hand: Hand, reason: str) -> None:
    assert parse_hand(text) == hand, reason


REFUSALS = [
    ("", 0, "two bars", "an empty line"),
    ("B222 | C345", 11, "two bars", "a bar is missing"),
    ("B1 | | | F1", 7, "third", "a bar too many"),
    ("B2X2 | |", 2, "no tile BX", "a rank that bamboo does not have"),
    ("| WEES B0 |", 8, "no tile B0", "no rank 0"),
    ("| X12 |", 2, "begins with", "no such family"),
    ("| B |", 3, "rank is missing", "a letter alone"),
    ("| B12+ |", 6, "begins with", "a plus with nothing after it"),
    ("| [O5555 |", 2, "brackets", "a bracket left open"),
    ("[O5555] | |", 0, "begins with", "a declared kong is not exposed"),
    ("| B1 seat=E |", 6, "no tile", "words before the last bar"),
    ("| | seat=E F1", 11, "cannot follow", "tiles after the words"),
    ("| | seat=X", 9, "not one of", "no such wind"),
    ("| | seat=", 9, "not one of", "no wind"),
    ("| | chair=E", 4, "not one of", "no such word"),
    ("| | seat=E seat=S", 11, "not one of", "a word said twice"),
    ("| | won=luck", 8, "not one of", "no such way of winning"),
    ("| | won=wall+wall", 8, "twice", "a way said twice"),
    ("| | with=Z9", 9, "is not a tile code", "no such tile"),
    ("| | players=6", 12, "not one of", "six do not play"),
    ("| | players=1", 12, "not one of", "nor one alone"),
    ("| | house=clean_hand", 10, "name:on or name:off", "a choice without its state"),
    ("| | house=clean_hand:yes", 10, "name:on or name:off", "a state in other words"),
    ("| | house=", 10, "name:on or name:off", "no choice"),
    ("| | house=a:on+:off", 10, "name:on or name:off", "a choice without a name"),
    ("| | limit=none", 10, "above 0", "a limit in words"),
    ("| | limit=0", 10, "above 0", "no hand could score"),
    ("| | rules=riichi", 10, "not one of", "other rules"),
    ("| | goulash=yes", 12, "no value", "a flag with a value"),
    ("| 萬 |", 2, "no meaning", "one ASCII line"),
]


@pytest.mark.parametrize(("text", "position", "reason", "why"), REFUSALS)
def test_where_a_text_is_refused(text: str, position: int, reason: str, why: str) -> None:
    with pytest.raises(NotationError, match=reason) as failure:
        parse_hand(text)
    assert failure.value.position == position, why
    assert to_english(failure.value.reason) in str(failure.value)
    assert str(position + 1) in str(failure.value)


def test_a_hand_that_no_text_describes_has_none() -> None:
    with pytest.raises(ValueError, match="no way of winning"):
        format_hand(Hand(won_by=("wall",)))
    with pytest.raises(ValueError, match="without tiles"):
        format_hand(Hand(exposed=((),)))
