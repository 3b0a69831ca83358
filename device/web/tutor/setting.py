"""The table that is being set up, as the address describes it: rules, seats and throws."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from typing import Any

from flask import abort, request, url_for
from werkzeug.datastructures import MultiDict

from device.i18n.names import Name
from device.i18n.words import say, wind_name
from device.views.tutor.table_setup import DiceThrow, TableSetup
from device.web.box import box
from device.web.fields import FieldsSent, query
from device.web.table.here import me
from device.web.tutor.in_force import agreement_in_force, rules_in_force
from scorer.match.game import Game
from scorer.match.seating import FIRST_SEATS
from scorer.table_setup.wall import (
    TWO_DICE_TOTALS,
    WALLS,
    WallRules,
    usual_player_count,
    wall_rules,
)
from scorer.tiles import WINDS

KEPT = ("rules", "players", "seat", "first", "second", "name", "threw")
"""The fields that every address carries from step to step."""

THROWS = ("first", "second")

LONGEST_NAME = 24

MOST_NAMES = 5
"""Most names that are read. At most five players share a game (BMJA-N03)."""

LONGEST_THREW = 30
"""Characters in the list of one player's throws: a few sums."""

_THROW = re.compile(r"(?P<sum>\d{1,2})|(?P<a>[1-6])-(?P<b>[1-6])")


class ThrowError(Exception):
    """Two dice cannot show this throw; the text says so to the player."""


def setting(without: Container[str] = ()) -> TableSetup:
    """Return the table that this address describes, ignoring the fields in `without`.

    Answers 404 for invalid values. Raises ThrowError for a throw that two dice cannot show.
    """
    args = MultiDict((key, word) for key, word in request.args.items(True) if key not in without)
    match = box().matches.current()
    if match is not None:
        variant = match.game.ruleset
        seat = match.course.next_deal.seating.winds.get(me(match), "E")
        there = TableSetup(variant, _rules(variant), match.game, match, True, seat)
    else:
        there = _without_match(args)
    seat = args.get("seat", there.seat)
    if seat not in WINDS:
        abort(404)
    return replace(there, seat=seat, throws=_throws(args, there.rules))


Args = MultiDict[str, str]


def _without_match(args: Args) -> TableSetup:
    asked = FieldsSent(args)
    variant = asked.word("rules", agreement_in_force().ruleset)
    if variant not in WALLS:
        abort(404)
    rules = _rules(variant)
    names = tuple(map(Name, asked.texts("name", LONGEST_NAME, MOST_NAMES)))
    players = len(names) or asked.place("players", default=usual_player_count(rules))
    if players not in rules.kong_box:
        abort(404)
    ruleset = "bmja" if variant == "bmja" else "safalra"
    game = Game(names or _winds(players), ruleset=ruleset)
    return TableSetup(variant, rules, game, None, bool(names))


def _winds(players: int) -> tuple[str, ...]:
    """Return names for players without one: their winds."""
    winds = tuple(wind_name(wind) for wind in FIRST_SEATS[players])
    return winds + (say("walls.fifth"),) * (players - len(winds))


def _rules(variant: str) -> WallRules:
    spread = agreement_in_force().ruleset == variant and rules_in_force().is_on(
        "loose_tiles_spread"
    )
    return wall_rules(variant, spread=spread)


def _throws(args: Args, rules: WallRules) -> tuple[DiceThrow, ...]:
    """Return the throws in the address; the second counts only with a first."""
    found = []
    for name in THROWS[: rules.throws]:
        word = args.get(name, "").strip()
        if not word:
            break
        found.append(throw_of(word))
    return tuple(found)


def throw_of(word: str) -> DiceThrow:
    """Return the throw for a word like `8` or `3-5`. Raise ThrowError for any other."""
    fits = _THROW.fullmatch(word)
    if fits and fits["a"]:
        faces = int(fits["a"]), int(fits["b"])
        return DiceThrow(sum(faces), faces)
    if fits and int(fits["sum"]) in TWO_DICE_TOTALS:
        return DiceThrow(int(fits["sum"]))
    raise ThrowError(say("walls.bad-throw", word=word[:20]))


def address(
    endpoint: str = "walls.show", *, without: Container[str] = (), **changes: object
) -> str:
    """Return the address of a step for the same table, with these changes."""
    kept: dict[str, Any] = {
        key: _kept(key) for key in KEPT if key in request.args and key not in without
    }
    return url_for(endpoint, **{**kept, **changes})


def _kept(key: str) -> tuple[str, ...]:
    """Return the values of a field, to be carried on, limited in number and length."""
    return query().texts(key, LONGEST_THREW, MOST_NAMES)


def players_of(variant: str) -> tuple[int, ...]:
    """Return the numbers of players that can play by these rules."""
    return tuple(_rules(variant).kong_box)
