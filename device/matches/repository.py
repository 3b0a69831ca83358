"""The matches in the store: begun, looked up and changed, each change checked before it is kept."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec import structs

from device.hands.repository import ChangeRefusedError, HandRepository
from device.i18n.names import folded
from device.matches import came_to
from device.matches.came_to import CameTo
from device.matches.match import Match
from device.matches.replay import MATCHES, begun
from device.store import Envelope, TornEventError
from device.store.errors import UnfitError
from device.store.events import (
    ChangeRedone,
    ChangeUndone,
    MatchBegun,
    MatchEnded,
    MatchEvent,
    MatchResumed,
    PlayersRenamed,
)
from device.store.replaying import Projected, if_whole, projector, whole_and_torn
from scorer.errors import error
from scorer.match.game import GameError
from scorer.message import message

MOST = 30
"""Matches that a list shows at once."""


@dataclass(frozen=True, slots=True)
class MatchList:
    """Matches, the newest first."""

    matches: tuple[CameTo, ...]
    torn: tuple[TornEventError, ...]
    """What is wrong with those that cannot be shown."""
    more: bool
    """There are older ones."""


class MatchRepository:
    """Matches by id; the newest that has not ended is the one on the table."""

    def __init__(self, hands: HandRepository) -> None:
        self._store = hands.store
        self._projector = projector(hands.store, MATCHES)

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
        newest = self._store.latest(MatchBegun)
        if newest is None or self._is_over(newest.stream):
            return None
        match = self.get_if_whole(newest.stream)
        return None if match is None or match.ended else match

    def _is_over(self, match: str) -> bool:
        """Whether the last that is known of a match is its end: then no page need replay it."""
        last = self._store.newest_of(match)
        return last is not None and isinstance(last.event, MatchEnded)

    def newest(self) -> Match | None:
        """Return the newest match, ended or not."""
        newest = self._store.latest(MatchBegun)
        return self.get_if_whole(newest.stream) if newest else None

    def newest_begun(self) -> MatchBegun | None:
        """Return how the newest match began, ended or not: the next one is likely played alike."""
        newest = self._store.latest(MatchBegun)
        if newest is None:
            return None
        changed = self._store.latest(PlayersRenamed)
        match = self.newest() if changed and changed.stream == newest.stream else None
        if match is None:
            return newest.event
        return structs.replace(newest.event, players=tuple(map(str, match.game.players)))

    def listed(self, skip: int = 0) -> MatchList:
        """Return what the matches came to that follow on so many newer ones.

        Those that are over are replayed once: what they came to is kept.
        """
        begun = self._store.with_event(MatchBegun, limit=skip + MOST + 1)[skip:]
        extents = self._store.extents(begun[:MOST])
        known = came_to.known(self._store.folder, extents)
        whole, torn = whole_and_torn(
            lambda match: known.get(match) or came_to.came_to(self.get(match)), begun[:MOST]
        )
        fresh = {each.id: each for each in whole if each.id not in known}
        came_to.keep(self._store.folder, fresh, extents)
        return MatchList(whole, torn, more=len(begun) > MOST)

    def newest_torn(self) -> tuple[TornEventError, ...]:
        """Return what is wrong with the newest match if it is torn: it may be on the table."""
        newest = self._store.with_event(MatchBegun, limit=1)
        return whole_and_torn(self.get, (each for each in newest if not self._is_over(each)))[1]

    def begin(self, event: MatchBegun, *, after: str = "") -> str:
        """Begin a match, ending one that runs; return its id; raise ScorerError.

        One that is to follow `after` a match that is over is begun once: if it has been already,
        or that match goes on, nothing happens.
        """
        match = secrets.token_hex(6)
        if len(set(map(folded, event.players))) < len(event.players):  # an old match may have such
            raise GameError((error("player-twice", message("game.player-twice")),))
        with _beginning:
            begun(Envelope(1, match, event, datetime.now(UTC)))
            running, newest = self.current(), self._store.latest(MatchBegun)
            if after and newest and (running or newest.stream != after):
                return newest.stream
            if running:
                self.change(running.id, MatchEnded(by=event.by))
            self._store.append(match, event, after=0)
        return match

    def resume(self, match: str, by: str = "") -> None:
        """Let a match go on that was ended; nothing happens to one that goes on.

        Raises ChangeRefusedError once another has been begun, UnknownMatchError.
        """
        with _beginning:
            if not self.get(match).ended:
                return
            if not self.is_newest(match):
                raise ChangeRefusedError("another match has been begun")
            self.change(match, MatchResumed(by=by))

    def is_newest(self, match: str) -> bool:
        """Whether no match was begun after this one."""
        newest = self._store.latest(MatchBegun)
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


_beginning = threading.Lock()
"""Of two who begin a match at the same moment, one ends the other's; or who let one go on."""


class OvertakenError(Exception):
    """Somebody else has done something since the phone's page was made."""

    def __init__(self, match: Match) -> None:
        super().__init__("overtaken")
        self.match = match
