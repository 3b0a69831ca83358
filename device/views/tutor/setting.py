"""The table that is being set: by which rules, who sits where, what the dice showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from device.matches.match import Match
from scorer.match.game import Game
from scorer.table_setup.deal import Dealt, deal
from scorer.table_setup.drawing import Dice
from scorer.table_setup.wall import Wall, WallRules, break_wall, wall_chosen

SettingStep = Literal["seats", "build", "which", "where", "box", "deal", "play", "next"]

STEPS: tuple[SettingStep, ...] = ("seats", "build", "which", "where", "box", "deal", "play", "next")


@dataclass(frozen=True, slots=True)
class Throw:
    """What two dice showed together."""

    total: int
    faces: Dice | None = None
    """What each showed; None where a player typed the total."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A table that is being set."""

    variant: str
    """One of `WALLS`: a ruleset, or Safalra's miniature."""
    rules: WallRules
    game: Game
    """The match on the table, or one that is about to begin; players without names have winds."""
    match: Match | None
    named: bool
    """The players have names."""
    seat: str = "E"
    """From where one looks."""
    throws: tuple[Throw, ...] = ()

    @property
    def players(self) -> int:
        """How many share the game; of five one sits out."""
        return len(self.game.players)

    @property
    def seats(self) -> dict[str, str]:
        """Wind to player, from East."""
        return self.game.course.next_deal.seats

    @property
    def chosen(self) -> str:
        """Whose wall the first throw chose; empty before it."""
        return wall_chosen(self.throws[0].total) if self.throws else ""

    @property
    def wall(self) -> Wall | None:
        """The wall as the dice break it; None while a throw is missing."""
        totals = [throw.total for throw in self.throws][: self.rules.throws]
        if len(totals) < self.rules.throws:
            return None
        return break_wall(totals, self.rules, players=self.players)

    @property
    def dealt(self) -> Dealt | None:
        """The deal; None while a throw is missing."""
        return deal(self.wall, "".join(self.seats)) if self.wall else None
