"""The events of a practice deal, which a learner plays against players of the box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from device.store.events.catalogue import Event

StoredMoves: TypeAlias = tuple[Mapping[str, Any], ...]
"""Moves as `scorer.play.moves.Move.to_json` writes them."""


class PracticeDealEvent(Event, frozen=True):
    """An event of a practice deal."""

    streams: ClassVar = ("practice deal",)


class PracticeDealBegun(PracticeDealEvent, frozen=True):
    """A learner begins a practice deal. With the moves, its setup says all that happens."""

    kind: ClassVar = "practice-deal-begun"
    setup: Mapping[str, Any]
    """The setup as `scorer.play.setup.DealSetup.to_json` writes it, with its version."""
    seat: str
    """The learner's seat: `E`, `S`, `W` or `N`."""
    level: Literal["gentle", "plain", "sharp"]
    """How well the players of the box play."""
    moves: StoredMoves = ()
    """What they do before the learner's first move."""
    name: str = ""
    """The learner's name as written; empty where nobody has said."""
    rules_text: str = ""
    """The whole file of the table's custom ruleset; empty for a shipped one."""
    hand: str = ""
    """The hand whose photograph gave the learner's first tiles; empty for dealt ones."""
    coach: bool = True
    """The coach says when a move gave much away."""


class PracticeMovesMade(PracticeDealEvent, frozen=True):
    """The learner makes a move, and the players of the box theirs until the learner is asked."""

    kind: ClassVar = "practice-moves-made"
    moves: StoredMoves
    """The learner's move first."""
    is_over: bool = False
    """The deal is over after them."""


class PracticeMoveTakenBack(PracticeDealEvent, frozen=True):
    """The learner takes the last move back, and all that followed it."""

    kind: ClassVar = "practice-move-taken-back"


class PracticeCoachSwitched(PracticeDealEvent, frozen=True):
    """The coach is switched on or off."""

    kind: ClassVar = "practice-coach-switched"
    coach: bool
    """The coach says when a move gave much away."""
