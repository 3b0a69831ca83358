"""Sentences, rules and pictures of each step of setting up a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from device.i18n.words import say, wind_name
from device.tutoring.square import (
    Square,
    SquareStage,
    broken_square,
    built_square,
    chosen_square,
    sides,
)
from device.views.tutor.setting import Setting, SettingStep
from device.views.tutor.square import Drawing, letters, seats, shapes
from scorer.table_setup import steps
from scorer.table_setup.east import EXCHANGE_PAIRS, EXCHANGED_TILES, explain_east, explain_next_deal
from scorer.table_setup.wall import SAFALRA_MINIATURE_WALL, choose_wall
from scorer.tile_names import name_wind
from scorer.tiles import WINDS

RULES: Mapping[str, Mapping[str, str]] = {
    "draw": {"bmja": "BMJA-P02", "safalra": "SAF-S01"},
    "round": {"bmja": "BMJA-P02", "safalra": "SAF-S01"},
    "two": {"bmja": "BMJA-N02", "safalra": "SAF-N01"},
    "three": {"bmja": "BMJA-N01", "safalra": "SAF-N01"},
    "five": {"bmja": "BMJA-N03"},
    "miniature": {"safalra": "SAF-N03"},
    "shuffle": {"bmja": "BMJA-P03"},
    "corners": {"bmja": "BMJA-P04"},
    "apart": {"bmja": "BMJA-P08", "safalra": "SAF-S05"},
    "counts": {"bmja": "BMJA-P09", "safalra": "SAF-S06"},
    "begin": {"bmja": "BMJA-P12", "safalra": "SAF-P01"},
    "prevailing": {"bmja": "BMJA-W02"},
    "over": {"bmja": "BMJA-W02"},
    "goulash": {"bmja": "BMJA-G02"},
}
"""The rule behind each of the page's own sentences, by ruleset; a ruleset without it skips it."""

DIRECTIONS = {"bmja": "BMJA-P11", "safalra": "SAF-S06"}


@dataclass(frozen=True, slots=True)
class StepSaid:
    """A sentence and the rule behind it."""

    text: str
    rule: str = ""


def said(step: steps.Step) -> StepSaid:
    """Return one of the scorer's steps in the current language."""
    return StepSaid(say(step.says), step.rule)


def says(table: Setting, step: SettingStep) -> tuple[StepSaid, ...]:
    """Return the sentences of a step whose throws are all known."""
    return tuple(_SAYS[step](table))


def exchanges(table: Setting) -> tuple[tuple[str, ...], ...]:
    """Return who swaps with whom in a goulash, exchange by exchange (BMJA-G02)."""
    return tuple(
        tuple(" ↔ ".join(table.seats[wind] for wind in pair) for pair in exchange)
        for exchange in EXCHANGE_PAIRS
    )


def shows_exchanges(table: Setting, step: SettingStep) -> bool:
    """Return whether a step shows the goulash's exchanges; only with four players.

    A goulash shows them before play; any other deal shows them with what follows.
    """
    if table.game.ruleset != "bmja" or len(table.seats) < len(WINDS):
        return False
    return step == ("play" if table.game.course.next_deal.goulash else "next")


def drawing(table: Setting, step: SettingStep) -> Drawing:
    """Return the picture of a step."""
    seen = sides(table.seat)
    walls: list[str] = []
    middle = ""
    if step == "which" and table.throws:
        middle = str(table.throws[0].total)
        walls = [choose_wall(number) for number in range(1, table.throws[0].total + 1)]
    elif step == "where" and table.wall:
        middle = str(table.wall.count)
    elif step == "play" and table.dealt:
        middle = str(len(table.dealt.left))
    shown = _square(table, step)
    return Drawing(
        tiles=shapes(shown) if shown else (),
        letters=letters(shown) if shown else (),
        seats=seats(seen, table.seats, walls),
        turning="clockwise" if step in ("where", "box", "deal") else "anticlockwise",
        middle=middle,
    )


_STAGES: Mapping[SettingStep, SquareStage] = {
    "where": "counted",
    "box": "broken",
    "deal": "dealt",
    "play": "played",
}


def _square(table: Setting, step: SettingStep) -> Square | None:
    if step in ("seats", "next"):
        return None
    if step in _STAGES and table.wall:
        return broken_square(table.wall, table.seat, _STAGES[step], table.dealt)
    if step != "build" and table.chosen:
        return chosen_square(table.rules, table.seat, table.chosen)
    return built_square(table.rules, table.seat)


def _page(table: Setting, sentence: str, **values: object) -> Iterator[StepSaid]:
    """Yield one of the page's own sentences, where the ruleset has its rule."""
    ruleset = table.game.ruleset
    if rule := RULES[sentence].get(ruleset):
        key = f"walls.{ruleset}.{sentence}"
        yield StepSaid(say(key, **values), rule)


def _seats(table: Setting) -> Iterator[StepSaid]:
    if table.named:
        yield said(explain_east(table.game))
    else:
        yield from _page(table, "draw")
    yield from _page(table, "round")
    number = {2: "two", 3: "three", 5: "five"}.get(table.players)
    if number:
        yield from _page(table, number)


def _build(table: Setting) -> Iterator[StepSaid]:
    if table.rules == SAFALRA_MINIATURE_WALL:
        yield from _page(table, "miniature", tiles=table.rules.tiles)
    yield from _page(table, "shuffle")
    yield said(steps.make_step(table.rules.rules["build"], "build", pairs=table.rules.pairs))
    yield from _page(table, "corners")


def _scorers(table: Setting, *wanted: str) -> Iterator[StepSaid]:
    """Yield the scorer's steps with these message keys, for the wall as it breaks."""
    if table.wall and table.dealt:
        for step in (*table.wall.steps, *table.dealt.steps):
            if step.says.key in wanted:
                yield said(step)


def _which(table: Setting) -> Iterator[StepSaid]:
    rule = table.rules.rules["which"]
    if table.throws:
        wall = name_wind(table.chosen)
        yield said(steps.make_step(rule, "which", throw=table.throws[0].total, wall=wall))
        if table.rules.throws > 1:
            yield from _nobody_there(table)


def _nobody_there(table: Setting) -> Iterator[StepSaid]:
    if table.chosen and table.chosen not in table.seats:
        yield StepSaid(say("walls.nobody-there", wall=wind_name(table.chosen)))


_WHERE = tuple(f"step.where{how}" for how in ("", "-past", "-adding", "-adding-past"))


def _where(table: Setting) -> Iterator[StepSaid]:
    if not table.wall:
        yield from _nobody_there(table)
    yield from _scorers(
        table, "step.where", "step.where-past", "step.where-adding", "step.where-adding-past"
    )


def _box(table: Setting) -> Iterator[StepSaid]:
    yield from _scorers(table, "step.loose", "step.box")
    yield from _page(table, "apart")


def _deal(table: Setting) -> Iterator[StepSaid]:
    yield from _scorers(table, "step.deal")
    if table.dealt:
        counts = table.dealt.counts
        yield from _page(
            table,
            "counts",
            east=counts.pop("E"),
            others=min(counts.values()),
            left=len(table.dealt.left),
        )


def _play(table: Setting) -> Iterator[StepSaid]:
    yield from _scorers(table, "step.bonus")
    if shows_exchanges(table, "play"):
        yield from _page(table, "goulash", times=len(EXCHANGE_PAIRS), tiles=EXCHANGED_TILES)
    yield from _page(table, "begin", order=say("walls.comma").join(map(wind_name, table.seats)))
    yield StepSaid(say("walls.directions"), DIRECTIONS[table.game.ruleset])


def _next(table: Setting) -> Iterator[StepSaid]:
    course = table.game.course
    if course.over:
        yield from _page(table, "over")
    for step in explain_next_deal(table.game):
        yield said(step)
    if course.next_deal.prevailing_wind:
        prevailing = name_wind(course.next_deal.prevailing_wind)
        yield from _page(table, "prevailing", wind=prevailing, first=table.game.players[0])
    if shows_exchanges(table, "next"):
        yield from _page(table, "goulash", times=len(EXCHANGE_PAIRS), tiles=EXCHANGED_TILES)


_SAYS: Mapping[SettingStep, Callable[[Setting], Iterator[StepSaid]]] = {
    "seats": _seats,
    "build": _build,
    "which": _which,
    "where": _where,
    "box": _box,
    "deal": _deal,
    "play": _play,
    "next": _next,
}
