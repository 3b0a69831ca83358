"""Results of a match: the stored summary for lists, and the final placings.

Summaries of finished matches are stored, so the list of matches need not replay them. A stored
summary is used only while the log holds exactly the same events of the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct

from device.matches.match import Match
from device.store.log import Log
from device.store.projection_cache import CachedRecord, msgpack_cache
from device.store.queries import StreamExtent
from scorer.match.entries import WonDeal

SUMMARY_FORMAT_VERSION = 2
"""Increase this when the stored fields or their meaning change."""


class MatchSummary(Struct, frozen=True, forbid_unknown_fields=True):
    """What a list shows of a match."""

    id: str
    players: tuple[str, ...]
    begun_at: datetime | None
    ended: bool
    deals: int
    """Number of deals that count."""
    totals: dict[str, int]
    """Total of each player, by name."""
    leaders: tuple[str, ...]
    """Players with the highest total; several if they tie."""
    table: str = ""
    """Id of the table; empty where there was only one."""


_STORED_SUMMARIES = msgpack_cache("came-to", SUMMARY_FORMAT_VERSION, MatchSummary)


def summarise(match: Match) -> MatchSummary:
    """Return the summary of a match."""
    course = match.course
    return MatchSummary(
        id=match.id,
        players=_plain(match.game.players),
        begun_at=match.begun_at,
        ended=match.ended,
        deals=sum(row.deal is not None for row in course.rows),
        totals=dict(zip(_plain(course.totals), course.totals.values(), strict=True)),
        leaders=_plain(course.leaders),
        table=match.table,
    )


def _plain(names: Iterable[str]) -> tuple[str, ...]:
    """Return names as plain strings: stored summaries hold no `Name`."""
    return tuple(map(str, names))


def load_summaries(log: Log, extents: Mapping[str, StreamExtent]) -> dict[str, MatchSummary]:
    """Return the stored summaries that are up to date, by match id."""
    stored_summaries = _STORED_SUMMARIES.read(log, extents)
    return {
        match: each.record
        for match, each in stored_summaries.items()
        if each.version == extents[match].last
    }


def save_summaries(
    log: Log, summaries: Mapping[str, MatchSummary], extents: Mapping[str, StreamExtent]
) -> None:
    """Store summaries of finished matches; a failure only goes to the log file.

    A running match is not stored, because each of its events would change the summary.
    """
    fresh = {
        match: CachedRecord(extents[match].last, each)
        for match, each in summaries.items()
        if each.ended
    }
    if fresh:
        _STORED_SUMMARIES.write(log, fresh)


@dataclass(frozen=True, slots=True)
class Placing:
    """One player's final result."""

    place: int
    """Counted from 1. Equal players share a place, and the places after them are skipped."""
    shared: bool
    player: str
    won: int
    """Number of deals won."""
    gain: int
    """Sum of all settlements and payments."""
    total: int


@dataclass(frozen=True, slots=True)
class BestHand:
    """A hand with the highest score of the match."""

    player: str
    score: int
    deal: int
    """Counted from 1."""
    hand: str
    """Id of the hand; empty for a typed score."""


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a match."""

    placings: tuple[Placing, ...]
    """The first place first; players who share a place stand in playing order."""
    best: tuple[BestHand, ...]
    """Several if they tie; empty if no deal was won."""
    deals: int
    """Number of deals that were scored: without wash-outs."""

    @property
    def first(self) -> tuple[str, ...]:
        """The players in first place."""
        return tuple(each.player for each in self.placings if each.place == 1)


def final_result(match: Match) -> FinalResult:
    """Return the result so far, whether the match has ended or not."""
    course = match.course
    win_counts = Counter(row.event.winner for row in course.rows if isinstance(row.event, WonDeal))
    totals = list(course.totals.values())
    placings = [
        Placing(
            place=1 + sum(other > total for other in totals),
            shared=totals.count(total) > 1,
            player=player,
            won=win_counts[player],
            gain=total - match.game.first_tallies,
            total=total,
        )
        for player, total in course.totals.items()
    ]
    return FinalResult(
        tuple(sorted(placings, key=lambda placing: placing.place)),
        _best_hands(match),
        win_counts.total(),
    )


def _best_hands(match: Match) -> tuple[BestHand, ...]:
    hands = [
        BestHand(player, score, row.deal.number, match.settled_hand(row.number, player))
        for row in match.course.rows
        if row.deal and isinstance(row.event, WonDeal)
        for player, score in row.event.scores.items()
    ]
    best_score = max((each.score for each in hands), default=0)
    return tuple(each for each in hands if each.score == best_score)
