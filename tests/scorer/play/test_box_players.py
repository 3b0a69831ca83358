"""The box's players and the coach: quick, within the rules, and true in all that they say."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from functools import cache
from random import Random
from time import process_time

import pytest

from scorer.explain.tiles_needed import min_tiles_needed, useful_tiles
from scorer.hand import Hand
from scorer.message import to_english
from scorer.patterns.frames import PLAYING_CODES
from scorer.play.box_players import Level, choose_move, rank_discards
from scorer.play.coach import advise, warn_after
from scorer.play.deal import PracticeDeal
from scorer.play.distance import Distance
from scorer.play.moves import Move
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


@cache
def coach_views() -> list[View]:
    return [
        view
        for seed in range(4)
        for view in play_out(DealSetup(seed), ("sharp",))[0]
        if view.stage == "turn" and not view.me.fishing
    ][::8]


def test_what_the_coach_counts_is_so() -> None:
    """Count by the scorer's own search which tiles help after the discard that is advised."""
    counts_checked = 0
    for view in coach_views():
        for choice in advise(view):
            if choice.move.kind != "discard" or not choice.helpful:
                continue
            rest = list(view.concealed)
            rest.remove(choice.move.tiles[0])
            hand = replace(view.hand, concealed=tuple(rest))
            visible = Counter(view.visible)
            helpful = {tile for tile in useful_tiles(hand, BMJA) if visible[tile] < 4}
            assert choice.missing == min_tiles_needed(hand, BMJA)
            assert set(choice.helpful) == helpful
            counts = [
                r.values["count"]
                for r in choice.reasons
                if r.key in ("coach.helps", "coach.fishing")
            ]
            assert counts == [sum(4 - visible[tile] for tile in helpful)]
            counts_checked += 1
    assert counts_checked > 8


def test_a_claim_that_the_coach_advises_brings_the_hand_as_near_as_it_says() -> None:
    claims = 0
    for seed in range(4):
        for view in play_out(DealSetup(seed), ("sharp",))[0]:
            for choice in advise(view) if view.stage == "claims" else ():
                if choice.move.kind not in ("chow", "pung"):
                    continue
                rest = list(view.concealed)
                for tile in choice.move.tiles:
                    rest.remove(tile)
                claimed_set = (*choice.move.tiles, view.tile or "")
                after = replace(
                    view.hand, exposed=(*view.hand.exposed, claimed_set), concealed=tuple(rest)
                )
                assert choice.missing == min_tiles_needed(after, BMJA)
                claims += 1
    assert claims > 5


def test_a_claim_in_a_goulash_counts_nothing() -> None:
    """Wild tiles make what is missing an estimate."""
    reasons = {
        reason.key
        for seed in range(4)
        for view in play_out(DealSetup(seed, goulash=True), ("sharp",))[0]
        for choice in (advise(view) if view.stage == "claims" else ())
        if choice.move.kind in ("chow", "pung", "kong")
        for reason in choice.reasons
    }
    assert reasons == {"coach.claim-set"}


def test_what_gave_much_away_is_said_and_nothing_else() -> None:
    warnings = 0
    for view in coach_views():
        discards = rank_discards(view, "sharp")
        assert warn_after(view, discards[0].move) is None
        worst = max(discards, key=lambda option: option.outlook.missing)
        warning = warn_after(view, worst.move)
        if warning and warning.key == "coach.gave-tile":
            assert worst.outlook.missing > discards[0].outlook.missing
            assert to_english(warning)
            warnings += 1
    assert warnings > 3


def test_a_missed_mah_jong_is_said() -> None:
    deal = PracticeDeal(
        DealSetup(1, rack=(*DECK[:3], *DECK[12:15], *DECK[20:23], *DECK[40:43], "DR", "DR")), BMJA
    )
    view = make_view(deal, "E")
    assert advise(view)[0].move == Move("E", "mah-jong")
    warning = warn_after(view, view.moves[-1])
    assert warning is not None
    assert warning.key == "coach.gave-mah-jong"
