"""The state of a match: the deal being scored, earlier deals, and players' names.

`rename_players` changes the names everywhere in a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Literal

from device.hands.record import Agreement, HandRecord
from device.i18n.names import fold_name
from scorer.errors import error
from scorer.hand import Hand
from scorer.match.entries import Charge, Correction, Entry, GameEvent, WonDeal
from scorer.match.game import Course, Deal, Game, GameError, GameRow, find_numbered
from scorer.match.reachable_scores import score_doubts
from scorer.message import Message, message

_Stage = Literal["play", "hands", "settle"]
"""What the table does: play a deal, enter hands, or look at the payments."""


NO_PLAYER = ""
"""A phone that has not said whose it is."""


@dataclass(frozen=True, slots=True)
class GivenHand:
    """What a player has given for a deal: a photographed hand, or a typed score."""

    hand: str = ""
    """Id of the hand; empty for a typed score."""
    typed: int | None = None
    """The typed score; it counts instead of the hand's."""
    agreed: bool = False
    """Whether somebody has checked it and agreed."""
    agreed_to: int | None = None
    """What the hand came to then; None where that was not written down."""
    by: str = NO_PLAYER
    """The player whose phone gave it in; empty for one that has not said whose it is."""
    others: tuple[GivenHand, ...] = ()
    """What other phones gave at the same time: the table has to choose which counts."""
    before: tuple[str, ...] = ()
    """Ids of hands that counted for the player earlier, or could have."""

    @property
    def counts(self) -> str:
        """What counts: the typed score as text, else the hand's id, else nothing."""
        return self.hand if self.typed is None else str(self.typed)

    @property
    def all_ids(self) -> tuple[str, ...]:
        """Ids of all hands given for the player."""
        counted_ids = (self.hand, *(other.hand for other in self.others), *self.before)
        return tuple(hand for hand in counted_ids if hand)


NO_HAND = GivenHand()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended."""

    winner: str | None
    """A player; None for a wash-out."""
    won_by: str = "wall"
    original_call: bool = False


@dataclass(frozen=True)
class DealState:
    """What is known of one deal."""

    ending: Ending | None = None
    hands: Mapping[str, GivenHand] = field(default_factory=dict)
    """By player."""

    def given_hand(self, player: str) -> GivenHand:
        """Return what a player has given in."""
        return self.hands.get(player, NO_HAND)

    @cached_property
    def holders(self) -> Mapping[str, str]:
        """The player of each hand by hand id; a hand that counts now goes before an earlier one."""
        former_holders = {
            hand: player for player, given in self.hands.items() for hand in given.before
        }
        current_holders = {
            hand: player
            for player, given in self.hands.items()
            for hand in (*(other.hand for other in given.others), given.hand)
            if hand
        }
        return former_holders | current_holders


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A settled deal."""

    number: int
    """Number of its entry in the game's log, counted from 1."""
    state: DealState
    at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """Who wrote or corrected an entry of the game's log, and when."""

    entry: int
    """Number of the entry, counted from 1."""
    kind: str
    at: datetime
    by: str
    """The player's name; empty for a phone that has not said whose it is."""


@dataclass(frozen=True, slots=True)
class MatchAction:
    """One action, for the history and for undo."""

    seq: int
    kind: str
    at: datetime
    by: str
    """The player's name; empty for a phone that has not said whose it is."""
    hand: str = ""
    """Id of the hand that was changed with it; empty for none."""
    hand_changes: tuple[int, ...] = ()
    """Numbers of the events that changed that hand, in order."""
    is_wash_out: bool = False
    """Whether it says or confirms that nobody went out."""


@dataclass(frozen=True)
class Match:
    """The state of one match."""

    id: str
    game: Game
    agreement: Agreement
    """What was agreed about scoring; fixed while the match runs."""
    version: int
    """Number of the last event."""
    deal: DealState = field(default_factory=DealState)
    past: tuple[PastDeal, ...] = ()
    """In playing order."""
    written: tuple[EntryRecord, ...] = ()
    """Everything written into the game's log, including corrections, oldest first."""
    doings: tuple[MatchAction, ...] = ()
    """All actions that were not undone."""
    undone: MatchAction | None = None
    """What was taken back last, and may be done again: nothing has happened since."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """What players were called before, and are called now."""
    begun_at: datetime | None = None
    ended: bool = False
    table: str = ""
    """Id of the table; empty where there is only one."""

    def current_name_of(self, name: str) -> str:
        """Return what a player is called now, whatever the name was when it was written down."""
        return self.renamed.get(name, name)

    @property
    def course(self) -> Course:
        """The course of the game so far."""
        return self.game.course

    @property
    def stage(self) -> _Stage:
        """What the table is doing."""
        if self.deal.ending is None:
            return "play"
        if self.deal.ending.winner is None:
            return "settle"
        players = self.course.next_deal.seats.values()
        return "settle" if all(self.deal.given_hand(p).agreed for p in players) else "hands"

    def is_at_deal(self, number: int) -> bool:
        """Whether this is the deal that is being scored; 0 stands for any."""
        return number in (0, self.course.next_deal.number)

    def score_doubts(
        self, deal: Deal, winner: str | None, scores: Mapping[str, int]
    ) -> tuple[Message, ...]:
        """Return what is wrong with scores that no hand has under the rules of the match.

        None as the winner: nobody has said who it is.
        """
        agreement = self.agreement
        table = Hand(
            ruleset=agreement.ruleset,
            players=agreement.players,
            limit=agreement.limit,
            house=agreement.house,
        )
        doubts = score_doubts(scores, winner, deal, table, agreement.custom_rules)
        return tuple(each.message for each in doubts)

    def in_order(self) -> tuple[str, ...]:
        """Return the seated players in playing order, from the winner on."""
        players = tuple(self.course.next_deal.seats.values())
        winner = self.deal.ending.winner if self.deal.ending else None
        first = players.index(winner) if winner in players else 0
        return players[first:] + players[:first]

    def place_of(self, hand: str) -> tuple[Deal, DealState, str] | None:
        """Return a hand's deal, the state of that deal, and the hand's player."""
        if holder := self.deal.holders.get(hand):
            return self.course.next_deal, self.deal, holder
        past = self._settled_hands.get(hand)
        row = self.row(past.number) if past else None
        if past is None or row is None or row.deal is None:
            return None
        return row.deal, past.state, past.state.holders[hand]

    @cached_property
    def _settled_hands(self) -> Mapping[str, PastDeal]:
        """The settled deal of each hand, by hand id."""
        return {
            hand: past
            for past in self.past
            for given in past.state.hands.values()
            for hand in given.all_ids
        }

    def past_deal(self, number: int) -> PastDeal | None:
        """Return a settled deal by the number of its entry."""
        return find_numbered(self.past, number)

    def settled_hand(self, number: int, player: str) -> str:
        """Return the hand of a settled score; empty for a typed score."""
        past = self.past_deal(number)
        given_hand = past.state.given_hand(player) if past else NO_HAND
        return given_hand.hand if given_hand.typed is None else ""

    def row(self, number: int) -> GameRow | None:
        """Return the score sheet's row of an entry; None if it was struck out."""
        return self.course.row(number)

    def situate(self, record: HandRecord) -> HandRecord:
        """Return a hand with what the match knows: winds, winner and agreement."""
        place = self.place_of(record.id)
        if place is None:
            return replace(record, counts=False)
        deal, state, player = place
        context_fields: dict[str, object] = {
            "seat_wind": deal.seating.winds.get(player, "E"),
            "prevailing_wind": deal.prevailing_wind or "E",
        }
        if state.ending:
            is_winner = state.ending.winner == player
            context_fields["winner"] = is_winner
            if is_winner:
                context_fields["won_by"] = state.ending.won_by
                context_fields["original_call"] = state.ending.original_call
        given_hand = state.given_hand(player)
        is_given = given_hand.counts == record.id
        return replace(
            record,
            player=player,
            counts=is_given
            and not given_hand.others
            and not (state.ending and state.ending.winner is None),
            is_agreed=given_hand.agreed and is_given,
            agreed_score=self._agreed_score(record.id, player, given_hand),
            situation=record.situation.with_answers(context_fields),
            agreement=replace(self.agreement, goulash=deal.goulash),
        )

    def _agreed_score(self, hand: str, player: str, given_hand: GivenHand) -> int | None:
        """Return the score that the table agreed to: a settled deal has it in its entry."""
        past = self._settled_hands.get(hand)
        row = self.row(past.number) if past else None
        if row is None:
            return given_hand.agreed_to
        return row.event.scores.get(player) if isinstance(row.event, WonDeal) else None


def rename_players(match: Match, names: Mapping[str, str]) -> Match:
    """Return a match with players renamed; `names` maps old names to new ones.

    Raises GameError if two players would have the same name, or one the earlier name of another.
    Stored references to the earlier name would then point to the wrong player.
    """
    players = match.game.players
    if names.keys() - set(players) or not all(name.strip() for name in names.values()):
        raise ValueError("nobody is called so")
    new_names = {old: _new_name(names, now) for old, now in match.renamed.items()} | dict(names)
    after = tuple(_new_name(names, player) for player in players)
    if len(set(map(fold_name, after))) < len(after):
        raise GameError((error("player-twice", message("game.player-twice")),))
    own_names = {
        fold_name(name): now
        for name, now in [*new_names.items(), *((name, name) for name in after)]
    }
    for name, current_name in new_names.items():
        if own_names[fold_name(name)] != current_name:
            raise GameError((error("name-taken", message("game.name-taken", name=name)),))
    game = replace(
        match.game,
        players=after,
        log=tuple(_rename_entry(each, names) for each in match.game.log),
        order=tuple(_new_name(names, player) for player in match.game.order),
    )
    match = with_authors(match, partial(_new_name, names))
    past = (replace(each, state=_rename_deal(each.state, names)) for each in match.past)
    deal = _rename_deal(match.deal, names)
    return replace(match, game=game, deal=deal, past=tuple(past), renamed=new_names)


def with_authors(match: Match, rename: Callable[[str], str]) -> Match:
    """Return a match in whose history everybody who did something is called as `rename` says."""
    return replace(
        match,
        past=tuple(replace(each, by=rename(each.by)) for each in match.past),
        written=tuple(replace(each, by=rename(each.by)) for each in match.written),
        doings=tuple(replace(each, by=rename(each.by)) for each in match.doings),
    )


def _new_name(names: Mapping[str, str], name: str) -> str:
    return names.get(name, name)


def _rename_deal(state: DealState, names: Mapping[str, str]) -> DealState:
    ending = state.ending
    if ending and ending.winner is not None:
        ending = replace(ending, winner=_new_name(names, ending.winner))
    hands = {
        _new_name(names, player): _rename_given(each, names) for player, each in state.hands.items()
    }
    return DealState(ending, hands)


def _rename_given(given_hand: GivenHand, names: Mapping[str, str]) -> GivenHand:
    other_hands = tuple(_rename_given(each, names) for each in given_hand.others)
    return replace(given_hand, by=_new_name(names, given_hand.by), others=other_hands)


def _rename_entry(entry: Entry, names: Mapping[str, str]) -> Entry:
    if isinstance(entry, Correction):
        return replace(entry, entry=_rename_event(entry.entry, names) if entry.entry else None)
    return _rename_event(entry, names)


def _rename_event(event: GameEvent, names: Mapping[str, str]) -> GameEvent:
    if isinstance(event, WonDeal):
        return WonDeal(_new_name(names, event.winner), _rename_keys(event.scores, names))
    if isinstance(event, Charge):
        amounts = _rename_keys(event.amounts, names)
        return replace(event, payer=_new_name(names, event.payer), amounts=amounts)
    return event


def _rename_keys(numbers: Mapping[str, int], names: Mapping[str, str]) -> dict[str, int]:
    return {_new_name(names, player): number for player, number in numbers.items()}
