"""What a hand in play is said to be and to wait for, against trying every tile."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.notation import parse_hand
from scorer.patterns.frames import PLAYING_CODES
from scorer.score import score
from scorer.teach.lessons.hand_advice import (
    MIN_TILES_FOR_ADVICE,
    advise_on_hand,
    count_hand_tiles,
    undeclare_kongs,
)
from tests.scorer.strategies import any_hands, lost_hands, one_short_hands

STATES = [
    ("| B222 C333 O777 DRRR WEE |", "whole", "four sets and a pair"),
    ("| B19 C19 O19 WESWN DRGW DR |", "whole", "a special hand that is no sets and pair"),
    ("| B222 C333 O777 DRRR WE |", "fishing", "it waits for the pair"),
    ("| B222 C333 O777 DRRR WES |", "to-discard", "either wind let go, it waits for the other"),
    ("| B222 C333 O77 DRR WES |", "far", "thirteen tiles, two pairs too few"),
    ("| B147 C258 O369 WESWN O1 |", "far", "fourteen tiles, none together"),
    ("| B222 C333 DR |", "few", "seven tiles are near nothing"),
    ("| B222 C333 DRR |", "far", "eight can be near"),
    ("| B222333444555 C111 |", "none", "fifteen tiles are more than one hand's"),
    ("| B22222 C333 O777 WEE |", "none", "five of a kind"),
    ("| B222 C333 O777 WEE JK |", "none", "a joker, and no goulash"),
    ("| B333 C333 O777 WEEE JK | goulash", "fishing", "the joker is half of the pair"),
    ("B222 C333 O777 DRRR WEEE | |", "none", "five sets on the table"),
    ("| [B2222] C333 O777 DRRR WE |", "fishing", "a declared kong has drawn its tile"),
    ("| [B2222] C333 O777 DRR WE |", "far", "four alike, and thirteen tiles: not declared"),
    ("| B234 C333 O777 DRR WE | players=2", "far", "no chows with two players"),
    ("| B123456789 B11 DR | rules=safalra", "far", "twelve tiles"),
    ("| B123456789 B111 DR | rules=safalra", "fishing", "all chows"),
]


@pytest.mark.parametrize(("text", "state", "reason"), STATES)
def test_what_it_is(text: str, state: str, reason: str) -> None:
    assert advise_on_hand(parse_hand(text)).state == state, reason


def test_four_alike_are_kept_in_hand_where_the_number_of_tiles_says_so() -> None:
    hand = undeclare_kongs(parse_hand("| [B2222] C333 O777 DRR WE |"))
    assert hand.declared_kongs == ()
    assert count_hand_tiles(hand) == 13
    other_hand = undeclare_kongs(parse_hand("| [B2222] C333 O777 DRRR WE |"))
    assert len(other_hand.declared_kongs) == 1
    assert count_hand_tiles(other_hand) == 13


def test_a_wait_says_what_it_is_worth_drawn_and_claimed() -> None:
    (wait,) = advise_on_hand(parse_hand("| B222 C333 O777 DRRR WE | seat=S round=W")).waits
    assert (wait.tile, wait.left, wait.special) == ("WE", 3, "")
    drawn_hand = score(parse_hand("| B222 C333 O777 DRRR WEE | seat=S round=W won=wall with=WE"))
    claimed_hand = score(
        parse_hand("| B222 C333 O777 DRRR WEE | seat=S round=W won=discard with=WE")
    )
    assert (wait.drawn_score, wait.claimed_score) == (drawn_hand.total, claimed_hand.total)
    assert drawn_hand.total > claimed_hand.total


def test_what_may_be_drawn_and_not_claimed_has_no_claimed_total() -> None:
    """With two players it goes out by the double for a wholly concealed hand (BMJA-N02)."""
    (wait,) = advise_on_hand(parse_hand("| B888666333 WW [DGGGG] | seat=E round=S players=2")).waits
    assert wait.drawn_score > 0
    assert wait.claimed_score is None


def test_a_special_hand_is_named_by_its_rule() -> None:
    waits = advise_on_hand(parse_hand("| B222 B333 B555 B666 B9 |")).waits
    assert {(each.tile, each.special) for each in waits} >= {("B9", "BMJA-S15")}


def test_the_dearest_discard_comes_first() -> None:
    discards = advise_on_hand(parse_hand("| B222 C333 O777 DRRR WES | seat=S round=N")).discards
    assert [(each.tile, each.waits[0].tile) for each in discards] == [("WE", "WS"), ("WS", "WE")]
    assert discards[0].best > discards[1].best, "a pair of the seat wind scores"


def test_it_is_worth_something_as_it_lies_only_where_the_scorer_says_so() -> None:
    assert advise_on_hand(parse_hand("| B222 C333 O777 DRRR WE |")).lying_score == 40
    for text in ("| B222 C333 O777 DRRR WES |", "| B222 C333 DRR |", "| B222 C333 O777 DRRR WEE |"):
        assert advise_on_hand(parse_hand(text)).lying_score is None, "no hand of thirteen tiles"


@settings(max_examples=25, deadline=None)
@given(one_short_hands())
def test_waits_are_what_wins(hand: Hand) -> None:
    advice = advise_on_hand(hand)
    assert advice.state == "fishing"
    wins_by_wall = _wins_by(undeclare_kongs(hand), "wall")
    assert {each.tile: each.drawn_score for each in advice.waits} == wins_by_wall
    wins_by_discard = _wins_by(undeclare_kongs(hand), "discard")
    assert {each.tile: each.claimed_score for each in advice.waits} == {
        tile: wins_by_discard.get(tile) for tile in wins_by_wall
    }
    assert advice.lying_score == score(undeclare_kongs(hand)).total


TWO_WAITS = "| B22 C333 O77 DRRR WNNN |"
"""It waits for 2 bamboo and for 7 circles, and holds two of each."""

LEFT = [
    ("", "B2:2 O7:2", "nothing lies on the table"),
    ("O7 C1 DG", "B2:2 O7:1", "one was discarded, others are of no use"),
    ("B2 B2 O7", "O7:1 B2:0", "what cannot come any more stands last"),
    ("B2 B2 O7 O7", "B2:0 O7:0", "none can come; it is fishing all the same"),
    ("B2 B2 B2", "O7:2 B2:0?", "five in all: one of them is another tile"),
    ("?? JK F1", "B2:2 O7:2", "backs, jokers and flowers are counted for nothing"),
]


@pytest.mark.parametrize(("table", "expected", "reason"), LEFT)
def test_what_lies_on_the_table_cannot_come(table: str, expected: str, reason: str) -> None:
    advice = advise_on_hand(parse_hand(TWO_WAITS), table_codes=table.split())
    assert advice.state == "fishing"
    waits = [f"{each.tile}:{each.left}{'?' * each.is_misread}" for each in advice.waits]
    assert " ".join(waits) == expected, reason


def test_a_discard_that_waits_for_what_cannot_come_is_the_last() -> None:
    hand = parse_hand("| B222 C333 O777 DRRR WES | seat=S round=N")
    assert [each.tile for each in advise_on_hand(hand).discards] == ["WE", "WS"]
    advice = advise_on_hand(hand, table_codes=("WS", "WS", "WS"))
    assert [each.tile for each in advice.discards] == ["WS", "WE"], "the dearer cannot come"


@settings(max_examples=15, deadline=None)
@given(one_short_hands(), st.lists(st.sampled_from(PLAYING_CODES), max_size=40))
def test_what_is_left_is_what_remains_of_a_whole_set(hand: Hand, table: list[str]) -> None:
    """Each tile is taken by itself out of the 136 that there are."""
    remaining = [code for code in PLAYING_CODES for _ in range(4)]
    excess_codes = set()
    for code in (*undeclare_kongs(hand).tiles, *table):
        if code in remaining:
            remaining.remove(code)
        else:
            excess_codes.add(code)
    advice, plain = advise_on_hand(hand, table_codes=table), advise_on_hand(hand)
    assert {each.tile: each.drawn_score for each in advice.waits} == {
        each.tile: each.drawn_score for each in plain.waits
    }, "what it waits for and its worth are the same"
    for wait in advice.waits:
        if wait.tile in PLAYING_CODES:
            assert wait.left == remaining.count(wait.tile)
            assert wait.is_misread == (wait.tile in excess_codes)
    assert [bool(each.left) for each in advice.waits] == sorted(
        (bool(each.left) for each in advice.waits), reverse=True
    )


def _wins_by(hand: Hand, way: str) -> dict[str, int]:
    """Return what the hand scores with each tile that wins, by trying all there are."""
    wild = [*hand.wilds[:1], "JK"][:1] if hand.goulash else []
    scores = {}
    for tile in [*(code for code in PLAYING_CODES if code not in hand.wild_codes), *wild]:
        win = replace(
            hand, concealed=(*hand.concealed, tile), winner=True, won_by=(way,), winning_tile=tile
        )
        try:
            scores[tile] = score(win).total
        except HandError:
            continue
    return scores


@settings(max_examples=6, deadline=None)
@given(one_short_hands(), st.sampled_from(PLAYING_CODES))
def test_discards_are_what_leaves_it_fishing(hand: Hand, drawn: str) -> None:
    """Each tile let go in turn, and every tile there is tried in its place."""
    assume(not hand.goulash and hand.tiles.count(drawn) < 4)
    hand = replace(hand, concealed=(*hand.concealed, drawn))
    advice = advise_on_hand(hand)
    assume(advice.state == "to-discard")
    hand_in_play = undeclare_kongs(hand)
    for tile in set(hand_in_play.concealed):
        rest = list(hand_in_play.concealed)
        rest.remove(tile)
        wins_by_tile = _wins_by(replace(hand_in_play, concealed=tuple(rest)), "wall")
        scores = {
            e.tile: e.drawn_score
            for each in advice.discards
            if each.tile == tile
            for e in each.waits
        }
        assert scores == wins_by_tile
    order = [
        (not each.remaining_count, -each.best, -each.remaining_count) for each in advice.discards
    ]
    assert order == sorted(order)


@given(st.one_of(any_hands(), lost_hands()))
def test_any_tiles_get_an_answer_that_hangs_together(hand: Hand) -> None:
    advice = advise_on_hand(hand)
    assert bool(advice.waits) == (advice.state == "fishing")
    assert bool(advice.discards) == (advice.state == "to-discard")
    assert advice.lying_score is None or advice.size == 13
    if advice.state in ("few", "none"):
        assert (advice.near_specials, advice.useful) == ((), ())
    if advice.state == "far":
        assert advice.size >= MIN_TILES_FOR_ADVICE
        assert advice.missing_count is None or bool(advice.useful) == (advice.missing_count > 0)
