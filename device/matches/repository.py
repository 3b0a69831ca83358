"""The matches in the store: start, look up and change them.

Every change is checked before it is written. Matches are read without their hands; `open_hands`
returns hands together with what their matches know. The newest match of each table is cached.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec import structs

from device.hands.record import HandRecord
from device.hands.repository import ChangeRefusedError, HandRepository
from device.i18n.names import fold_name
from device.matches import summary
from device.matches.match import Match
from device.matches.replay import MATCHES, start_match
from device.matches.summary import MatchSummary
from device.rulesets.repository import CustomRulesets
from device.store import Envelope, Store, TornEventError
from device.store.appending import append_if_unchanged
from device.store.errors import EventRefusedError, UnknownStreamError
from device.store.events import (
    ChangeRedone,
    ChangeUndone,
    DealCorrected,
    Event,
    MatchBegun,
    MatchEnded,
    MatchEvent,
    MatchResumed,
    PlayersRenamed,
    PlayersReseated,
    TableCleared,
)
from device.store.log import KindsSeen
from device.store.projection import (
    ProjectionState,
    get_if_whole,
    get_projector,
    split_whole_and_torn,
)
from device.store.queries import StreamExtent
from scorer.errors import error
from scorer.match.game import GameError
from scorer.message import message

_MatchStart = Envelope[MatchBegun]


class NewestMatches:
    """The newest match of each table, updated from the log; safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._last = 0
        self._newest_by_table: dict[str, _MatchStart] = {}
        self._table_of: dict[str, str] = {}

    def newest_at_table(self, table: str) -> _MatchStart | None:
        """Return the first event of a table's newest match; None if there is none."""
        with self._lock:
            self._catch_up()
            return self._newest_by_table.get(table)

    def newest_ids(self) -> dict[str, str]:
        """Return the ids of the newest matches by table id."""
        with self._lock:
            self._catch_up()
            return {table: each.stream for table, each in self._newest_by_table.items()}

    def table_of(self, match: str) -> str:
        """Return the table id of a match; empty for an unknown match."""
        with self._lock:
            self._catch_up()
            return self._table_of.get(match, "")

    def _catch_up(self) -> None:
        for kind in self._store.of_kinds(MatchBegun, after=self._last):
            self._newest_by_table[kind.event.table] = kind
            self._table_of[kind.stream] = kind.event.table
            self._last = kind.seq


class RunningMatches:
    """The running matches of all tables; one without new events is not looked up again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._newest_matches = store.caches.get(NewestMatches)
        self._projector = get_projector(store, MATCHES)
        self._match_cache: dict[str, tuple[StreamExtent, Match | None]] = {}
        """Each table's newest match by its id, with the extent of its events; None if damaged."""

    def all(self) -> tuple[Match, ...]:
        """Return the running matches, table by table."""
        newest_ids, cache = self._newest_matches.newest_ids().values(), self._match_cache
        extents = self._store.extents(newest_ids)
        news = [match for match in extents if cache.get(match, (None,))[0] != extents[match]]
        get = self._projector.load_together(news)
        cache |= {match: (extents[match], get_if_whole(get, match)) for match in news}
        for over in cache.keys() - set(newest_ids):
            cache.pop(over, None)
        matches = [cache[match][1] for match in newest_ids if match in cache]
        return tuple(match for match in matches if match and not match.ended)


CORRECTION_KINDS = frozenset((DealCorrected.kind, PlayersReseated.kind))
"""What puts a match right, also one that has ended."""

MATCHES_PER_PAGE = 30
"""Matches on one page of the list."""


@dataclass(frozen=True, slots=True)
class MatchList:
    """Matches, the newest first."""

    matches: tuple[MatchSummary, ...]
    torn: tuple[TornEventError, ...]
    """Errors of the matches that cannot be shown."""
    more: bool
    """Whether there are older matches."""


class MatchRepository:
    """Matches by id; a table's newest match that has not ended is the current one.

    The table id is empty on a box of one table. `at` returns a repository for another table.
    """

    def __init__(self, store: Store, table: str = "") -> None:
        self.table = table
        """Id of this repository's table."""
        self._store = store
        self._projector = get_projector(store, MATCHES)
        self._newest_matches = store.caches.get(NewestMatches)

    def at_table(self, table: str) -> MatchRepository:
        """Return a repository for another table."""
        return MatchRepository(self._store, table)

    def table_of(self, match: str) -> str:
        """Return the table id of a match; empty for a match without one."""
        return self._newest_matches.table_of(match)

    def running_tables(self) -> tuple[str, ...]:
        """Return the ids of all tables where a match is running."""
        return tuple(match.table for match in self.all_running())

    def all_running(self) -> tuple[Match, ...]:
        """Return the running matches, table by table."""
        return self._store.caches.get(RunningMatches).all()

    def get(self, match: str) -> Match:
        """Return a match; raise UnknownMatchError."""
        return self._projector.get(match)

    def state_so_far(self, match: str) -> ProjectionState[Match]:
        """Return a match up to its first damaged event."""
        return self._projector.state_of(match)

    def get_if_whole(self, match: str) -> Match | None:
        """Return a match; None, and a line in the log file, if it is damaged."""
        return get_if_whole(self.get, match)

    def current(self) -> Match | None:
        """Return the table's running match, if there is one and it is undamaged."""
        start = self._newest_matches.newest_at_table(self.table)
        if start is None or self._is_over(start.stream):
            return None
        match = self.get_if_whole(start.stream)
        return None if match is None or match.ended else match

    def _is_over(self, match: str) -> bool:
        """Whether a match's last event is its end; this needs no replay."""
        last = self._store.latest_of_stream(match)
        return last is not None and _is_end(last)

    def find_newest(self) -> Match | None:
        """Return the table's newest match, ended or not."""
        start = self._newest_matches.newest_at_table(self.table)
        return self.get_if_whole(start.stream) if start else None

    def newest_of_all(self) -> Match | None:
        """Return the newest match of all tables, ended or not."""
        start = self._store.latest(MatchBegun)
        return self.get_if_whole(start.stream) if start else None

    def last_begun(self) -> int:
        """Return the number of the event that began the table's newest match; 0 without one."""
        start = self._newest_matches.newest_at_table(self.table)
        return start.seq if start else 0

    def newest_start(self) -> MatchBegun | None:
        """Return the table's newest beginning: the next match is probably played alike.

        Players have their current names and seats.
        """
        start = self._newest_matches.newest_at_table(self.table)
        if start is None:
            return None
        changed_matches = self._store.with_event(PlayersRenamed, PlayersReseated, limit=-1)
        is_changed = start.stream in changed_matches
        match = self.find_newest() if is_changed else None
        if match is None:
            return start.event
        return structs.replace(start.event, players=tuple(map(str, match.game.order_of_play)))

    def list_page(self, skip: int = 0) -> MatchList:
        """Return a page of match summaries, after skipping the `skip` newest matches.

        Finished matches are replayed once; then their summary is stored.
        """
        starts = self._store.with_event(MatchBegun, limit=skip + MATCHES_PER_PAGE + 1)[skip:]
        extents = self._store.extents(starts[:MATCHES_PER_PAGE])
        summaries = summary.load_summaries(self._store.log, extents)
        get = self._projector.load_together(
            match for match in starts[:MATCHES_PER_PAGE] if match not in summaries
        )
        intact, errors = split_whole_and_torn(
            lambda match: summaries.get(match) or summary.summarise(get(match)),
            starts[:MATCHES_PER_PAGE],
        )
        fresh = {each.id: each for each in intact if each.id not in summaries}
        summary.save_summaries(self._store.log, fresh, extents)
        return MatchList(intact, errors, more=len(starts) > MATCHES_PER_PAGE)

    def newest_errors(self) -> tuple[TornEventError, ...]:
        """Return the errors of the newest match if it is damaged, for it may be running.

        Matches with a damaged beginning are included: their table is unknown.
        """
        start = self._newest_matches.newest_at_table(self.table)
        table_matches = self._newest_matches.newest_ids().values()
        of_no_table = set(self._store.with_event(MatchBegun, limit=1)) - set(table_matches)
        candidates = [*([start.stream] if start else []), *of_no_table]
        last = self._store.latest_of_streams(candidates)
        running_ids = [each for each in candidates if each not in last or not _is_end(last[each])]
        return split_whole_and_torn(self._projector.load_together(running_ids), running_ids)[1]

    def begin(
        self,
        event: MatchBegun,
        *,
        after: str = "",
        match: str = "",
        seen_seq: int | None = None,
        ends_running: bool = True,
    ) -> str:
        """Begin a match at the table, ending one that runs there; return its id.

        With `after`, the id of a finished match, the next match begins once: nothing happens if it
        has begun or that match goes on. With `match`, the caller chooses the id, and that match
        begins once.

        `seen_seq` is the newest beginning that the player knew (`last_begun`); None skips the
        check. Without `ends_running`, a running match raises OvertakenError, unless it began like
        this and nothing has happened in it: then it is the one. Raises OvertakenError if somebody
        else, in any process, has begun another match, TableClearedError if the table was cleared
        away meanwhile, and ScorerError for impossible players.
        """
        event = CustomRulesets(self._store).with_rules_text(event)
        event = structs.replace(event, table=self.table)
        # The id of a following match is computed from the earlier match. When two phones or
        # processes begin it at once, the log takes the first.
        decided_key = after or match
        match = match or (_following_id(after) if after else secrets.token_hex(6))
        if len(set(map(fold_name, event.players))) < len(event.players):  # old matches may
            raise GameError((error("player-twice", message("game.player-twice")),))
        # Checked before the running match is ended.
        first = start_match(Envelope(1, match, event, datetime.now(UTC)))
        if first.agreement.rules.is_on("prevailing_wind_doubles"):
            event = structs.replace(event, double="prevailing")

        def attempt(read: KindsSeen) -> str:
            nonlocal seen_seq
            start = self._newest_matches.newest_at_table(self.table)
            if self.table and self._is_cleared():
                raise TableClearedError
            if after and start and (start.stream != after or self.current()):
                return start.stream
            if decided_key and self._store.extents([match]):
                return match
            if not ends_running and start and self._is_begun_like(start, event):
                return start.stream
            if not ends_running and (running_match := self.current()):
                raise OvertakenError(running_match)
            if start and seen_seq not in (None, start.seq):
                raise OvertakenError(self.get(start.stream))
            seen_seq = start.seq if start else 0  # other tables do not matter here
            self._end(start, event.by)
            self._projector.add_after(match, 0, event, read)
            self._end(start, event.by)  # somebody may have resumed it meanwhile
            return match

        return append_if_unchanged(self._store, (MatchBegun, TableCleared), attempt)

    def _is_cleared(self) -> bool:
        last = self._store.latest_of_stream(self.table)
        return last is not None and isinstance(last.event, TableCleared)

    def _is_begun_like(self, start: _MatchStart, event: MatchBegun) -> bool:
        """Whether the match with this first event began as `event` says, and nothing came since."""
        is_equal = structs.replace(start.event, by=event.by) == event
        last = self._store.latest_of_stream(start.stream)
        return is_equal and last is not None and last.seq == start.seq

    def _end(self, start: Envelope[MatchBegun] | None, player: str) -> None:
        """End the match with this first event, if it runs."""
        match = start and not self._is_over(start.stream) and self.get_if_whole(start.stream)
        if match and not match.ended:
            with suppress(ChangeRefusedError):  # somebody else has ended it
                self.change(match.id, MatchEnded(by=player))

    def resume(self, match: str, player: str = "") -> None:
        """Resume an ended match; does nothing for a running one.

        Raises UnknownMatchError, and ChangeRefusedError if its table has begun another match since.
        """
        if not self.get(match).ended:
            return
        if self.is_newest(match):
            with suppress(ChangeRefusedError):  # somebody else has resumed it
                self.change(match, MatchResumed(by=player))
            if self.is_newest(match):
                return
            self.change(match, MatchEnded(by=player))  # another was begun meanwhile
        raise ChangeRefusedError("another match has been begun")

    def is_newest(self, match: str) -> bool:
        """Whether no later match was begun at its table."""
        start = self._newest_matches.newest_at_table(self.table_of(match))
        return start is not None and start.stream == match

    def change(
        self, match: str, event: MatchEvent, *, seen_version: int = 0, seen_deal: int = 0
    ) -> None:
        """Write one event.

        `seen_version` is the version that the player was looking at, and `seen_deal` the number of
        the deal; 0 skips the check. Raises OvertakenError if somebody has changed the match, or
        settled the deal, since, ChangeRefusedError for an event that does not fit, and
        UnknownMatchError.
        """

        def check(match_state: Match) -> None:
            is_at_version = seen_version in (0, match_state.version)
            if not (is_at_version and match_state.is_at_deal(seen_deal)):
                raise OvertakenError(match_state)
            if match_state.ended and event.kind not in {*CORRECTION_KINDS, MatchResumed.kind}:
                raise ChangeRefusedError("the match has ended")

        try:
            self._projector.change(match, event, check)
        except EventRefusedError as error:
            raise ChangeRefusedError(str(error)) from error

    def undo(self, match: str, seq: int, player: str = "") -> None:
        """Undo the last action, which must be number `seq`; raise OvertakenError."""

        def check(match_state: Match) -> None:
            if not match_state.doings or match_state.doings[-1].seq != seq:
                raise OvertakenError(match_state)

        self._projector.change(match, ChangeUndone(seq, player), check)

    def redo(self, match: str, seq: int, player: str = "") -> None:
        """Redo the last undone action, which must be number `seq`; raise OvertakenError."""

        def check(match_state: Match) -> None:
            if not match_state.undone or match_state.undone.seq != seq:
                raise OvertakenError(match_state)

        self._projector.change(match, ChangeRedone(seq, player), check)


def _is_end(last: Envelope[Event]) -> bool:
    return isinstance(last.event, MatchEnded)


def _following_id(match: str) -> str:
    """Return the id of the match that follows another one at the same table."""
    return hashlib.sha256(f"after {match}".encode()).hexdigest()[:12]


class TableClearedError(UnknownStreamError):
    """The table was cleared away, so that no match begins there."""


class OvertakenError(Exception):
    """Somebody else has changed the match since the phone loaded its page."""

    def __init__(self, match: Match) -> None:
        super().__init__("overtaken")
        self.match = match


class _MatchHands(HandRepository):
    """The hands of a store, with what their matches know."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._matches = MatchRepository(store)

    def situate(self, hand: HandRecord) -> HandRecord:
        """Add winds, winner and way of winning; a damaged match knows those before the damage."""
        state = self._matches.state_so_far(hand.match) if hand.match else None
        if state is None or state.record is None:
            return hand
        match = state.record
        return hand if state.torn_error and not match.place_of(hand.id) else match.situate(hand)


def open_hands(store: Store) -> HandRepository:
    """Return a store's hands; those of a match come with winds, winner and way of winning."""
    return _MatchHands(store)
