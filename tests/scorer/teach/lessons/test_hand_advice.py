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


@pytest.mark.parametrize(("text", "state", "why"), STATES)
def test_what_it_is(text: str, state: str, why: str) -> None:
    assert advise_on_hand(parse_hand(text)).state == state, why


def test_four_alike_are_kept_in_hand_where_the_number_of_tiles_says_so() -> None:
    held = undeclare_kongs(parse_hand("| [B2222] C333 O777 DRR WE |"))
    assert held.declared_kongs == ()
    assert count_hand_tiles(held) == 13
    declared = undeclare_kongs(parse_hand("| [B2222] C333 O777 DRRR WE |"))
    assert len(declared.declared_kongs) == 1
    assert count_hand_tiles(declared) == 13


def test_a_wait_says_what_it_is_worth_drawn_and_claimed() -> None:
    (wait,) = advise_on_hand(parse_hand("| B222 C333 O777 DRRR WE | seat=S round=W")).waits
    assert (wait.tile, wait.left, wait.special) == ("WE", 3, "")
    drawn = score(parse_hand("| B222 C333 O777 DRRR WEE | seat=S round=W won=wall with=WE"))
    claimed = score(parse_hand("| B222 C333 O777 DRRR WEE | seat=S round=W won=discard with=WE"))
    assert (wait.drawn_score, wait.claimed_score) == (drawn.total, claimed.total)
    assert drawn.total > claimed.total


def test_what_may_be_drawn_and_not_claimed_has_no_claimed_total() -> None:
    """With two players it goes Mah-Jong by the double for a wholly concealed hand (BMJA-N02)."""
    (wait,) = advise_on_hand(parse_hand("| B888666333 WW [DGGGG] | seat=E round=S players=2")).waits
    assert wait.drawn_score > 0
    assert wait.claimed_score is None


def test_a_special_hand_is_named_by_its_rule() -> None:
    waits = advise_on_hand(parse_hand("| B222 B333 B555 B666 B9 |")).waits
    assert {(each.tile, each.special) for each in waits} >= {("B9", "BMJA-S15")}


def test_the_dearest_discard_comes_first() -> None:
    found = advise_on_hand(parse_hand("| B222 C333 O777 DRRR WES | seat=S round=N")).discards
    assert [(each.tile, each.waits[0].tile) for each in found] == [("WE", "WS"), ("WS", "WE")]
    assert found[0].best > found[1].best, "a pair of the own wind scores"


def test_it_is_worth_something_as_it_lies_only_where_the_scorer_says_so() -> None:
    assert advise_on_hand(parse_hand("| B222 C333 O777 DRRR WE |")).lying_score == 40
    for text in ("| B222 C333 O777 DRRR WES |", "| B222 C333 DRR |", "| B222 C333 O777 DRRR WEE |"):
        assert advise_on_hand(parse_hand(text)).lying_score is None, "no hand of thirteen tiles"


@settings(max_examples=25, deadline=None)
@given(one_short_hands())
def test_waits_are_what_wins(hand: Hand) -> None:
    found = advise_on_hand(hand)
    assert found.state == "fishing"
    tried = _tried(undeclare_kongs(hand), "wall")
    assert {each.tile: each.drawn_score for each in found.waits} == tried
    claimed = _tried(undeclare_kongs(hand), "discard")
    assert {each.tile: each.claimed_score for each in found.waits} == {
        tile: claimed.get(tile) for tile in tried
    }
    assert found.lying_score == score(undeclare_kongs(hand)).total


def _tried(hand: Hand, way: str) -> dict[str, int]:
    """Return what the hand scores with each tile that wins, by trying all there are."""
    wild = [*hand.wilds[:1], "JK"][:1] if hand.goulash else []
    found = {}
    for tile in [*(code for code in PLAYING_CODES if code not in hand.wild_codes), *wild]:
        won = replace(
            hand, concealed=(*hand.concealed, tile), winner=True, won_by=(way,), winning_tile=tile
        )
        try:
            found[tile] = score(won).total
        except HandError:
            continue
    return found


@settings(max_examples=6, deadline=None)
@given(one_short_hands(), st.sampled_from(PLAYING_CODES))
def test_discards_are_what_leaves_it_fishing(hand: Hand, drawn: str) -> None:
    """Each tile let go in turn, and every tile there is tried in its place."""
    assume(not hand.goulash and hand.tiles.count(drawn) < 4)
    hand = replace(hand, concealed=(*hand.concealed, drawn))
    found = advise_on_hand(hand)
    assume(found.state == "to-discard")
    held = undeclare_kongs(hand)
    for tile in set(held.concealed):
        rest = list(held.concealed)
        rest.remove(tile)
        tried = _tried(replace(held, concealed=tuple(rest)), "wall")
        said = {
            e.tile: e.drawn_score
            for each in found.discards
            if each.tile == tile
            for e in each.waits
        }
        assert said == tried
    order = [(-each.best, -each.left) for each in found.discards]
    assert order == sorted(order)


@given(st.one_of(any_hands(), lost_hands()))
def test_any_tiles_get_an_answer_that_hangs_together(hand: Hand) -> None:
    found = advise_on_hand(hand)
    assert bool(found.waits) == (found.state == "fishing")
    assert bool(found.discards) == (found.state == "to-discard")
    assert found.lying_score is None or found.size == 13
    if found.state in ("few", "none"):
        assert (found.near_specials, found.useful) == ((), ())
    if found.state == "far":
        assert found.size >= MIN_TILES_FOR_ADVICE
        assert found.missing_count is None or bool(found.useful) == (found.missing_count > 0)
