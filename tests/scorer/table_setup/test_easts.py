"""Who is East and why, and what follows, told as the game's own course has it."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.match.entries import WashOut, WonDeal
from scorer.match.game import Game
from scorer.table_setup.east import EXCHANGE_PAIRS, explain_east, explain_next_deal
from scorer.table_setup.steps import Step
from scorer.tile_names import name_wind
from scorer.tiles import WINDS

NAMES = ("Ann", "Bob", "Cy", "Di", "Eve")


def after(winners: list[str | None], players: int = 4, ruleset: str = "bmja") -> Game:
    """Return a game of which these deals were won, or not won by anybody."""
    game = Game(NAMES[:players], ruleset=ruleset)
    for winner in winners:
        winds = game.course.next_deal.seating.winds
        scores = dict.fromkeys(winds, 8)
        game = game.with_entry(WonDeal(winner, scores) if winner else WashOut())
    return game


REASONS: list[tuple[list[str | None], int, str, str, str, str]] = [
    ([], 4, "bmja", "BMJA-P02", "Ann drew", "the first deal"),
    (["Ann"], 4, "bmja", "BMJA-W01", "Ann was East and won", "East stays by winning"),
    ([None], 4, "bmja", "BMJA-P18", "Nobody won", "East stays after a wash-out"),
    (["Cy"], 4, "bmja", "BMJA-W01", "Bob, who was South, is East", "not the winner: the next"),
    (["Cy", None], 4, "bmja", "BMJA-P18", "Bob stays East", "the last deal says why"),
    (["Bob"], 2, "bmja", "BMJA-W01", "Bob, who was West, is East", "two sit opposite"),
    (["Bob"], 5, "bmja", "BMJA-W01", "Bob, who was South, is East", "the dreamer comes as North"),
    ([], 4, "safalra", "SAF-S01", "Ann threw", "thrown for, not drawn"),
    (["Cy"], 4, "safalra", "SAF-P07", "Cy won the last deal", "the winner is East"),
    (["Ann"], 4, "safalra", "SAF-P07", "Ann won the last deal", "also by winning as East"),
    ([None], 4, "safalra", "SAF-P06", "Ann stays East", "a dead game"),
]


@pytest.mark.parametrize(("winners", "players", "ruleset", "rule", "key", "reason"), REASONS)
def test_why_east_is_east(
    winners: list[str | None], players: int, ruleset: str, rule: str, key: str, reason: str
) -> None:
    step = explain_east(after(winners, players, ruleset))
    assert step.rule == rule, reason
    assert key in step.text, reason


FOLLOWS: list[tuple[list[str | None], int, str, list[str], str]] = [
    ([], 4, "bmja", ["Ann stays", "Bob becomes", "wash-out"], "the winds pass on to South"),
    (["Bob", "Ann", "Ann"], 4, "bmja",
     ["Di stays", "Ann becomes", "prevailing wind becomes South", "wash-out"],
     "W02: the first East is next"),
    ([*["Bob", "Ann", "Ann", "Ann"] * 3, "Bob", "Ann", "Ann"], 4, "bmja",
     ["Di stays", "Ann becomes", "match is over", "wash-out"], "W02: after four rounds"),
    ([], 5, "bmja", ["Ann stays", "Bob becomes", "Ann then sits a deal out, and Eve comes in as "
     "North", "wash-out"], "N03"),
    (["Cy"], 4, "safalra", ["Cy stays", "the winner becomes", "Cy stays"], "P06, P07"),
]  # fmt: skip


@pytest.mark.parametrize(("winners", "players", "ruleset", "keys", "reason"), FOLLOWS)
def test_what_follows(
    winners: list[str | None], players: int, ruleset: str, keys: list[str], reason: str
) -> None:
    steps = explain_next_deal(after(winners, players, ruleset))
    assert len(steps) == len(keys), reason
    for step, part in zip(steps, keys, strict=True):
        assert part in step.text, reason


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game so far."""
    ruleset = draw(st.sampled_from(["bmja", "safalra"]))
    game = Game(NAMES[: draw(st.integers(2, 5 if ruleset == "bmja" else 4))], ruleset=ruleset)
    for _ in range(draw(st.integers(0, 8))):
        players = list(game.course.next_deal.seats.values())
        winner = draw(st.sampled_from([None, *players]))
        game = game.with_entry(WonDeal(winner, dict.fromkeys(players, 8)) if winner else WashOut())
    return game


def _player_named(step: Step, name: str) -> object:
    return step.says.values[name]


@given(games())
def test_what_is_foretold_comes_true(game: Game) -> None:
    steps = {step.says.key: step for step in explain_next_deal(game)}
    deal = game.course.next_deal
    for winner in [None, *deal.seats.values()]:
        scores = dict.fromkeys(deal.seats.values(), 8)
        next_game = game.with_entry(WonDeal(winner, scores) if winner else WashOut())
        east = next_game.course.next_deal.seats["E"]
        if winner is None:
            sentence = "if-nobody" if game.ruleset == "bmja" else "if-dead"
            assert _player_named(steps[f"step.{sentence}"], "east") == east
            assert next_game.course.next_deal.goulash == (sentence == "if-nobody")
        elif winner == deal.seats["E"]:
            assert _player_named(steps["step.if-east-wins"], "east") == east
        elif game.ruleset == "safalra":
            assert east == winner
            assert "step.if-winner" in steps
        else:
            assert _player_named(steps["step.if-other-wins"], "new") == east
            is_over, prevailing = (f"step.then-{what}" in steps for what in ("over", "prevailing"))
            assert next_game.course.is_over == (is_over or game.course.is_over)
            if prevailing:
                after_it = next_game.course.next_deal.prevailing_wind or ""
                assert _player_named(steps["step.then-prevailing"], "wind") == name_wind(after_it)
            assert (next_game.course.next_deal.round != deal.round) == (is_over or prevailing)


@given(games())
def test_the_reason_names_who_is_east(game: Game) -> None:
    assert _player_named(explain_east(game), "player") == game.course.next_deal.seats["E"]


def test_the_three_exchanges_bring_everybody_together_once() -> None:
    pairs = [frozenset(pair) for exchange in EXCHANGE_PAIRS for pair in exchange]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, combinations(WINDS, 2))), "G02"
    assert all(set("".join(exchange)) == set(WINDS) for exchange in EXCHANGE_PAIRS)
    assert EXCHANGE_PAIRS[0] == ("EW", "NS"), "across first"
