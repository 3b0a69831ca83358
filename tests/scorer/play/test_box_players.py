"""The box's players and the coach: quick, within the rules, and true in all that they say."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from time import process_time

import pytest

from scorer.explain.tiles_needed import min_tiles_needed, useful_tiles
from scorer.hand import Hand
from scorer.message import to_english
from scorer.patterns.frames import PLAYING_CODES
from scorer.play.box_players import Level, choose_move
from scorer.play.coach import advise
from scorer.play.danger import judge_discards
from scorer.play.deal import PracticeDeal
from scorer.play.distance import Distance
from scorer.play.moves import Move
from scorer.play.player_state import TableSet
from scorer.play.setup import DealSetup
from scorer.play.view import View, make_view
from scorer.rulesets.builtin import load_builtin

BMJA = load_builtin("bmja")
LEVELS: tuple[Level, ...] = ("gentle", "plain", "sharp")
SETUPS = (
    DealSetup(11),
    DealSetup(12, goulash=True),
    DealSetup(13, "ESW", 3),
    DealSetup(14, "EW", 2),
    DealSetup(15, hand_size=4),
    DealSetup(16, "ESW", 3, hand_size=7),
    DealSetup(17, hand_size=10),
    DealSetup(18, ruleset="safalra"),
)
DECK = [code for code in PLAYING_CODES for _ in range(4)]


def play_out(setup: DealSetup, levels: tuple[Level, ...]) -> tuple[list[View], list[float]]:
    """Play a deal by players of the box; return what they saw, and the seconds of their moves."""
    deal = PracticeDeal(setup, load_builtin(setup.ruleset))
    views: list[View] = []
    seconds = []
    while deal.stage != "over":
        seat = next(iter(deal.choices))
        views.append(make_view(deal, seat))
        begin = process_time()
        move = choose_move(views[-1], levels[deal.seats.index(seat) % len(levels)])
        seconds.append(process_time() - begin)
        deal.play(move)
    return views, seconds


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_players_and_coach_end_every_game(setup: DealSetup) -> None:
    views, seconds = play_out(setup, LEVELS)
    assert sorted(seconds)[len(seconds) // 2] < 0.01
    for view in views[::5]:
        choices = advise(view)
        assert choices[0].move.base_move in view.moves or view.stage == "swap"
        assert all(to_english(reason) for each in choices for reason in each.reasons)


def test_a_view_has_neither_the_seed_nor_the_deal() -> None:
    names = {field.name for field in fields(View)}
    assert names.isdisjoint({"setup", "seed", "deal", "umpire", "live", "box"})


def test_the_distance_is_the_scorers() -> None:
    chance = Random(2)
    for chows in (0, 1):
        for _ in range(40):
            tiles = tuple(chance.sample(DECK, 13))
            hand = Hand(concealed=tiles, players=4 if chows else 3)
            distance = Distance(tiles, 4, chows)
            assert distance.missing == min_tiles_needed(hand, BMJA)
        assert distance.useful() == useful_tiles(hand, BMJA)


def test_a_claim_is_weighed_where_no_other_tile_counts() -> None:
    """Of one suit alone (SAF-H02): the circles on the table decide, and none are in the hand."""
    deal = PracticeDeal(DealSetup(1, ruleset="safalra"), load_builtin("safalra"))
    view, tiles = make_view(deal, "S"), ("C1", "C1", "B1", "B3", "B5", "B7", "B9")
    me = replace(view.me, sets=(TableSet(("O1",) * 3), TableSet(("O2",) * 3)))
    moves = (Move("S", "pung", ("C1", "C1")), Move("S", "pass"))
    for level in LEVELS:
        hand = replace(view.hand, concealed=tiles)
        pung_view = replace(view, concealed=tiles, me=me, hand=hand, moves=moves, tile="C1")
        assert choose_move(pung_view, level).kind == "pass"


@pytest.mark.parametrize("level", LEVELS)
def test_who_is_asked_to_end_the_swaps_does_but_a_sharp_player_goes_on(level: Level) -> None:
    deal = PracticeDeal(DealSetup(3, goulash=True), BMJA)
    moves = (Move("S", "swap"), Move("S", "stop"))
    kind = choose_move(replace(make_view(deal, "S"), moves=moves), level).kind
    assert kind == ("swap" if level == "sharp" else "stop")


def test_a_sharp_player_claims_nothing_for_a_concealed_special_hand() -> None:
    """Seven pairs, one tile short (BMJA-S12): a pung would end it."""
    rules = replace(BMJA, specials=tuple(replace(each, concealed=True) for each in BMJA.specials))
    view = make_view(PracticeDeal(DealSetup(1), rules), "S")
    pairs = ("B1", "B1", "B9", "B9", "C1", "C1", "C9", "C9", "O1", "O1", "O9", "O9", "WE")
    moves = (Move("S", "pung", ("B1", "B1")), Move("S", "pass"))
    hand = replace(view.hand, concealed=pairs)
    pung_view = replace(view, concealed=pairs, hand=hand, moves=moves, tile="B1", stage="claims")
    assert [choose_move(pung_view, level).kind for level in LEVELS] == ["pung", "pung", "pass"]


def test_who_is_not_asked_gets_no_advice() -> None:
    assert advise(make_view(PracticeDeal(DealSetup(1), BMJA), "S")) == ()


def test_nobody_goes_out_on_a_tile_when_too_few_pungs_are_unseen() -> None:
    view = make_view(PracticeDeal(DealSetup(1), BMJA), "S")
    fisher = replace(view.opponents[0], fishing=True)
    table = (fisher, *view.opponents[1:])
    tile = view.concealed[0]
    assert judge_discards(replace(view, opponents=table))[tile].key == "coach.danger-fresh"
    discards = tuple(code for code in PLAYING_CODES for _ in range(2) if code != tile)
    table = (fisher, replace(view.opponents[1], discards=discards), view.opponents[2])
    assert tile not in judge_discards(replace(view, opponents=table))


def test_a_hand_of_a_small_game_with_a_tile_to_discard_waits_for_none() -> None:
    deal = PracticeDeal(DealSetup(1, hand_size=4), BMJA)
    hand = Hand(concealed=("B1", "B1", "B1", "B4"))
    assert deal.umpire.find_waits(hand) >= {"B4"}
    assert deal.umpire.find_waits(replace(hand, concealed=(*hand.concealed, "B4"))) == frozenset()


def test_a_small_game_under_rules_without_points_for_mah_jong_scores_the_tiles() -> None:
    rules = replace(BMJA, rules=tuple(r for r in BMJA.rules if r.of != "win" or r.ways))
    hand = Hand(concealed=("B1",) * 3 + ("B4", "B4"), winner=True, winning_tile="B4")
    scores = [
        PracticeDeal(DealSetup(1, hand_size=4), ruleset).umpire.score_hand(hand).total
        for ruleset in (BMJA, rules)
    ]
    assert scores == [28, 8]


def test_a_complete_hand_of_a_small_game_that_may_not_go_out_did_not_declare_fishing() -> None:
    """BMJA-C11."""
    umpire = PracticeDeal(DealSetup(1, hand_size=4), BMJA).umpire
    hand = Hand(concealed=("B1",) * 3 + ("B4", "B4"), winner=True, winning_tile="B4")
    assert umpire.explain_no_mah_jong(hand).key == "play.fishing-first"
