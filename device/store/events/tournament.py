"""The events of one tournament: players, seats in each round, and results.

Players have numbers, counted from 0 in the order of joining. So the results stay when a player is
renamed or replaced. A stand-in fills a table, is in no ranking, and has a number below 0.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from device.store.events.catalogue import Event, EventPart


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
    """What ranks players: points, table points for places, or table points and then points."""
    places: tuple[int, ...] = (4, 2, 1, 0)
    """Table points of the first place at a table, of the second and so on."""
    zero_sum: bool = True
    """The four results of a table must add up to zero."""
    stand_ins: bool = True
    """Tables are filled with stand-ins; else players sit out in turn."""


class RoundsSeated(TournamentEvent, frozen=True):
    """The seats of all rounds that are not drawn yet are fixed."""

    kind: ClassVar = "rounds-seated"
    rounds: tuple[RoundSeats, ...]
    """The next round first."""


class RoundDrawn(TournamentEvent, frozen=True):
    """The next round's seats count from now on, and all may see them."""

    kind: ClassVar = "round-drawn"
    number: int
    """Counted from 1."""


class DrawWithdrawn(TournamentEvent, frozen=True):
    """The draw of a round without results is withdrawn."""

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
    """The clock runs; otherwise it is stopped."""
    boot: str = ""
    """Id of the computer's start that `up` counts from; empty if unknown."""
    up: float = 0.0
    """The computer's uptime in seconds, because its clock may be set meanwhile."""


class ResultGiven(TournamentEvent, frozen=True):
    """The results of a table's four players. The last result given counts."""

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
    """Why it differs from the result before."""
    seen: int = 0
    """How many results of the table the phone knew."""


class TablesChosen(TournamentEvent, frozen=True):
    """The box's tables and the rules for the rounds are chosen."""

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
    """Matches of the round have begun at the box's tables. They give its results."""

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
    """A player joins later, and plays from the next draw on."""

    kind: ClassVar = "player-joined"
    name: str
    """What the player is called."""


class PlayerWithdrawn(TournamentEvent, frozen=True):
    """A player leaves and plays no further round. The results stay."""

    kind: ClassVar = "player-withdrawn"
    player: int
    """The player's number."""


class PlayerReturned(TournamentEvent, frozen=True):
    """A player who had left plays again from the next draw on."""

    kind: ClassVar = "player-returned"
    player: int
    """The player's number."""


class PlayerReplaced(TournamentEvent, frozen=True):
    """A substitute takes a player's place, with that player's results."""

    kind: ClassVar = "player-replaced"
    player: int
    """The number, which stays."""
    name: str
    """What the substitute is called."""
    since: int | None = None
    """The first round that the substitute plays; null for the one that is being played, or else the
    next."""


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
