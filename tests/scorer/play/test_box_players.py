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
