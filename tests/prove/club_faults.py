"""Faults that are put into the served program, each to be found by the evening's checks."""

from __future__ import annotations

import os
import random
import secrets
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.club.tournament import match_results
from device.matches.repository import MatchRepository
from device.store import Event, Store
from device.store.events import (
    ChargeMade,
    DealSettled,
    HandAgreed,
    HandEvent,
    MatchBegun,
    MatchEnded,
    MatchEvent,
    PhotoTaken,
    SeasonEvent,
    TableCreated,
    TablePhotographed,
    TableRead,
    TournamentEvent,
    WinnerEntered,
)
from scorer.match import game as course_of
from scorer.match.entries import Correction
from scorer.match.game import Course, Game


def _off_by_two() -> None:
    """Give the first player two points more once a deal has been corrected."""
    replay = course_of.replay

    def wrongly(
        game: Game, known_changes: course_of.KnownChanges = course_of.know_no_changes
    ) -> Course:
        course = replay(game, known_changes)
        if not any(isinstance(each, Correction) for each in game.log):
            return course
        first = game.players[0]
        return replace(course, totals={**course.totals, first: course.totals[first] + 2})

    course_of.replay = wrongly


def _write_twice() -> None:
    """Write every payment down twice."""
    append = Store.append

    def append_twice(self: Store, stream: str, event: Event, **arguments: Any) -> int:  # noqa: ANN401
        seq = append(self, stream, event, **arguments)
        return append(self, stream, event) if isinstance(event, ChargeMade) else seq

    Store.append = append_twice  # type: ignore[method-assign]


def _lose_deals() -> None:
    """Confirm every fourth deal without keeping it."""
    change, deal_count = MatchRepository.change, [0]

    def loses(self: MatchRepository, match: str, event: Any, **arguments: Any) -> None:  # noqa: ANN401
        deal_count[0] += isinstance(event, DealSettled)
        if not isinstance(event, DealSettled) or deal_count[0] % 4:
            change(self, match, event, **arguments)

    MatchRepository.change = loses  # type: ignore[method-assign]


def _overtaken_untold() -> None:
    """Let the second of two phones overwrite what the first said, without a word."""
    change = MatchRepository.change

    def regardless(
        self: MatchRepository,
        match: str,
        event: Any,  # noqa: ANN401
        *,
        seen_version: int = 0,
        seen_deal: int = 0,
    ) -> None:
        seen = 0 if isinstance(event, WinnerEntered) else seen_version
        change(self, match, event, seen_version=seen, seen_deal=seen_deal)

    MatchRepository.change = regardless  # type: ignore[method-assign]


def _fail_at_hands() -> None:
    """Fail at every tenth hand that somebody says is right."""
    change, agreement_count = MatchRepository.change, [0]

    def change_or_fail(self: MatchRepository, match: str, event: Any, **arguments: Any) -> None:  # noqa: ANN401
        agreement_count[0] += isinstance(event, HandAgreed)
        if isinstance(event, HandAgreed) and agreement_count[0] % 10 == 3:
            raise RuntimeError("a fault that was put in")
        change(self, match, event, **arguments)

    MatchRepository.change = change_or_fail  # type: ignore[method-assign]


def _wrong_seats() -> None:
    """Take a tournament's points over in the reverse order of the seats."""
    gains_of = match_results.gains_by_seat
    vars(match_results)["gains_by_seat"] = lambda match, names: gains_of(match, names)[::-1]


def _begin_again() -> None:
    """Give a round's matches random ids, which change when it is begun again after a kill.

    So that there is one in time, the plug is pulled once when the first such match has begun.
    """
    append, match_ids = Store.append, set[str]()
    marker = Path(sys.argv[sys.argv.index("--data") + 1]).with_name("plug-pulled")

    def new_id() -> str:
        match_id = secrets.token_hex(6)
        match_ids.add(match_id)
        return match_id

    def pull_once(self: Store, stream: str, event: Event, **arguments: Any) -> int:  # noqa: ANN401
        seq = append(self, stream, event, **arguments)
        if stream in match_ids and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return seq

    match_results.RoundMatches._id = lambda *_: new_id()  # type: ignore[method-assign]
    Store.append = pull_once  # type: ignore[method-assign]


FAULTS: dict[str, Callable[[], None]] = {
    "off-by-two": _off_by_two,
    "written-twice": _write_twice,
    "lost": _lose_deals,
    "overtaken-untold": _overtaken_untold,
    "fails": _fail_at_hands,
    "wrong-seats": _wrong_seats,
}
"""By name; what each does stands in its function."""

FAULTS_OF_KILLS: dict[str, Callable[[], None]] = {"begun-anew": _begin_again}
"""Faults that do no harm until something is killed."""


def put_in(name: str) -> None:
    """Put a fault into this process, if one is named."""
    if name:
        (FAULTS | FAULTS_OF_KILLS)[name]()


SERIES_KILL_SHARE, PHOTO_KILL_SHARE, OTHER_KILL_SHARE = 0.2, 0.04, 0.005
"""Shares of events after which the process is killed: of series, of photographs, of others."""

SERIES_EVENTS = (
    TournamentEvent,
    SeasonEvent,
    TableCreated,
    MatchBegun,
    MatchEnded,
)
"""Kinds of events that one tap writes several of, or that begin something."""

PHOTO_EVENTS = (TablePhotographed, TableRead)

OTHER_EVENTS = (MatchEvent, HandEvent)


def pull_own_plug(is_wanted: str) -> None:
    """Kill this process now and then right after an event was kept, if that is wanted.

    Kills at random moments seldom come between an event and what follows it.
    """
    if not is_wanted:
        return
    append = Store.append

    def append_and_die(self: Store, stream: str, event: Event, **arguments: Any) -> int:  # noqa: ANN401
        seq = append(self, stream, event, **arguments)
        if random.random() < _kill_share(event):
            os.kill(os.getpid(), signal.SIGKILL)
        return seq

    Store.append = append_and_die  # type: ignore[method-assign]


def _kill_share(event: Event) -> float:
    if isinstance(event, SERIES_EVENTS):
        return SERIES_KILL_SHARE
    if isinstance(event, PHOTO_EVENTS) or (isinstance(event, PhotoTaken) and event.reading):
        return PHOTO_KILL_SHARE
    return OTHER_KILL_SHARE if isinstance(event, OTHER_EVENTS) else 0.0
