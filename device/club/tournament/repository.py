"""The tournaments in the store: start, look up and change them.

Every change is checked before it is written. The stream's version resolves conflicts: when two
phones draw the same round, one of them does.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import structs

from device.club.tournament.replay import (
    TOURNAMENTS,
    TournamentRefusedError,
    UnknownTournamentError,
)
from device.club.tournament.seating import plan_rounds
from device.club.tournament.tournament import Tournament
from device.host.machine import read_uptime
from device.i18n.names import distinct_name
from device.store import Store, TornEventError
from device.store.appending import MAX_APPEND_TRIES
from device.store.errors import ConcurrentChangeError, EventRefusedError
from device.store.events import (
    RoundClockSet,
    RoundDrawn,
    RoundsSeated,
    TournamentBegun,
    TournamentEvent,
)
from device.store.projection import (
    ProjectionState,
    get_if_whole,
    get_projector,
    split_whole_and_torn,
)

STREAM_PREFIX = "tournament:"
"""Prefix of a tournament's stream name."""

_ID_PATTERN = re.compile("[0-9a-f]{12}")


class TournamentRepository:
    """Tournaments by id."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = get_projector(store, TOURNAMENTS)

    def get(self, tournament: str) -> Tournament:
        """Return a tournament; raise UnknownTournamentError or TornEventError."""
        return self._projector.get(STREAM_PREFIX + tournament)

    def state_so_far(self, tournament: str) -> ProjectionState[Tournament]:
        """Return a tournament up to its first damaged event; raise UnknownTournamentError."""
        state = self._projector.state_of(STREAM_PREFIX + tournament)
        if state.record is None and state.torn_error is None:
            raise UnknownTournamentError
        return state

    def find_newest(self) -> Tournament | None:
        """Return the newest tournament, if its events are undamaged."""
        newest_start = self._store.latest(TournamentBegun)
        return get_if_whole(self._projector.get, newest_start.stream) if newest_start else None

    def of_match(self, match: str) -> Tournament | None:
        """Return the newest tournament, if this match began for one of its tables."""
        newest_tournament = self.find_newest()
        return (
            newest_tournament
            if newest_tournament and any(match in each.matches for each in newest_tournament.drawn)
            else None
        )

    def list_tournaments(self) -> tuple[Tournament, ...]:
        """Return all tournaments with undamaged events, the newest first."""
        return self._load_all()[0]

    def list_errors(self) -> tuple[TornEventError, ...]:
        """Return the errors of the tournaments that cannot be read completely."""
        return self._load_all()[1]

    def _load_all(self) -> tuple[tuple[Tournament, ...], tuple[TornEventError, ...]]:
        streams = self._store.with_event(TournamentBegun, limit=-1)
        return split_whole_and_torn(self._projector.load_together(streams), streams)

    def begin(self, event: TournamentBegun, tournament: str = "") -> str:
        """Start a tournament and seat all its rounds; return its id.

        The id may come from a form, so that a form sent twice starts one tournament. A name that
        another tournament has gets a number. Raises TournamentRefusedError.
        """
        if not _ID_PATTERN.fullmatch(tournament):
            tournament = new_tournament_id()
        stream = STREAM_PREFIX + tournament
        other_names = (each.name for each in self.list_tournaments() if each.id != tournament)
        event = structs.replace(event, name=distinct_name(event.name, other_names))
        try:
            with _raising_refusals():
                is_new = self._projector.begin_once(stream, event)
        except ConcurrentChangeError as error:
            raise TournamentRefusedError("sent-before") from error
        if is_new:
            self.seat(tournament)
        return tournament

    def seat(self, tournament: str) -> Tournament:
        """Seat the coming rounds if that is open; return the tournament."""
        for _ in range(MAX_APPEND_TRIES):
            current = self.get(tournament)
            if current.is_seated or current.over:
                return current
            try:
                event = RoundsSeated(plan_rounds(current))
                self._projector.add_after(STREAM_PREFIX + tournament, current.version, event)
            except ConcurrentChangeError:
                continue  # somebody else seated them, or joined or left meanwhile
        raise ConcurrentChangeError(STREAM_PREFIX + tournament)

    def draw(self, tournament: str, number: int, author: str = "") -> None:
        """Draw a round, counted from 1; does nothing if it was drawn already.

        Raises TournamentRefusedError unless it is the next round.
        """
        for _ in range(MAX_APPEND_TRIES):
            current = self.seat(tournament)
            if current.round(number):
                return
            try:
                with _raising_refusals():
                    event = RoundDrawn(number, by=author)
                    self._projector.add_after(STREAM_PREFIX + tournament, current.version, event)
            except ConcurrentChangeError:
                continue
            return
        raise ConcurrentChangeError(STREAM_PREFIX + tournament)

    def change(self, tournament: str, event: TournamentEvent) -> None:
        """Write one event, and seat the coming rounds again if players joined or left.

        Raises TournamentRefusedError for an action that is not allowed, and EventRefusedError
        for an event that no page sends.
        """
        with _raising_refusals():
            self._projector.change(STREAM_PREFIX + tournament, event)
        self.seat(tournament)

    def set_clock(
        self,
        tournament: str,
        number: int,
        seconds: int,
        *,
        is_running: bool = True,
        author: str = "",
    ) -> None:
        """Set a round's clock, and note how long this computer has been running."""
        uptime = read_uptime()
        event = RoundClockSet(
            number, seconds, is_running, uptime.boot, round(uptime.seconds, 3), by=author
        )
        self.change(tournament, event)


@contextmanager
def _raising_refusals() -> Iterator[None]:
    """Raise the tournament's own refusal in place of the store's EventRefusedError."""
    try:
        yield
    except EventRefusedError as error:
        if isinstance(error.__cause__, TournamentRefusedError):
            raise error.__cause__ from error
        raise


def new_tournament_id() -> str:
    """Return an unused id."""
    return secrets.token_hex(6)
