"""Practice deals: kept as events, played by the rules, with the moves of the box's players.

A deal is its setup and its moves, so it can be left and gone on with on any phone. Those played
last also stay in memory, because replaying a long one takes tenths of a second.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from msgspec import structs

from device.store import Envelope, Event, Store
from device.store.errors import ConcurrentChangeError, UnknownStreamError
from device.store.events import (
    PracticeCoachSwitched,
    PracticeDealBegun,
    PracticeMovesMade,
    PracticeMoveTakenBack,
)
from device.store.events.practice_deal import StoredMoves
from device.store.projection import Projection, get_projector, split_whole_and_torn
from device.tutoring.progress import is_same_pupil
from scorer.errors import ScorerError
from scorer.play.box_players import Level, choose_move
from scorer.play.deal import PracticeDeal
from scorer.play.moves import Move, move_from_json, refuse
from scorer.play.review import DealReview, review_moves
from scorer.play.setup import DealSetup, setup_from_json
from scorer.play.view import View, make_view
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import read_custom_ruleset

STREAM_PREFIX = "deal:"

ID_BYTES = 6
"""Bytes of a deal's id, of two digits each."""

MAX_LIVE_DEALS = 16
"""Deals in memory: some megabytes."""

MAX_DEALS_OFFERED = 40
"""Newest deals among which a learner's own are looked for."""


@dataclass(frozen=True, slots=True)
class PracticeDealRecord:
    """A practice deal as the log has it."""

    id: str
    start: PracticeDealBegun
    begun_at: datetime
    version: int
    """Number of the last event."""
    turns: tuple[StoredMoves, ...] = ()
    """The learner's moves, each with those of the box's players that followed."""
    withdrawn_moves: tuple[Mapping[str, Any], ...] = ()
    """The learner's moves that were taken back."""
    is_over: bool = False
    coach: bool = True
    last_change: Event | None = None
    """The last event after the beginning."""

    @property
    def seat(self) -> str:
        """The learner's seat."""
        return self.start.seat

    @property
    def level(self) -> Level:
        """How well the players of the box play."""
        return self.start.level

    @property
    def setup(self) -> DealSetup:
        """What the deal is played with; raises PlayError if it is from another version."""
        return setup_from_json(self.start.setup)


@dataclass(frozen=True, slots=True)
class LiveDeal:
    """A practice deal with its state by the rules. Only `PracticeDeals` plays on in it."""

    record: PracticeDealRecord
    deal: PracticeDeal
    news_start: int
    """Place in `deal.log` of what happened since the learner's last move, that move included."""
    view_before: View | None = None
    """What the learner saw before that move; None before the first."""
    review: DealReview | None = None
    """How the learner's moves compare with the coach's figures; None before the deal is over."""

    @property
    def last_move(self) -> Move | None:
        """The learner's last move."""
        turns = self.record.turns
        return move_from_json(turns[-1][0]) if turns else None


class PracticeDeals:
    """Begins practice deals, goes on with them and keeps them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = get_projector(store, PRACTICE_DEALS)
        self._memory = store.caches.get(_LiveDeals)

    def begin(self, start: PracticeDealBegun) -> str:
        """Begin a deal and return its id; raise PlayError for a setup that cannot be."""
        return self._begin(secrets.token_hex(ID_BYTES), start)

    def begin_goulash(self, deal_id: str, seed: int) -> str:
        """Begin the goulash that follows a wash-out, once, and return its id.

        Raises PlayError where none follows.
        """
        with self.open(deal_id) as live:
            record, follows = live.record, live.deal.has_goulash_next
        if not follows:
            raise refuse("no-goulash")
        setup = record.setup.to_goulash(seed).to_json()
        wash_out = f"{deal_id} {record.version}".encode()
        goulash_id = blake2b(wash_out, digest_size=ID_BYTES).hexdigest()
        start = structs.replace(record.start, setup=setup, hand="", coach=record.coach)
        with suppress(ConcurrentChangeError):  # begun already
            self._begin(goulash_id, start)
        return goulash_id

    def _begin(self, deal_id: str, start: PracticeDealBegun) -> str:
        """Let the players of the box move until the learner is asked, and save the deal."""
        setup = setup_from_json(start.setup)
        deal = PracticeDeal(setup, _load_rules(start, setup))
        moves = _play_box_players(deal, start.seat, start.level)
        self._append(deal_id, 0, structs.replace(start, moves=moves))
        self._put(deal_id, deal)
        return deal_id

    def get(self, deal_id: str) -> PracticeDealRecord:
        """Return a deal as the log has it; raise UnknownStreamError."""
        return self._projector.get(STREAM_PREFIX + deal_id)

    @contextmanager
    def open(self, deal_id: str) -> Iterator[LiveDeal]:
        """Give the state of a deal to look at; raise PlayError if it is from another version."""
        live = self._take(self.get(deal_id))
        yield live
        self._memory.put(live)

    def play(self, deal_id: str, version: int, move: Move) -> None:
        """Make the learner's move, then those of the players of the box, and keep them.

        Raises PlayError for a move that the rules do not allow, and ConcurrentChangeError if the
        deal has gone on since that version. What was done at that version is not done again.
        """
        current = self._get_before(deal_id, version, PracticeMovesMade((move.to_json(),)))
        if current is None:
            return
        live = self._take(current)
        deal, record = live.deal, live.record
        news_start, view = len(deal.log), make_view(deal, record.seat)
        deal.play(move)
        moves = (move.to_json(), *_play_box_players(deal, record.seat, record.level))
        self._append(deal_id, version, PracticeMovesMade(moves, deal.ending is not None))
        self._put(deal_id, deal, news_start, view)

    def take_back(self, deal_id: str, version: int) -> None:
        """Take the learner's last move back; raise as `play` does."""
        self._change(deal_id, version, PracticeMoveTakenBack())

    def switch_coach(self, deal_id: str, version: int, *, coach: bool) -> None:
        """Switch the coach on or off; raise as `play` does."""
        self._change(deal_id, version, PracticeCoachSwitched(coach))

    def of_learner(self, name: str) -> tuple[PracticeDealRecord, ...]:
        """Return a learner's newest deals, the newest first; none without a name."""
        if not name:
            return ()
        streams = self._store.with_event(PracticeDealBegun, limit=MAX_DEALS_OFFERED)
        deals, _ = split_whole_and_torn(self._projector.load_together(streams), streams)
        return tuple(each for each in deals if is_same_pupil(each.start.name, name))

    def _change(self, deal_id: str, version: int, change: Event) -> None:
        if self._get_before(deal_id, version, change):
            self._append(deal_id, version, change)

    def _get_before(self, deal_id: str, version: int, change: Event) -> PracticeDealRecord | None:
        """Return the deal at a version; None if it has had just this change since.

        Raises ConcurrentChangeError after any other change.
        """
        record = self.get(deal_id)
        if record.version == version:
            return record
        is_next = record.version == version + 1
        if is_next and _learner_part(record.last_change) == _learner_part(change):
            return None
        raise ConcurrentChangeError(STREAM_PREFIX + deal_id)

    def _append(self, deal_id: str, version: int, event: Event) -> None:
        self._projector.add_after(STREAM_PREFIX + deal_id, version, event, news=False)

    def _put(
        self, deal_id: str, deal: PracticeDeal, news_start: int = 0, view: View | None = None
    ) -> None:
        self._memory.put(_look_at(self.get(deal_id), deal, news_start, view))

    def _take(self, record: PracticeDealRecord) -> LiveDeal:
        return self._memory.take(record) or _replay(record)


class _LiveDeals:
    """The deals in memory. Whoever takes one out has it alone until it is put back."""

    def __init__(self, _: Store) -> None:
        self._deals: OrderedDict[str, LiveDeal] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, record: PracticeDealRecord) -> LiveDeal | None:
        """Return the deal if it is as in the record, and forget it."""
        with self._lock:
            live = self._deals.pop(record.id, None)
        if live is None or live.record.turns != record.turns:
            return None
        return replace(live, record=record)

    def put(self, live: LiveDeal) -> None:
        with self._lock:
            self._deals[live.record.id] = live
            while len(self._deals) > MAX_LIVE_DEALS:
                self._deals.popitem(last=False)


def _play_box_players(deal: PracticeDeal, learner: str, level: Level) -> StoredMoves:
    """Make the moves of the players of the box until the learner is asked; return them."""
    moves = []
    while seat := next((each for each in deal.choices if each != learner), ""):
        move = choose_move(make_view(deal, seat), level)
        deal.play(move)
        moves.append(move.to_json())
    return tuple(moves)


def _learner_part(change: Event | None) -> object:
    """Return what the learner did in a change."""
    return change.moves[0] if isinstance(change, PracticeMovesMade) else change


def _load_rules(start: PracticeDealBegun, setup: DealSetup) -> Ruleset:
    rules = (
        read_custom_ruleset(start.rules_text) if start.rules_text else load_builtin(setup.ruleset)
    )
    return rules.with_limit(setup.limit)


def _replay(record: PracticeDealRecord) -> LiveDeal:
    """Play a deal again; raise PlayError where today's rules of play know no such move."""
    start, setup = record.start, record.setup
    try:
        deal = PracticeDeal(setup, _load_rules(start, setup), map(move_from_json, start.moves))
        news_start, view = 0, None
        for number, moves in enumerate(record.turns, 1):
            if number == len(record.turns):
                news_start, view = len(deal.log), make_view(deal, start.seat)
            for move in moves:
                deal.play(move_from_json(move))
    except (ScorerError, TypeError, ValueError, LookupError) as error:
        raise refuse("old-version") from error
    return _look_at(record, deal, news_start, view)


def _look_at(
    record: PracticeDealRecord, deal: PracticeDeal, news_start: int, view: View | None
) -> LiveDeal:
    review = review_moves(deal, record.seat) if deal.ending else None
    return LiveDeal(record, deal, news_start, view, review)


def _begin(first: Envelope[Event]) -> PracticeDealRecord:
    if not isinstance(first.event, PracticeDealBegun):
        raise ValueError("a practice deal begins with its setup")
    deal_id = first.stream.removeprefix(STREAM_PREFIX)
    return PracticeDealRecord(deal_id, first.event, first.at, first.seq, coach=first.event.coach)


def _apply(record: PracticeDealRecord, envelope: Envelope[Event]) -> PracticeDealRecord:
    record = replace(record, version=envelope.seq, last_change=envelope.event)
    match envelope.event:
        case PracticeMovesMade(moves=moves, is_over=is_over) if moves and not record.is_over:
            return replace(record, turns=(*record.turns, moves), is_over=is_over)
        case PracticeMoveTakenBack() if record.turns:
            withdrawn_moves = (*record.withdrawn_moves, record.turns[-1][0])
            return replace(
                record, turns=record.turns[:-1], withdrawn_moves=withdrawn_moves, is_over=False
            )
        case PracticeCoachSwitched(coach=coach):
            return replace(record, coach=coach)
    raise ValueError("this cannot happen now in a practice deal")


PRACTICE_DEALS = Projection("practice deal", _begin, _apply, UnknownStreamError)
"""How the events of a practice deal become a record."""
