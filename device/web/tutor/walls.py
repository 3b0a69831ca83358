"""Set up the table step by step, from the seats to the next deal, drawn from the phone's seat.

The address holds everything: rules, seats and throws. So a phone may go back, reload or be passed
on.
"""

from __future__ import annotations

from random import SystemRandom

from flask import Blueprint, abort, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.names import Name
from device.i18n.words import in_a_row, say
from device.views.tutor.table_setup import (
    SETTING_STEPS,
    SetupStep,
    TableSetup,
    describe_step,
    draw_step,
    name_exchanges,
    shows_exchanges,
)
from device.web.fields import query
from device.web.tutor.setting import (
    LONGEST_NAME,
    LONGEST_THREW,
    MOST_NAMES,
    THROWS,
    ThrowError,
    address,
    players_of,
    setting,
    throw_of,
)
from scorer.errors import ScorerError
from scorer.match.game import Game
from scorer.table_setup.east import seat_players, throw_dice
from scorer.table_setup.wall import TWO_DICE_TOTALS, WALLS
from scorer.tiles import WINDS

pages = Blueprint("walls", __name__, url_prefix="/learn/wall")

ASKS: tuple[SetupStep, ...] = ("which", "where")
"""The steps that need a throw of the dice, in the order of `THROWS`."""

_UNPLAYABLE = 422


@pages.get("/")
def show() -> str | AnyResponse | tuple[str, int]:
    """Show a step, and ask for the dice if it needs them."""
    step = _step()
    try:
        table = setting()
    except ThrowError as error:
        wrong = next(i for i, name in enumerate(THROWS) if not _fits(name))
        page = _page(setting(without=THROWS[wrong:]), ASKS[wrong], str(error))
        return page, _UNPLAYABLE
    needed = min(SETTING_STEPS.index(step) - SETTING_STEPS.index("build"), table.rules.throws)
    if step != "next" and len(table.throws) < needed and step != ASKS[len(table.throws)]:
        return redirect(address(step=ASKS[len(table.throws)]), 303)
    return _page(table, step)


@pages.get("/throw")
def throw() -> AnyResponse:
    """Throw two dice, and go back to the step that asked for them."""
    step = _step()
    if step not in ASKS:
        abort(404)
    faces = "-".join(map(str, throw_dice(SystemRandom())))
    return redirect(address(step=step, **{THROWS[ASKS.index(step)]: faces}), 303)


@pages.get("/draw")
def draw() -> str | AnyResponse | tuple[str, int]:
    """Draw the winds for the names in the form, or throw for East, and show the seats."""
    table = setting(without=("name", "threw", *THROWS))
    names = [name for name in query().texts("name", LONGEST_NAME, MOST_NAMES) if name]
    try:
        Game(tuple(names), ruleset=table.game.ruleset)
    except ScorerError as error:
        wrong = in_a_row(each.message for each in error.problems)
        return _page(table, "seats", wrong), _UNPLAYABLE
    if len(names) not in table.rules.kong_box:
        return _page(table, "seats", say("walls.too-many")), _UNPLAYABLE
    seated = seat_players(names, table.game.ruleset, SystemRandom())
    threw = [" + ".join(str(sum(dice)) for dice in each) for each in seated.throws]
    return redirect(address(step="seats", name=seated.players, threw=threw), 303)


def _step() -> SetupStep:
    step = query().word("step", SETTING_STEPS[0])
    found = next((each for each in SETTING_STEPS if each == step), None)
    if found is None:
        abort(404)
    return found


def _fits(name: str) -> bool:
    """Whether a throw in the address is valid or missing."""
    word = query().word(name).strip()
    try:
        return not word or bool(throw_of(word))
    except ThrowError:
        return False


def _page(table: TableSetup, step: SetupStep, wrong: str = "") -> str:
    at = SETTING_STEPS.index(step)
    turn = ASKS.index(step) if step in ASKS else len(ASKS)
    asks = len(table.throws) <= turn < table.rules.throws
    threw = query().texts("threw", LONGEST_THREW, MOST_NAMES)
    thrower = ("E", table.chosen or "E")[turn] if asks else ""
    return render_template(
        "tutor/walls.html",
        table=table,
        step=step,
        number=at + 1,
        steps=len(SETTING_STEPS),
        back=SETTING_STEPS[at - 1] if at else None,
        following=SETTING_STEPS[at + 1] if at + 1 < len(SETTING_STEPS) else None,
        says=describe_step(table, step),
        drawing=draw_step(table, step),
        swaps=name_exchanges(table) if shows_exchanges(table, step) else (),
        asks=THROWS[turn] if asks else "",
        thrower=table.seats.get(thrower, WINDS.get(thrower, "")),
        thrown=table.throws[turn] if turn < len(table.throws) else None,
        again=THROWS[turn:],
        dice=TWO_DICE_TOTALS,
        wrong=wrong,
        typed=tuple(map(Name, query().texts("name", LONGEST_NAME, MOST_NAMES))),
        variants=tuple(WALLS),
        players_of=players_of,
        winds=WINDS,
        address=address,
        threw=threw if table.named and not table.match else (),
    )
