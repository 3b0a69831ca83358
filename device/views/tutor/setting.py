"""Setting up a table: players, seats and dice, and what each step says and draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from device.matches.match import Match
from scorer.match.game import Game
from scorer.table_setup.east import Dice
from scorer.table_setup.wall import DealtWall, Wall, WallRules, break_wall, choose_wall, deal

SettingStep = Literal["seats", "build", "which", "where", "box", "deal", "play", "next"]

STEPS: tuple[SettingStep, ...] = ("seats", "build", "which", "where", "box", "deal", "play", "next")


@dataclass(frozen=True, slots=True)
class Throw:
    """What two dice showed together."""

    total: int
    faces: Dice | None = None
    """What each die showed; None where a player typed the total."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A table that is being set up."""

    variant: str
    """One of `WALLS`: a ruleset, or Safalra's miniature."""
    rules: WallRules
    game: Game
    """The match on the table, or one about to begin; unnamed players have winds for names."""
    match: Match | None
    named: bool
    """The players have names."""
    seat: str = "E"
    """The seat of the viewer."""
    throws: tuple[Throw, ...] = ()

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
