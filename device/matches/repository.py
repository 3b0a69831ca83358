"""The matches in the store: begun, looked up and changed, each change checked before it is kept."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from device.hands.repository import ChangeRefusedError, Records
from device.matches.match import Match
from device.matches.replay import STEPS, apply, begun, replay_match
from device.store import Event
from scorer.errors import ScorerError

MOST = 200
"""Matches that a list shows at most."""


class Tables:
    """Matches by id; the newest that has not ended is the one on the table."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._store = records.store
        # Read, check and append are one step, as for hands; each request has its own `Tables`.
        self._changing = records.changing_matches

    def get(self, match: str) -> Match:
        """Return a match; raise UnknownMatchError when there is none."""
        return replay_match(self._store.events(match))

    def current(self) -> Match | None:
        """Return the match on the table, if one is being played."""
        newest = self._store.latest("match-begun")
        if newest is None:
            return None
        match = self.get(newest.hand)
        return None if match.ended else match

    def newest(self) -> Match | None:
        """Return the newest match, ended or not: the next one is likely played alike."""
        newest = self._store.latest("match-begun")
        return self.get(newest.hand) if newest else None

    def all(self) -> tuple[Match, ...]:
        """Return the matches, the newest first."""
        return tuple(self.get(match) for match in self._store.with_event("match-begun", MOST))

    def begin(self, agreed: Mapping[str, Any], by: str = "") -> str:
        """Begin a match, ending one that runs; return its id; raise ScorerError.

        `agreed` has players, ruleset, seats, start, double, limit and house, as the event has.
        """
        match = secrets.token_hex(6)
        data = {**agreed, "by": by}
        with self._changing:
            begun(Event(1, match, "match-begun", data, datetime.now(UTC)))
            running = self.current()
            if running:
                self._store.append(running.id, "match-ended", {"by": by})
            self._store.append(match, "match-begun", data)
        return match

    def change(
        self, match: str, kind: str, data: Mapping[str, Any], *, by: str = "", seen: int = 0
    ) -> None:
        """Keep one thing that happened.

        `seen` is the version that the player was looking at, 0 when that does not matter; raises
        OvertakenError when somebody has done something since, ChangeRefusedError for what does not
        fit, UnknownMatchError.
        """
        said = {**data, "by": by} if by else dict(data)
        with self._changing:
            now = self.get(match)
            if seen and now.version != seen:
                raise OvertakenError(now)
            if now.ended or kind not in STEPS:
                raise ChangeRefusedError("the match has ended")
            try:
                apply(now, Event(now.version + 1, match, kind, said, datetime.now(UTC)))
            except ScorerError:
                raise
            except (KeyError, IndexError, TypeError, ValueError) as error:
                raise ChangeRefusedError(str(error)) from error
            self._store.append(match, kind, said)

    def undo(self, match: str, seq: int, by: str = "") -> None:
        """Take back the last thing done, which must be number `seq`; raise OvertakenError."""
        with self._changing:
            now = self.get(match)
            if not now.doings or now.doings[-1].seq != seq:
                raise OvertakenError(now)
            self._store.append(match, "change-undone", {"seq": seq, "by": by})


class OvertakenError(Exception):
    """Somebody else has done something since the phone's page was made."""

    def __init__(self, match: Match) -> None:
        super().__init__("overtaken")
        self.match = match
