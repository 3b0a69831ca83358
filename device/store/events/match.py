"""The events of one match, of the phones at it, and of the photographs of its whole table.

A match has its players and rules, what happened deal by deal, and payments. A photograph of the
whole table is split into its hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from device.store.events.catalogue import Event
from device.store.events.parts import HandPhoto, StoredWords
from vision.reading import Problem


class MatchEvent(Event, frozen=True, kw_only=True):
    """An event of one match. Players are called by their names."""

    streams: ClassVar = ("match",)
    by: str = ""
    """The player whose phone it was; empty for one that has not said whose it is."""


class MatchBegun(MatchEvent, frozen=True):
    """A match begins with its players."""

    kind: ClassVar = "match-begun"
    players: tuple[str, ...]
    """Their names, in order of play from the first East; a fifth sits out at first."""
    ruleset: str
    """Name of the rules: a shipped ruleset's, or a custom one's id and version, `ours-1@3`."""
    limit: int | None
    """The most that a hand may score; null without a limit."""
    house: tuple[str, ...]
    """What is played differently: `name:on` or `name:off`."""
    rules_text: str = ""
    """The whole file of a custom ruleset, by which the match is played for ever; empty for a
    shipped one."""
    seats: str = ""
    """The winds of the first deal, East first; empty for the usual ones."""
    start: int | None = None
    """What everybody begins with; null for what the rules say."""
    double: Literal["east", "prevailing"] = "east"
    """Who pays and receives double."""
    table: str = ""
    """Id of the table that it is played at; empty where there is only one."""


class WinnerEntered(MatchEvent, frozen=True):
    """Somebody says how the deal ended."""

    kind: ClassVar = "winner-said"
    winner: str | None
    """Who went out; null for a wash-out."""
    won_by: str = "wall"
    """How the hand was won."""
    original_call: bool = False
    """The winner called before the first turn."""
    hand: str = ""
    """Id of the hand that was changed with it; empty for none."""
    hand_changes: tuple[int, ...] = ()
    """Numbers of the events that changed that hand: they are undone with it."""


class EndingWithdrawn(MatchEvent, frozen=True):
    """The ending of the deal is withdrawn."""

    kind: ClassVar = "ending-withdrawn"


class HandGiven(MatchEvent, frozen=True):
    """A player's hand of this deal is given in."""

    kind: ClassVar = "hand-given"
    player: str
    """Whose hand it is."""
    hand: str
    """Id of the hand."""
    instead: str | None = None
    """What counted for the player on the phone's page: the id of a hand, a typed score, or empty.
    If something else counts by now, the hand stands beside it until the table decides. Null for a
    phone that knew the newest state."""


class HandsGiven(MatchEvent, frozen=True):
    """The hands of one table photo are given in."""

    kind: ClassVar = "hands-given"
    hands: Mapping[str, str]
    """Ids of the hands, by player."""
    deal: int
    """Number of the deal that the photograph is of."""


class ScoreTyped(MatchEvent, frozen=True):
    """A score is given in without tiles."""

    kind: ClassVar = "score-typed"
    player: str
    """Whose score it is."""
    score: int
    """0 or more."""


class HandAgreed(MatchEvent, frozen=True):
    """Somebody looked at a hand and said that it is right."""

    kind: ClassVar = "hand-agreed"
    player: str
    """Whose hand it is."""
    hand: str
    """Id of the hand that was looked at."""
    score: int | None = None
    """What it came to; null where that was not written down."""


class HandsAgreed(MatchEvent, frozen=True):
    """Somebody looked at several hands at once and said that they are right."""

    kind: ClassVar = "hands-agreed"
    hands: Mapping[str, str]
    """Ids of the hands, by player."""
    scores: Mapping[str, int] = {}
    """What they came to, by player; of none where that was not written down."""


class DealSettled(MatchEvent, frozen=True):
    """The deal is over: its scores count."""

    kind: ClassVar = "deal-settled"
    winner: str | None
    """Who went out; null for a wash-out."""
    scores: Mapping[str, int] = {}
    """By player; of no meaning in a wash-out."""


class DealCorrected(MatchEvent, frozen=True):
    """An earlier entry of the score sheet was wrong, and is replaced."""

    kind: ClassVar = "deal-corrected"
    number: int
    """Of the entry, counted from 1."""
    struck: bool = False
    """It does not count at all. The fields below then have no meaning."""
    winner: str | None = None
    """Who went out; null for a wash-out."""
    won_by: str | None = None
    """How; null for as it was."""
    scores: Mapping[str, int] = {}
    """By player."""
    hand: str = ""
    """Id of the hand that was changed with it; empty for none."""
    hand_changes: tuple[int, ...] = ()
    """Numbers of the events that changed that hand: they are undone with it."""


class ChargeMade(MatchEvent, frozen=True):
    """One player pays others: a penalty, or anything else."""

    kind: ClassVar = "charge-made"
    payer: str
    """Who pays."""
    amounts: Mapping[str, int]
    """What each other player receives."""
    why: StoredWords
    """What for."""
    rule: str | None = None
    """Id of the rule, where there is one."""


class PlayersRenamed(MatchEvent, frozen=True):
    """Players get other names."""

    kind: ClassVar = "players-renamed"
    names: Mapping[str, str]
    """The new name of each old one."""


class PlayersReseated(MatchEvent, frozen=True):
    """The players sat otherwise than the match began: it is replayed with the right seats."""

    kind: ClassVar = "players-reseated"
    order: tuple[str, ...]
    """Their names, in order of play from the first East; a fifth sat out at first."""
    seats: str = ""
    """The winds of the first deal, East first; empty for those with which the match began."""
    scores: Mapping[int, Mapping[str, int]] = {}
    """The scores that other winds give to hands with tiles: by player, by the entry's number."""


class MatchEnded(MatchEvent, frozen=True):
    """The match is over."""

    kind: ClassVar = "match-ended"


class MatchResumed(MatchEvent, frozen=True):
    """The match that was ended goes on."""

    kind: ClassVar = "match-resumed"


class PhonePlayerChosen(Event, frozen=True):
    """A phone says whose it is in a match, or that it is no longer anybody's."""

    kind: ClassVar = "phone-said"
    streams: ClassVar = ("phones",)
    match: str
    """Id of the match."""
    phone: str
    """The phone's random id for this match, which only the phone knows."""
    number: int | None
    """The player's number in the order of play; null for a phone that watches or has left."""


class TableEvent(Event, frozen=True):
    """An event of a photograph of the whole table."""

    streams: ClassVar = ("table photo",)


class TablePhotographed(TableEvent, frozen=True):
    """The whole table was photographed for a deal."""

    kind: ClassVar = "table-photographed"
    match: str
    """Id of the match."""
    deal: int
    """Number of the deal."""
    source: str
    """Who held the camera: a player, `camera` for the box's own, or empty where nobody said."""
    photo: HandPhoto
    """The photograph."""
    by: str = ""
    """The player whose phone asked for the reading; empty where nobody has said."""


class BottomPlayerChosen(TableEvent, frozen=True):
    """Somebody says who sits at the bottom of the picture, also for the camera's next ones."""

    kind: ClassVar = "bottom-said"
    player: str
    """Who."""
    match: str
    """Id of the match."""
    source: str
    """Who held the camera, as above."""


class TableReadingBegun(TableEvent, frozen=True):
    """A reading of the photograph begins. Too many without an end mean a fault."""

    kind: ClassVar = "table-reading-begun"


class TableReadingCutOff(TableEvent, frozen=True):
    """The store failed during a reading: the last beginning does not count as an attempt."""

    kind: ClassVar = "table-reading-cut-off"


class TableDoubted(TableEvent, frozen=True):
    """The photograph is spoilt: it waits until a player takes it again, or has it read."""

    kind: ClassVar = "table-doubted"
    why: tuple[Problem, ...]
    """What is wrong with it and what to do, the most important first."""


class TableAccepted(TableEvent, frozen=True):
    """A player wants the photograph read as it is, though it is spoilt."""

    kind: ClassVar = "table-accepted"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TableRetaken(TableEvent, frozen=True):
    """A player took the photograph again, since it is spoilt; that is kept, but not read."""

    kind: ClassVar = "table-retaken"
    photo: HandPhoto
    """The photograph in its place."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TableReadingAsked(TableEvent, frozen=True):
    """A player wants a photograph that could not be read to be read once more."""

    kind: ClassVar = "table-reading-asked"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class TableRead(TableEvent, frozen=True):
    """The photograph was read, and a hand begun for each side with tiles."""

    kind: ClassVar = "table-read"
    hands: Mapping[str, str]
    """Ids of the hands, by side: `bottom`, `right`, `top`, `left`."""


class TableFailed(TableEvent, Problem, frozen=True):
    """The photograph could not be read."""

    kind: ClassVar = "table-failed"
