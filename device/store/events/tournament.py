"""The events of one tournament: who plays, who sits where in each round, and what came of it.

Players are called by their numbers, counted from 0 in the order in which they came, so that whoever
is called otherwise or takes another's place keeps the results. A stand-in, who fills a table and is
in no ranking, has a number below 0.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from device.store.events.base import Event, EventPart


class RoundSeats(EventPart, frozen=True):
    """Who sits where in one round."""

    tables: tuple[tuple[int, int, int, int], ...]
    """The players of each table: East, South, West, North."""
    out: tuple[int, ...] = ()
    """Who sits out."""


class TournamentEvent(Event, frozen=True, kw_only=True):
    """An event of one tournament."""

    streams: ClassVar = ("tournament",)
    by: str = ""
    """Whose phone it was, or who says so; empty where nobody has said."""


class TournamentBegun(TournamentEvent, frozen=True):
    """A tournament is arranged; nobody is seated yet."""

    kind: ClassVar = "tournament-begun"
    name: str
    """What it is called."""
    players: tuple[str, ...]
    """Their names."""
    rounds: int
    """How many are to be played."""
    minutes: int
    """How long a round is."""
    ranking: Literal["total", "places", "both"] = "total"
    """By the points made, by table points for places, or by those first and then by points."""
    places: tuple[int, ...] = (4, 2, 1, 0)
    """Table points of the first place at a table, of the second and so on."""
    zero_sum: bool = True
    """What a table's four won and lost comes to nothing, and is checked for it."""
    stand_ins: bool = True
    """Tables are filled with stand-ins; else players sit out in turn."""


class RoundsSeated(TournamentEvent, frozen=True):
    """It is settled who will sit where in all rounds that are not drawn yet."""

    kind: ClassVar = "rounds-seated"
    rounds: tuple[RoundSeats, ...]
    """The next round first."""


class RoundDrawn(TournamentEvent, frozen=True):
    """The next round's seats count from now on, and all may see them."""

    kind: ClassVar = "round-drawn"
    number: int
    """Counted from 1."""


class DrawWithdrawn(TournamentEvent, frozen=True):
    """A round that was drawn is not played like that after all; it had no result yet."""

    kind: ClassVar = "draw-withdrawn"
    number: int
    """Counted from 1."""


class RoundClockSet(TournamentEvent, frozen=True):
    """The round's clock shows this at this moment."""

    kind: ClassVar = "round-clock-set"
    number: int
    """Of the round, counted from 1."""
    seconds: int
    """What is left of the round."""
    running: bool = True
    """It goes on from here; else it stands."""
    boot: str = ""
    """Since which start of which computer `up` is counted; empty where that is not known."""
    up: float = 0.0
    """How many seconds the computer had been running: its clock may be set meanwhile."""


class ResultGiven(TournamentEvent, frozen=True):
    """What a table's four have won and lost; the last that is given counts."""

    kind: ClassVar = "result-given"
    round: int
    """Counted from 1."""
    table: int
    """Counted from 1."""
    points: tuple[int, int, int, int]
    """In the order of the table's seats."""
    match: str = ""
    """Id of the match that it was taken from; empty for one that was typed."""
    why: str = ""
    """Why it is another than before."""
    seen: int = 0
    """How many results of the table the phone knew of."""


class TablesChosen(TournamentEvent, frozen=True):
    """It is chosen at which of the box's tables rounds are played, and by which rules."""

    kind: ClassVar = "tables-chosen"
    tables: tuple[str, ...]
    """Ids of the tables, that for the tournament's first table first; empty for none of them."""
    ruleset: str
    """Name of the rules."""
    limit: int | None
    """The most that a hand may score; null without a limit."""
    house: tuple[str, ...]
    """What is played differently: `name:on` or `name:off`."""


class RoundPlayedAt(TournamentEvent, frozen=True):
    """Matches of the round have begun at the box's tables: what they come to is its result."""

    kind: ClassVar = "round-played-at"
    number: int
    """Of the round, counted from 1."""
    matches: tuple[str, ...]
    """Ids of the matches, that of the first table first; empty where none has begun by this."""


class RoundsChanged(TournamentEvent, frozen=True):
    """Another number of rounds is played, or the rounds to come are of another length."""

    kind: ClassVar = "rounds-changed"
    rounds: int
    """How many are played in all."""
    minutes: int
    """How long a round is whose clock has not begun."""


class RoundClosed(TournamentEvent, frozen=True):
    """The round is over: what is given from now on is a correction."""

    kind: ClassVar = "round-closed"
    number: int
    """Counted from 1."""


class PlayerJoined(TournamentEvent, frozen=True):
    """Somebody comes later, and plays from the next round that is drawn."""

    kind: ClassVar = "player-joined"
    name: str
    """What the player is called."""


class PlayerWithdrawn(TournamentEvent, frozen=True):
    """Somebody plays no further round; what was won and lost stays."""

    kind: ClassVar = "player-withdrawn"
    player: int
    """The player's number."""


class PlayerReturned(TournamentEvent, frozen=True):
    """Somebody who had gone plays again from the next round that is drawn."""

    kind: ClassVar = "player-returned"
    player: int
    """The player's number."""


class PlayerReplaced(TournamentEvent, frozen=True):
    """A substitute goes on in a player's place, with what that player had."""

    kind: ClassVar = "player-replaced"
    player: int
    """The number, which stays."""
    name: str
    """What the substitute is called."""


class EntrantRenamed(TournamentEvent, frozen=True):
    """A name was written wrongly."""

    kind: ClassVar = "entrant-renamed"
    player: int
    """The player's number."""
    name: str
    """What the player is called."""


class TournamentEnded(TournamentEvent, frozen=True):
    """No further round is played."""

    kind: ClassVar = "tournament-ended"
