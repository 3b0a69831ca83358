"""Setting up a table: players, seats and dice, and what each step says and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from device.i18n.words import say, wind_name
from device.matches.match import Match
from device.tutoring.square import (
    Square,
    SquareStage,
    broken_square,
    built_square,
    chosen_square,
    sides,
)
from device.views.tutor.wall_drawing import WallDrawing, draw_letters, draw_seats, draw_tiles
from scorer.match.game import Game
from scorer.table_setup import steps
from scorer.table_setup.east import (
    EXCHANGE_PAIRS,
    EXCHANGED_TILES,
    Dice,
    explain_east,
    explain_next_deal,
    list_exchanges,
)
from scorer.table_setup.wall import (
    MINIATURE,
    DealtWall,
    Wall,
    WallRules,
    break_wall,
    choose_wall,
    deal,
)
from scorer.tile_names import name_wind
from scorer.tiles import WINDS

SetupStep = Literal["seats", "build", "which", "where", "box", "deal", "play", "next"]

SETTING_STEPS: tuple[SetupStep, ...] = get_args(SetupStep)


@dataclass(frozen=True, slots=True)
class DiceThrow:
    """What two dice showed together."""

    total: int
    faces: Dice | None = None
    """What each die showed; None where a player typed the total."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table that is being set up."""

    variant: str
    """One of `WALL_NAMES`: a ruleset, or Safalra's miniature."""
    rules: WallRules
    game: Game
    """The match on the table, or one about to begin; unnamed players have winds for names."""
    match: Match | None
    named: bool
    """The players have names."""
    seat: str = "E"
    """The seat of the viewer."""
    throws: tuple[DiceThrow, ...] = ()

    @property
    def players(self) -> int:
        """Return how many share the game; of five players one sits out."""
        return len(self.game.players)

    @property
    def seats(self) -> dict[str, str]:
        """Return the player at each wind, from East."""
        return self.game.course.next_deal.seats

    @property
    def chosen(self) -> str:
        """Return the wind of the wall that the first throw chose; empty before it."""
        return choose_wall(self.throws[0].total) if self.throws else ""

    @property
    def wall(self) -> Wall | None:
        """Return the wall as the dice break it; None while a throw is missing."""
        totals = [throw.total for throw in self.throws][: self.rules.throws]
        if len(totals) < self.rules.throws:
            return None
        return break_wall(totals, self.rules, players=self.players)

    @property
    def dealt(self) -> DealtWall | None:
        """Return the deal; None while a throw is missing."""
        return deal(self.wall, "".join(self.seats)) if self.wall else None


SENTENCE_RULES: Mapping[str, Mapping[str, str]] = {
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

DIRECTION_RULES = {"bmja": "BMJA-P11", "safalra": "SAF-S06"}


@dataclass(frozen=True, slots=True)
class StepSentence:
    """A sentence and the rule behind it."""

    text: str
    rule: str = ""


def say_step(step: steps.Step) -> StepSentence:
    """Return one of the scorer's steps in the current language."""
    return StepSentence(say(step.says), step.rule)


def describe_step(table: TableSetup, step: SetupStep) -> tuple[StepSentence, ...]:
    """Return the sentences of a step whose throws are all known."""
    return tuple(_SENTENCES_BY_STEP[step](table))


def name_exchanges(seats: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Return who swaps with whom in a goulash, exchange by exchange (BMJA-G02).

    Of fewer than four players, those swap who are there.
    """
    return tuple(
        tuple(" ↔ ".join(seats[wind] for wind in pair) for pair in exchange)
        for exchange in list_exchanges(seats)
        if exchange
    )


def shows_exchanges(table: TableSetup, step: SetupStep) -> bool:
    """Return whether a step shows the goulash's exchanges; only with four players.

    A goulash shows them before play; any other deal shows them with what follows.
    """
    if table.game.ruleset != "bmja" or not table.game.goulash or len(table.seats) < len(WINDS):
        return False
    return step == ("play" if table.game.course.next_deal.goulash else "next")


def draw_step(table: TableSetup, step: SetupStep) -> WallDrawing:
    """Return the picture of a step."""
    seat_sides = sides(table.seat)
    walls: list[str] = []
    middle = ""
    if step == "which" and table.throws:
        middle = str(table.throws[0].total)
        walls = [choose_wall(number) for number in range(1, table.throws[0].total + 1)]
    elif step == "where" and table.wall:
        middle = str(table.wall.count)
    elif step == "play" and table.dealt:
        middle = str(len(table.dealt.left))
    square = _draw_square(table, step)
    return WallDrawing(
        tiles=draw_tiles(square) if square else (),
        letters=draw_letters(square) if square else (),
        seats=draw_seats(seat_sides, table.seats, walls),
        turn_direction="clockwise" if step in ("where", "box", "deal") else "anticlockwise",
        middle=middle,
    )


_SQUARE_STAGES: Mapping[SetupStep, SquareStage] = {
    "where": "counted",
    "box": "broken",
    "deal": "dealt",
    "play": "played",
}


def _draw_square(table: TableSetup, step: SetupStep) -> Square | None:
    if step in ("seats", "next"):
        return None
    if step in _SQUARE_STAGES and table.wall:
        return broken_square(table.wall, table.seat, _SQUARE_STAGES[step], table.dealt)
    if step != "build" and table.chosen:
        return chosen_square(table.rules, table.seat, table.chosen)
    return built_square(table.rules, table.seat)


def _say_for_ruleset(table: TableSetup, sentence: str, **values: object) -> Iterator[StepSentence]:
    """Yield one of the page's own sentences, where the ruleset has its rule."""
    ruleset = table.game.ruleset
    if rule := SENTENCE_RULES[sentence].get(ruleset):
        key = f"walls.{ruleset}.{sentence}"
        yield StepSentence(say(key, **values), rule)


def _say_seats(table: TableSetup) -> Iterator[StepSentence]:
    if table.named:
        yield say_step(explain_east(table.game))
    else:
        yield from _say_for_ruleset(table, "draw")
    yield from _say_for_ruleset(table, "round")
    number = {2: "two", 3: "three", 5: "five"}.get(table.players)
    if number:
        yield from _say_for_ruleset(table, number)


def _say_build(table: TableSetup) -> Iterator[StepSentence]:
    if table.variant == MINIATURE:
        yield from _say_for_ruleset(table, "miniature", tiles=table.rules.tiles)
    yield from _say_for_ruleset(table, "shuffle")
    yield say_step(steps.make_step(table.rules.rules["build"], "build", pairs=table.rules.pairs))
    yield from _say_for_ruleset(table, "corners")


def _say_wall_steps(table: TableSetup, *keys: str) -> Iterator[StepSentence]:
    """Yield the scorer's steps with these message keys, for the wall as it breaks."""
    if table.wall and table.dealt:
        for step in (*table.wall.steps, *table.dealt.steps):
            if step.says.key in keys:
                yield say_step(step)


def _say_which_wall(table: TableSetup) -> Iterator[StepSentence]:
    rule = table.rules.rules["which"]
    if table.throws:
        wall = name_wind(table.chosen)
        yield say_step(steps.make_step(rule, "which", throw=table.throws[0].total, wall=wall))
        if table.rules.throws > 1:
            yield from _say_nobody_there(table)


def _say_nobody_there(table: TableSetup) -> Iterator[StepSentence]:
    if table.chosen and table.chosen not in table.seats:
        yield StepSentence(say("walls.nobody-there", wall=wind_name(table.chosen)))


def _say_where_to_break(table: TableSetup) -> Iterator[StepSentence]:
    if not table.wall:
        yield from _say_nobody_there(table)
    yield from _say_wall_steps(
        table, "step.where", "step.where-past", "step.where-adding", "step.where-adding-past"
    )


def _say_kong_box(table: TableSetup) -> Iterator[StepSentence]:
    yield from _say_wall_steps(table, "step.loose", "step.box")
    yield from _say_for_ruleset(table, "apart")


def _say_deal(table: TableSetup) -> Iterator[StepSentence]:
    yield from _say_wall_steps(table, "step.deal")
    if table.dealt:
        counts = table.dealt.counts
        yield from _say_for_ruleset(
            table,
            "counts",
            east=counts.pop("E"),
            others=min(counts.values()),
            left=len(table.dealt.left),
        )


def _say_play(table: TableSetup) -> Iterator[StepSentence]:
    yield from _say_wall_steps(table, "step.bonus")
    if shows_exchanges(table, "play"):
        yield from _say_for_ruleset(
            table, "goulash", times=len(EXCHANGE_PAIRS), tiles=EXCHANGED_TILES
        )
    yield from _say_for_ruleset(
        table, "begin", order=say("walls.comma").join(map(wind_name, table.seats))
    )
    yield StepSentence(say("walls.directions"), DIRECTION_RULES[table.game.ruleset])


def _say_next(table: TableSetup) -> Iterator[StepSentence]:
    course = table.game.course
    if course.is_over:
        yield from _say_for_ruleset(table, "over")
    for step in explain_next_deal(table.game):
        yield say_step(step)
    if course.next_deal.prevailing_wind:
        prevailing = name_wind(course.next_deal.prevailing_wind)
        yield from _say_for_ruleset(
            table, "prevailing", wind=prevailing, first=table.game.order_of_play[0]
        )
    if shows_exchanges(table, "next"):
        yield from _say_for_ruleset(
            table, "goulash", times=len(EXCHANGE_PAIRS), tiles=EXCHANGED_TILES
        )


_SENTENCES_BY_STEP: Mapping[SetupStep, Callable[[TableSetup], Iterator[StepSentence]]] = {
    "seats": _say_seats,
    "build": _say_build,
    "which": _say_which_wall,
    "where": _say_where_to_break,
    "box": _say_kong_box,
    "deal": _say_deal,
    "play": _say_play,
    "next": _say_next,
}
