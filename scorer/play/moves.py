"""What a player does in a deal: the events that a deal is replayed from.

>>> move = Move("E", "discard", ("B9",), fishing=True)
>>> move_from_json(move.to_json()) == move
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from scorer.errors import ScorerError, error
from scorer.hand import Codes
from scorer.message import Message, Value, message

MoveKind = Literal[
    "discard",
    "pass",
    "chow",
    "pung",
    "kong",
    "concealed-kong",
    "added-kong",
    "mah-jong",
    "swap",
    "stand",
    "stop",
]
"""`kong` claims a discard. In a goulash `stand` declares fishing instead of swapping, and `stop`
ends the swaps if everybody else wants that, too (BMJA-G03)."""

Stage = Literal["swap", "turn", "claims", "robbing", "over"]
"""What a deal waits for."""

TileSource = Literal["deal", "wall", "loose", "claim"]
"""Where the player whose turn it is took the last tile from."""

MOVE_KINDS: tuple[MoveKind, ...] = get_args(MoveKind)


@dataclass(frozen=True, slots=True)
class DealEnd:
    """How a deal ended."""

    winner: str | None
    """The winner's seat; None after a wash-out."""
    won_by: Codes = ()
    """Words of `WAYS_OF_WINNING`."""
    tile: str | None = None
    """The winning tile."""
    discarder: str | None = None
    """Who discarded it, or whose kong was robbed."""


class PlayError(ScorerError):
    """Raised for a move or a setup that the rules do not allow."""


def refuse(key: str, **values: Value) -> PlayError:
    """Return the error with the sentence `play.KEY`."""
    return refuse_because(key, message(f"play.{key}", **values))


def refuse_because(code: str, text: Message) -> PlayError:
    """Return the error with this sentence."""
    return PlayError((error(code, text),))


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that a player does."""

    seat: str
    kind: MoveKind
    tiles: Codes = ()
    """The discard; a claimer's own tiles of the set; the tiles of a declared kong; the swap."""
    fishing: bool = False
    """Whether the player announces fishing with this discard (BMJA-F01)."""

    @property
    def base_move(self) -> Move:
        """The same move without the announcement."""
        return replace(self, fishing=False) if self.fishing else self

    def to_json(self) -> dict[str, Any]:
        """Return the move as plain values, for the log."""
        return {
            "seat": self.seat,
            "kind": self.kind,
            "tiles": list(self.tiles),
            "fishing": self.fishing,
        }


def move_from_json(data: Mapping[str, Any]) -> Move:
    """Return a move as `Move.to_json` wrote it; raise PlayError for anything else."""
    try:
        kind, tiles = data["kind"], tuple(map(str, data["tiles"]))
        if kind in MOVE_KINDS:
            return Move(str(data["seat"]), kind, tiles, data.get("fishing", False) is True)
    except (KeyError, TypeError, AttributeError):
        pass
    raise refuse("old-version")
