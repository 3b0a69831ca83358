"""Set up the table step by step, from the seats to the next deal, drawn from the phone's seat.

The address holds everything: rules, seats and throws. So a phone may go back, reload or be passed
on.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from random import SystemRandom
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import in_a_row, say, wind_name
from device.views.tutor.table_setup import (
    SETTING_STEPS,
    DiceThrow,
    SetupStep,
    TableSetup,
    describe_step,
    draw_step,
    name_exchanges,
    shows_exchanges,
)
from device.web.contexts import room
from device.web.fields import FieldsSent, query
from device.web.table.current_match import phone_player
from device.web.table.match_form import MAX_NAME_CHARS
from device.web.tutor.rules import agreement_in_force, rules_named
from scorer.errors import ScorerError
from scorer.match.game import Game
from scorer.match.seating import FIRST_SEATS
from scorer.table_setup.east import seat_players, throw_dice
from scorer.table_setup.wall import (
    MINIATURE,
    TWO_DICE_TOTALS,
    WALL_NAMES,
    WallRules,
    miniature_wall,
    usual_player_count,
    wall_rules,
)
from scorer.tiles import WINDS

pages = Blueprint("walls", __name__, url_prefix="/learn/wall")

THROW_STEPS: tuple[SetupStep, ...] = ("which", "where")
"""The steps that need a throw of the dice, in the order of `THROW_FIELDS`."""

_REFUSED_STATUS = 422


@pages.get("/")
def show() -> str | AnyResponse | tuple[str, int]:
    """Show a step, and ask for the dice if it needs them."""
    step = _asked_step()
    try:
        table = read_setting()
    except ThrowError as error:
        wrong = next(i for i, name in enumerate(THROW_FIELDS) if not _is_valid_throw(name))
        page = _step_page(
            read_setting(ignored_fields=THROW_FIELDS[wrong:]), THROW_STEPS[wrong], str(error)
        )
        return page, _REFUSED_STATUS
    needed_throws = min(
        SETTING_STEPS.index(step) - SETTING_STEPS.index("build"), table.rules.throws
    )
    if (
        step != "next"
        and len(table.throws) < needed_throws
        and step != THROW_STEPS[len(table.throws)]
    ):
        return redirect(step_url(step=THROW_STEPS[len(table.throws)]), 303)
    return _step_page(table, step)


@pages.get("/throw")
def throw() -> AnyResponse:
    """Throw two dice, and go back to the step that asked for them."""
    step = _asked_step()
    if step not in THROW_STEPS:
        abort(404)
    faces = "-".join(map(str, throw_dice(SystemRandom())))
    return redirect(step_url(step=step, **{THROW_FIELDS[THROW_STEPS.index(step)]: faces}), 303)


@pages.get("/draw")
def draw() -> str | AnyResponse | tuple[str, int]:
    """Draw the winds for the names in the form, or throw for East, and show the seats."""
    table = read_setting(ignored_fields=("name", "threw", *THROW_FIELDS))
    names = [name for name in query().texts("name", MAX_NAME_CHARS, MAX_NAMES) if name]
    try:
        Game(tuple(names), ruleset=table.game.ruleset)
    except ScorerError as error:
        wrong = in_a_row(each.message for each in error.problems)
        return _step_page(table, "seats", wrong), _REFUSED_STATUS
    if len(names) not in table.rules.kong_box:
        return _step_page(table, "seats", say("walls.too-many")), _REFUSED_STATUS
    seats = seat_players(names, table.game.ruleset, SystemRandom())
    threw = [" + ".join(str(sum(dice)) for dice in each) for each in seats.throws]
    return redirect(step_url(step="seats", name=seats.players, threw=threw), 303)


def _asked_step() -> SetupStep:
    step = query().word("step", SETTING_STEPS[0])
    asked_step = next((each for each in SETTING_STEPS if each == step), None)
    if asked_step is None:
        abort(404)
    return asked_step


def _is_valid_throw(name: str) -> bool:
    """Whether a throw in the address is valid or missing."""
    word = query().word(name).strip()
    try:
        return not word or bool(parse_throw(word))
    except ThrowError:
        return False


def _step_page(table: TableSetup, step: SetupStep, wrong: str = "") -> str:
    step_index = SETTING_STEPS.index(step)
    turn = THROW_STEPS.index(step) if step in THROW_STEPS else len(THROW_STEPS)
    asks = len(table.throws) <= turn < table.rules.throws
    threw = query().texts("threw", MAX_THREW_CHARS, MAX_NAMES)
    thrower = ("E", table.chosen or "E")[turn] if asks else ""
    return render_template(
        "tutor/walls.html",
        table=table,
        step=step,
        number=step_index + 1,
        steps=len(SETTING_STEPS),
        back=SETTING_STEPS[step_index - 1] if step_index else None,
        following=SETTING_STEPS[step_index + 1] if step_index + 1 < len(SETTING_STEPS) else None,
        says=describe_step(table, step),
        drawing=draw_step(table, step),
        swaps=name_exchanges(table.seats) if shows_exchanges(table, step) else (),
        asks=THROW_FIELDS[turn] if asks else "",
        thrower=table.seats.get(thrower) or (wind_name(thrower) if thrower else ""),
        thrown=table.throws[turn] if turn < len(table.throws) else None,
        again=THROW_FIELDS[turn:],
        dice=TWO_DICE_TOTALS,
        wrong=wrong,
        typed=tuple(query().texts("name", MAX_NAME_CHARS, MAX_NAMES)),
        variants=WALL_NAMES,
        players_of=player_counts,
        winds=WINDS,
        address=step_url,
        threw=threw if table.named and not table.match else (),
    )


CARRIED_FIELDS = ("rules", "players", "seat", "first", "second", "name", "threw")
"""The fields that every address carries from step to step."""

THROW_FIELDS = ("first", "second")

MAX_NAMES = 5
"""Most names that are read. At most five players share a game (BMJA-N03)."""

MAX_THREW_CHARS = 30
"""Characters in the list of one player's throws: a few sums."""

_THROW_PATTERN = re.compile(r"(?P<sum>\d{1,2})|(?P<a>[1-6])-(?P<b>[1-6])")


class ThrowError(Exception):
    """Two dice cannot show this throw; the text says so to the player."""


def read_setting(ignored_fields: Container[str] = ()) -> TableSetup:
    """Return the table that this address describes, ignoring the fields in `ignored_fields`.

    Answers 404 for invalid values. Raises ThrowError for a throw that two dice cannot show.
    """
    args = MultiDict(
        (key, word) for key, word in request.args.items(True) if key not in ignored_fields
    )
    match = room().matches.current()
    if match is not None:
        variant = match.game.ruleset
        seat = match.course.next_deal.seating.winds.get(phone_player(match), "E")
        wall = wall_rules(match.agreement.rules)
        table = TableSetup(variant, wall, match.game, match, True, seat)
    else:
        table = _setting_without_match(args)
    seat = args.get("seat", table.seat)
    if seat not in WINDS:
        abort(404)
    return replace(table, seat=seat, throws=_read_throws(args, table.rules))


QueryArgs = MultiDict[str, str]


def _setting_without_match(args: QueryArgs) -> TableSetup:
    fields = FieldsSent(args)
    variant = fields.word("rules", agreement_in_force().ruleset)
    if variant not in WALL_NAMES:
        abort(404)
    rules = _wall_rules(variant)
    names = tuple(fields.texts("name", MAX_NAME_CHARS, MAX_NAMES))
    players = len(names) or fields.place("players", default=usual_player_count(rules))
    if players not in rules.kong_box:
        abort(404)
    ruleset = "bmja" if variant == "bmja" else "safalra"
    game = Game(
        names or _wind_names(players), ruleset=ruleset, goulash=rules_named(ruleset).goulash
    )
    return TableSetup(variant, rules, game, None, bool(names))


def _wind_names(players: int) -> tuple[str, ...]:
    """Return names for players without one: their winds."""
    winds = tuple(wind_name(wind) for wind in FIRST_SEATS[players])
    return winds + (say("walls.fifth"),) * (players - len(winds))


def _wall_rules(variant: str) -> WallRules:
    return miniature_wall() if variant == MINIATURE else wall_rules(rules_named(variant))


def _read_throws(args: QueryArgs, rules: WallRules) -> tuple[DiceThrow, ...]:
    """Return the throws in the address; the second counts only with a first."""
    throws = []
    for name in THROW_FIELDS[: rules.throws]:
        word = args.get(name, "").strip()
        if not word:
            break
        throws.append(parse_throw(word))
    return tuple(throws)


def parse_throw(word: str) -> DiceThrow:
    """Return the throw for a word like `8` or `3-5`. Raise ThrowError for any other."""
    fits = _THROW_PATTERN.fullmatch(word)
    if fits and fits["a"]:
        faces = int(fits["a"]), int(fits["b"])
        return DiceThrow(sum(faces), faces)
    if fits and int(fits["sum"]) in TWO_DICE_TOTALS:
        return DiceThrow(int(fits["sum"]))
    raise ThrowError(say("walls.bad-throw", word=word[:20]))


def step_url(
    endpoint: str = "walls.show", *, without: Container[str] = (), **changes: object
) -> str:
    """Return the address of a step for the same table, with these changes."""
    kept_fields: dict[str, Any] = {
        key: _carried_values(key)
        for key in CARRIED_FIELDS
        if key in request.args and key not in without
    }
    return url_for(endpoint, **{**kept_fields, **changes})


def _carried_values(key: str) -> tuple[str, ...]:
    """Return the values of a field, to be carried on, limited in number and length."""
    return query().texts(key, MAX_THREW_CHARS, MAX_NAMES)


def player_counts(variant: str) -> tuple[int, ...]:
    """Return the numbers of players that can play by these rules."""
    return tuple(_wall_rules(variant).kong_box)
