"""A match as the table sees it: the deal that is being scored, and those that were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Literal

from device.hands.hand import HandRecord
from device.hands.situation import Agreement
from device.i18n.names import Name
from scorer.match.game import Course, Deal, Game, GameRow, of_number

_Stage = Literal["play", "hands", "settle"]
"""What the table does: plays a deal, gives its hands in, or looks at who pays whom."""


NOBODY = Name()
"""A phone that has not said whose it is."""


@dataclass(frozen=True, slots=True)
class GivenHand:
    """What a player has given in: a photographed hand, or a score without one."""

    hand: str = ""
    """Id of the hand; empty for a score that was typed."""
    typed: int | None = None
    """The score that was typed; it counts in place of the hand's."""
    agreed: bool = False
    """Somebody looked at it and said that it is right."""
    agreed_to: int | None = None
    """What the hand came to then; None where that was not written down."""
    by: Name = NOBODY
    """The player whose phone gave it in; empty for one that has not said whose it is."""
    others: tuple[GivenHand, ...] = ()
    """What other phones gave in at the same time: the table has yet to say which counts."""
    before: tuple[str, ...] = ()
    """Ids of the hands that counted for the player before this one, or might have."""

    @property
    def counts(self) -> str:
        """What counts, in a word: the score that was typed, else the hand's id, or nothing."""
        return self.hand if self.typed is None else str(self.typed)

    @property
    def every(self) -> tuple[str, ...]:
        """Ids of all hands that were given in for the player."""
        own = (self.hand, *(other.hand for other in self.others), *self.before)
        return tuple(hand for hand in own if hand)


NOTHING = GivenHand()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended."""

    winner: Name | None
    """A player; None for a wash-out."""
    won_by: str = "wall"
    original_call: bool = False


@dataclass(frozen=True)
class DealState:
    """What has been said of one deal."""

    ending: Ending | None = None
    hands: Mapping[Name, GivenHand] = field(default_factory=dict)
    """By player."""

    def given(self, player: str) -> GivenHand:
        """Return what a player has given in."""
        return self.hands.get(Name(player), NOTHING)

    @cached_property
    def holders(self) -> Mapping[str, str]:
        """Whose each hand is: his for whom it counts, or may, before his for whom it did once."""
        once = {hand: player for player, given in self.hands.items() for hand in given.before}
        now = {
            hand: player
            for player, given in self.hands.items()
            for hand in (*(other.hand for other in given.others), given.hand)
            if hand
        }
        return once | now


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A deal that was settled."""

    number: int
    """Of its entry in the game's log, counted from 1."""
    state: DealState
    at: datetime
    by: Name


@dataclass(frozen=True, slots=True)
class Written:
    """Who wrote something into the game's log, or put it right, and when."""

    entry: int
    """Number of the entry that it is about, counted from 1."""
    kind: str
    at: datetime
    by: Name
    """The player's name; empty for a phone that has not said whose it is."""


@dataclass(frozen=True, slots=True)
class Doing:
    """One thing that somebody did, for the history and for taking it back."""

    seq: int
    kind: str
    at: datetime
    by: Name
    """The player's name; empty for a phone that has not said whose it is."""


@dataclass(frozen=True)
class Match:
    """Everything known about one match."""

    id: str
    game: Game
    agreement: Agreement
    """What was agreed about scoring; frozen while the match runs."""
    version: int
    """Number of the last event; grows with everything that anyone does."""
    deal: DealState = field(default_factory=DealState)
    past: tuple[PastDeal, ...] = ()
    """In the order of playing."""
    written: tuple[Written, ...] = ()
    """Everything that was written into the game's log, corrections included, oldest first."""
    doings: tuple[Doing, ...] = ()
    """Without what was taken back."""
    undone: Doing | None = None
    """What was taken back last, and may be done again: nothing has happened since."""
    renamed: Mapping[Name, Name] = field(default_factory=dict)
    """What players were called before, and are called now."""
    begun_at: datetime | None = None
    ended: bool = False
    table: str = ""
    """Id of the table that it is played at; empty where there is only one."""

    def called(self, name: str) -> str:
        """Return what a player is called now, whatever the name was when it was written down."""
        return self.renamed.get(Name(name), name)

    @property
    def course(self) -> Course:
        """Where the game stands."""
        return self.game.course

    @property
    def stage(self) -> _Stage:
        """What the table is doing."""
        if self.deal.ending is None:
            return "play"
        if self.deal.ending.winner is None:
            return "settle"
        seated = self.course.next_deal.seats.values()
        return "settle" if all(self.deal.given(p).agreed for p in seated) else "hands"

    @property
    def awaited(self) -> str | None:
        """The player whose hand is wanted next: the winner's first, then round the table."""
        if self.stage != "hands" or self.deal.ending is None:
            return None
        return next((p for p in self.in_order() if not self.deal.given(p).agreed), None)

    def in_order(self) -> tuple[str, ...]:
        """Return who sits at the table, from the winner on in playing order."""
        seated = tuple(self.course.next_deal.seats.values())
        winner = self.deal.ending.winner if self.deal.ending else None
        first = seated.index(winner) if winner in seated else 0
        return seated[first:] + seated[:first]

    def place_of(self, hand: str) -> tuple[Deal, DealState, str] | None:
        """Return the deal of a hand, what was said of it, and whose hand it is."""
        if holder := self.deal.holders.get(hand):
            return self.course.next_deal, self.deal, holder
        past = self._settled_hands.get(hand)
        row = self.row(past.number) if past else None
        if past is None or row is None or row.deal is None:
            return None
        return row.deal, past.state, past.state.holders[hand]

    @cached_property
    def _settled_hands(self) -> Mapping[str, PastDeal]:
        """In which settled deal each hand was given in: looked through once."""
        return {
            hand: past
            for past in self.past
            for given in past.state.hands.values()
            for hand in given.every
        }

    def past_deal(self, number: int) -> PastDeal | None:
        """Return a deal that was settled, by the number of its entry."""
        return of_number(self.past, number)

    def settled_hand(self, number: int, player: str) -> str:
        """Return the hand that a settled score is of; empty for one that was typed."""
        past = self.past_deal(number)
        given = past.state.given(player) if past else NOTHING
        return given.hand if given.typed is None else ""

    def row(self, number: int) -> GameRow | None:
        """Return the line of the score sheet for an entry; None for one that was struck out."""
        return self.course.row(number)

    def situated(self, record: HandRecord) -> HandRecord:
        """Return a hand with what the table knows of it: winds, winner, what was agreed."""
        place = self.place_of(record.id)
        if place is None:
            return record
        deal, state, player = place
        known: dict[str, object] = {
            "seat_wind": deal.seating.winds.get(player, "E"),
            "prevailing_wind": deal.prevailing_wind or "E",
        }
        if state.ending:
            won = state.ending.winner == player
            known["winner"] = won
            if won:
                known["won_by"] = state.ending.won_by
                known["original_call"] = state.ending.original_call
        given = state.given(player)
        return replace(
            record,
            player=player,
            agreed=given.agreed and given.typed is None and given.hand == record.id,
            agreed_to=given.agreed_to,
            situation=record.situation.with_answers(known),
            agreement=replace(self.agreement, goulash=deal.goulash),
        )
