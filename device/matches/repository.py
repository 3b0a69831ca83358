"""The matches in the store: begun, looked up and changed, each change checked before it is kept."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from msgspec import structs

from device.hands.repository import ChangeRefusedError, HandRepository
from device.i18n.names import folded
from device.matches import came_to
from device.matches.came_to import CameTo
from device.matches.match import Match
from device.matches.newest import newest_matches
from device.matches.replay import MATCHES, begun
from device.store import Envelope, TornEventError
from device.store.envelopes import Extent
from device.store.errors import MovedOnError, UnfitError
from device.store.events import (
    ChangeRedone,
    ChangeUndone,
    Event,
    MatchBegun,
    MatchEnded,
    MatchEvent,
    MatchResumed,
    PlayersRenamed,
)
from device.store.replaying import TRIES, Projected, if_whole, projector, whole_and_torn
from scorer.errors import error
from scorer.match.game import GameError
from scorer.message import message

MOST = 30
"""Matches that a list shows at once."""


_ON = "matches on"
"""What is remembered of the newest matches of all tables: which events they had, and the match."""

_Known = tuple[Extent, Match | None]


@dataclass(frozen=True, slots=True)
class MatchList:
    """Matches, the newest first."""

    matches: tuple[CameTo, ...]
    torn: tuple[TornEventError, ...]
    """What is wrong with those that cannot be shown."""
    more: bool
    """There are older ones."""


class MatchRepository:
    """Matches by id; the newest of a table that has not ended is the one that is played there.

    A box of one table calls that nothing; where there are several, `at` asks about another.
    """

    def __init__(self, hands: HandRepository, table: str = "") -> None:
        self.table = table
        """Id of the table that is asked about."""
        self._hands = hands
        self._store = hands.store
        self._projector = projector(hands.store, MATCHES)
        self._newest = newest_matches(hands.store)

    def at(self, table: str) -> MatchRepository:
        """Return the same matches, asked about another table."""
        return MatchRepository(self._hands, table)

    def table_of(self, match: str) -> str:
        """Return the id of the table that a match is played at; empty for one without."""
        return self._newest.table_of(match)

    def tables_on(self) -> tuple[str, ...]:
        """Return the ids of all tables where a match is being played."""
        return tuple(match.table for match in self.all_on())

    def all_on(self) -> tuple[Match, ...]:
        """Return the matches that are being played, table by table."""
        newest = self._newest.at_each().values()
        known = cast("dict[str, _Known]", self._store.derived.setdefault(_ON, {}))
        extents = self._store.extents(newest)
        news = [match for match in extents if known.get(match, (None,))[0] != extents[match]]
        get = self._projector.together(news)
        known |= {match: (extents[match], if_whole(get, match)) for match in news}
        for over in known.keys() - set(newest):
            known.pop(over, None)
        found = [known[match][1] for match in newest if match in known]
        return tuple(match for match in found if match and not match.ended)

    def get(self, match: str) -> Match:
        """Return a match; raise UnknownMatchError when there is none."""
        return self._projector.get(match)

    def so_far(self, match: str) -> Projected[Match]:
        """Return a match up to the first of its events that makes no sense."""
        return self._projector.so_far(match)

    def get_if_whole(self, match: str) -> Match | None:
        """Return a match; None, and a line in the log file, for one whose events are torn."""
        return if_whole(self.get, match)

    def current(self) -> Match | None:
        """Return the match on the table, if one is being played and its events are whole."""
        newest = self._newest.at(self.table)
        if newest is None or self._is_over(newest.stream):
            return None
        match = self.get_if_whole(newest.stream)
        return None if match is None or match.ended else match

    def _is_over(self, match: str) -> bool:
        """Whether the last that is known of a match is its end: then no page need replay it."""
        last = self._store.newest_of(match)
        return last is not None and _is_end(last)

    def newest(self) -> Match | None:
        """Return the table's newest match, ended or not."""
        newest = self._newest.at(self.table)
        return self.get_if_whole(newest.stream) if newest else None

    def newest_of_all(self) -> Match | None:
        """Return the newest match of all tables, ended or not."""
        newest = self._store.latest(MatchBegun)
        return self.get_if_whole(newest.stream) if newest else None

    def last_begun(self) -> int:
        """Return the number of the event by which the newest match began; 0 without one."""
        newest = self._newest.at(self.table)
        return newest.seq if newest else 0

    def newest_begun(self) -> MatchBegun | None:
        """Return how the newest match began, ended or not: the next one is likely played alike.

        Its players are called what they are called by now.
        """
        newest = self._newest.at(self.table)
        if newest is None:
            return None
        renamed = newest.stream in self._store.with_event(PlayersRenamed, limit=-1)
        match = self.newest() if renamed else None
        if match is None:
            return newest.event
        return structs.replace(newest.event, players=tuple(map(str, match.game.players)))

    def listed(self, skip: int = 0) -> MatchList:
        """Return what the matches came to that follow on so many newer ones.

        Those that are over are replayed once: what they came to is kept.
        """
        begun = self._store.with_event(MatchBegun, limit=skip + MOST + 1)[skip:]
        extents = self._store.extents(begun[:MOST])
        known = came_to.known(self._store.log, extents)
        get = self._projector.together(match for match in begun[:MOST] if match not in known)
        whole, torn = whole_and_torn(
            lambda match: known.get(match) or came_to.came_to(get(match)), begun[:MOST]
        )
        fresh = {each.id: each for each in whole if each.id not in known}
        came_to.keep(self._store.log, fresh, extents)
        return MatchList(whole, torn, more=len(begun) > MOST)

    def newest_torn(self) -> tuple[TornEventError, ...]:
        """Return what is wrong with the newest match if it is torn: it may be on the table.

        So may one whose very beginning is torn, for nobody can say at which table that was.
        """
        newest = self._newest.at(self.table)
        known = self._newest.at_each().values()
        of_no_table = set(self._store.with_event(MatchBegun, limit=1)) - set(known)
        asked = [*([newest.stream] if newest else []), *of_no_table]
        last = self._store.newest_of_each(asked)
        on = [each for each in asked if each not in last or not _is_end(last[each])]
        return whole_and_torn(self._projector.together(on), on)[1]

    def begin(
        self, event: MatchBegun, *, after: str = "", match: str = "", seen: int | None = None
    ) -> str:
        """Begin a match at the table, ending one that runs there; return its id.

        One that is to follow `after` a match that is over is begun once: if it has been already,
        or that match goes on, nothing happens. So of an id that whoever asks gives the `match`:
        the same is begun once. `seen` is the number of the newest beginning that the player knew
        of (`last_begun`), None when that does not matter. Raises OvertakenError when somebody has
        begun another, be it at this moment and by another process; ScorerError.
        """
        event = structs.replace(event, table=self.table)
        # What follows on a match has an id that is made of that one's: of two phones that begin
        # it at the same moment, be it by two processes, the log takes the first.
        once = after or match
        match = match or (_following(after) if after else secrets.token_hex(6))
        if len(set(map(folded, event.players))) < len(event.players):  # an old match may have such
            raise GameError((error("player-twice", message("game.player-twice")),))
        begun(Envelope(1, match, event, datetime.now(UTC)))  # before the one that is on is ended
        for _ in range(TRIES):
            decided_on, newest = self._store.last_of(MatchBegun), self._newest.at(self.table)
            if after and newest and (newest.stream != after or self.current()):
                return newest.stream
            if once and self._store.extents([match]):
                return match
            if newest and seen not in (None, newest.seq):
                raise OvertakenError(self.get(newest.stream))
            self._end(newest, event.by)
            try:
                self._projector.add_after(match, 0, event, newest=decided_on)
            except MovedOnError:
                seen = newest.seq if newest else 0  # what began at another table is nothing to us
            else:
                self._end(newest, event.by)  # somebody may have let it go on meanwhile
                return match
        raise MovedOnError(match)

    def _end(self, begun: Envelope[MatchBegun] | None, by: str) -> None:
        """End the match that began so, if it is on."""
        match = begun and not self._is_over(begun.stream) and self.get_if_whole(begun.stream)
        if match and not match.ended:
            with suppress(ChangeRefusedError):  # somebody else has ended it
                self.change(match.id, MatchEnded(by=by))

    def resume(self, match: str, by: str = "") -> None:
        """Let a match go on that was ended; nothing happens to one that goes on.

        Raises ChangeRefusedError once another has been begun at its table, UnknownMatchError.
        """
        if not self.get(match).ended:
            return
        if self.is_newest(match):
            with suppress(ChangeRefusedError):  # somebody else has let it go on
                self.change(match, MatchResumed(by=by))
            if self.is_newest(match):
                return
            self.change(match, MatchEnded(by=by))  # another was begun meanwhile
        raise ChangeRefusedError("another match has been begun")

    def is_newest(self, match: str) -> bool:
        """Whether no match was begun at its table after this one."""
        newest = self._newest.at(self.table_of(match))
        return newest is not None and newest.stream == match

    def change(self, match: str, event: MatchEvent, *, seen: int = 0) -> None:
        """Keep one thing that happened.

        `seen` is the version that the player was looking at, 0 when that does not matter; raises
        OvertakenError when somebody has done something since, ChangeRefusedError for what does not
        fit, UnknownMatchError.
        """

        def check(now: Match) -> None:
            if seen and now.version != seen:
                raise OvertakenError(now)
            if now.ended and not isinstance(event, MatchResumed):
                raise ChangeRefusedError("the match has ended")

        try:
            self._projector.change(match, event, check)
        except UnfitError as error:
            raise ChangeRefusedError(str(error)) from error

    def undo(self, match: str, seq: int, by: str = "") -> None:
        """Take back the last thing done, which must be number `seq`; raise OvertakenError."""

        def check(now: Match) -> None:
            if not now.doings or now.doings[-1].seq != seq:
                raise OvertakenError(now)

        self._projector.change(match, ChangeUndone(seq, by), check)

    def redo(self, match: str, seq: int, by: str = "") -> None:
        """Let what was taken back last count again: number `seq`; raise OvertakenError."""

        def check(now: Match) -> None:
            if not now.undone or now.undone.seq != seq:
                raise OvertakenError(now)

        self._projector.change(match, ChangeRedone(seq, by), check)


def _is_end(last: Envelope[Event]) -> bool:
    return isinstance(last.event, MatchEnded)


def _following(match: str) -> str:
    """Return the id of the match that follows on another at the same table."""
    return hashlib.sha256(f"after {match}".encode()).hexdigest()[:12]


class OvertakenError(Exception):
    """Somebody else has done something since the phone's page was made."""

    def __init__(self, match: Match) -> None:
        super().__init__("overtaken")
        self.match = match
