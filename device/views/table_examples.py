"""Show what a figure or a choice changes at the table that no hand's score shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from device.i18n.words import group_digits, say, sign_amount, wind_name
from device.views.tutor.lesson import EXAMPLE_SCORES
from scorer.match.game import Game
from scorer.match.penalties import available_penalties, suggest_charge
from scorer.match.settlement import Terms, settle
from scorer.ruleset import Ruleset
from scorer.table_setup.wall import break_wall, deal, wall_rules
from scorer.tiles import WINDS

_WINNER = "S"
_DEALT_SEATS = {2: "EW", 3: "ESW"}
_ANY_THROW = 7
_NBSP = "\N{NO-BREAK SPACE}"


def scene_of(row: str) -> str:
    """Return what happens in the example of a row; empty for a row that hands show."""
    figures = {name: EXAMPLE_SCORES[wind] for name, wind in _SCORE_NAMES.items()}
    return say(f"custom-rules.scene.{row}", **figures) if row in _OUTCOMES else ""


def describe_outcome(row: str, rules: Ruleset) -> str:
    """Return how the example of a row ends by these rules."""
    return _OUTCOMES[row](rules)


_SCORE_NAMES = {"east": "E", "winner": _WINNER, "west": "W", "north": "N"}


def _tiles_to_draw(rules: Ruleset) -> str:
    wall = wall_rules(rules)
    throws = (_ANY_THROW,) * wall.throws
    left = {
        players: len(
            deal(break_wall(throws, wall, players=players), _DEALT_SEATS.get(players, "ESWN")).left
        )
        for players in wall.kong_box
    }
    return " · ".join(f"{say(f'custom-rules.field.{each}')}{_NBSP}{left[each]}" for each in left)


def _tallies_after_penalties(rules: Ruleset) -> str:
    """Return what everybody has after one misnamed tile and one false Mah-Jong."""
    east, south, west, north = WINDS
    game = Game(tuple(WINDS), ruleset=rules.name, start=rules.payments.tallies)
    payments = {
        "misnamed-discard": (east, (south,)),
        "false-mah-jong": (west, (east, south, north)),
    }
    for penalty in available_penalties(len(WINDS), rules):
        if penalty.code in payments:
            offender, payees = payments[penalty.code]
            game = game.with_entry(suggest_charge(penalty, offender, payees, rules))
    totals = game.course.totals.items()
    return _by_wind({w: group_digits(total).replace("-", "\N{MINUS SIGN}") for w, total in totals})


def _paid_under_south(rules: Ruleset) -> str:
    double = "S" if rules.is_on("prevailing_wind_doubles") else "E"
    net = settle(EXAMPLE_SCORES, _WINNER, terms=Terms(double=double)).net
    return _by_wind({wind: sign_amount(gain) for wind, gain in net.items()})


def _loose_pairs(rules: Ruleset) -> str:
    lower, upper = sorted(wall_rules(rules).loose_on)
    return say("custom-rules.loose-pairs", near=lower, far=upper)


def _by_wind(texts: Mapping[str, str]) -> str:
    return " · ".join(f"{wind_name(wind)}{_NBSP}{text}" for wind, text in texts.items())


_OUTCOMES: Mapping[str, Callable[[Ruleset], str]] = MappingProxyType(
    {
        "kong_box": _tiles_to_draw,
        "payments": _tallies_after_penalties,
        "prevailing_wind_doubles": _paid_under_south,
        "loose_tiles_spread": _loose_pairs,
    }
)
"""By the block of a row, or the name of a switch."""
