"""Compute what each player of a finished match won, and store the results.

Statistics are computed once, from the match and from the hands that won its deals. Only settled
scores count. A hand whose tiles now score differently counts as neither special nor ordinary until
the deal is corrected.

Stored statistics are used only while the log holds exactly the same events of the match and of the
winning hands. A corrected deal or tile therefore shows at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct

from device.hands.repository import GetHand, HandRepository
from device.hands.scoring import hand_from
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchBegun
from device.store.projection import get_if_whole
from device.store.projection_cache import CachedRecord, msgpack_cache
from device.store.queries import StreamExtent
from scorer.errors import HandError
from scorer.match.entries import WonDeal
from scorer.match.game import GameRow
from scorer.message import to_english
from scorer.score import score_unexplained


class ScoredHand(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand whose score counts."""

    score: int
    deal: int
    """Number of the deal, counted from 1."""
    hand: str
    """Id of the hand; empty for a typed score."""
    special: str = ""
    """English name of the special hand in its ruleset's file; empty for an ordinary hand."""


class PlayerStatistics(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's share of a finished match."""

    name: str
    """The player's name at the end of the match."""
    gain: int
    """Sum of all settlements and payments."""
    deals: int
    """Number of deals in which the player sat, including wash-outs."""
    won: int
    scored: int
    """Number of the player's hands with a score that counts."""
    points: int
    """Sum of these scores."""
    best: ScoredHand | None
    """The first hand with the highest score; None without any score."""
    specials: tuple[ScoredHand, ...]
    """The special hands with which the player went out."""
    limits: tuple[ScoredHand, ...]
    """The hands that reached the limit."""


class MatchStatistics(Struct, frozen=True, forbid_unknown_fields=True):
    """What a finished match brought to all its players."""

    id: str
    begun: datetime | None
    ruleset: str
    players: tuple[PlayerStatistics, ...]
    """In the order of the names at the beginning of the match."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(each.name for each in self.players)


def compute_statistics(match: Match, hands: HandRepository) -> MatchStatistics:
    """Return the statistics of a match."""
    scored = list(_scored_hands(match, hands.load_together(find_winning_hands(match))))
    return MatchStatistics(
        id=match.id,
        begun=match.begun_at,
        ruleset=match.game.ruleset,
        players=tuple(
            _player_statistics(match, player, [each for who, each in scored if who == player])
            for player in match.game.players
        ),
    )


def find_winning_hands(match: Match) -> tuple[str, ...]:
    """Return the ids of the winning hands, on which the statistics depend."""
    return tuple(hand for row in match.course.rows if (hand := _winning_hand(match, row)))


def _player_statistics(match: Match, player: str, scored: list[ScoredHand]) -> PlayerStatistics:
    rows, limit = match.course.rows, match.agreement.limit
    return PlayerStatistics(
        name=str(player),
        gain=match.course.totals[player] - match.game.first_tallies,
        deals=sum(row.deal is not None and player in row.deal.seating.winds for row in rows),
        won=sum(isinstance(row.event, WonDeal) and row.event.winner == player for row in rows),
        scored=len(scored),
        points=sum(each.score for each in scored),
        best=max(scored, key=lambda each: each.score, default=None),
        specials=tuple(each for each in scored if each.special),
        limits=tuple(each for each in scored if limit is not None and each.score >= limit),
    )


def _scored_hands(match: Match, get: GetHand) -> Iterator[tuple[str, ScoredHand]]:
    """Yield every hand whose score counts, with its player."""
    for row in match.course.rows:
        if row.deal is None or not isinstance(row.event, WonDeal):
            continue
        for player, score in row.event.scores.items():
            hand = match.settled_hand(row.number, player)
            won = hand and player == row.event.winner
            special = _special_hand_name(match, hand, score, get) if won else ""
            yield player, ScoredHand(score, row.deal.number, hand, special)


def _winning_hand(match: Match, row: GameRow) -> str:
    if not isinstance(row.event, WonDeal):
        return ""
    return match.settled_hand(row.number, row.event.winner)


def _special_hand_name(match: Match, hand: str, score: int, get: GetHand) -> str:
    record = get_if_whole(get, hand)
    if record is None:
        return ""
    try:
        found = score_unexplained(hand_from(match.situate(record)), match.agreement.custom_rules)
    except HandError:
        return ""
    if not found.special or found.total != score or found.fishing:
        return ""
    return to_english(match.agreement.rules.specials_by_id[found.special].name)


STATISTICS_FORMAT_VERSION = 2
"""Increase this when the stored fields or their meaning change."""

MAX_NEW_MATCHES_PER_PAGE = 40
"""Limit per page request, because a Raspberry Pi needs seconds for these. The page reports how many
matches are left, and asks again."""


class _CachedStatistics(Struct, frozen=True, forbid_unknown_fields=True):
    of: dict[str, StreamExtent]
    """The events it was computed from, by stream: those of the match and of its winning hands."""
    came: MatchStatistics


_STORED_STATISTICS = msgpack_cache("gave", STATISTICS_FORMAT_VERSION, _CachedStatistics)


class _StatisticsCache:
    """The statistics by match, in memory and stored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: Mapping[str, _CachedStatistics] = {}

    def load(self, matches: Sequence[str]) -> dict[str, _CachedStatistics]:
        """Return the known statistics that are still true."""
        held = self._held
        kept = _STORED_STATISTICS.read(self._store.log, (m for m in matches if m not in held))
        stored = {match: each.record for match, each in kept.items()}
        return _select_current(self._store, {**held, **stored})

    def save(
        self, known: Mapping[str, _CachedStatistics], fresh: Mapping[str, _CachedStatistics]
    ) -> None:
        """Hold the known and the fresh statistics, and store the fresh ones."""
        self._held = {**known, **fresh}
        if fresh:
            records = {of: CachedRecord(made.of[of].last, made) for of, made in fresh.items()}
            _STORED_STATISTICS.write(self._store.log, records)


@dataclass(frozen=True, slots=True)
class ClubStatistics:
    """The statistics of all finished matches."""

    matches: tuple[MatchStatistics, ...]
    """The oldest match first."""
    left: int = 0
    """Number of matches that are not computed yet."""

    @property
    def names(self) -> tuple[str, ...]:
        """All players, the most recent first."""
        every = (name for match in reversed(self.matches) for name in match.names)
        return tuple(dict.fromkeys(every))


def load_statistics(
    hands: HandRepository, at_once: int = MAX_NEW_MATCHES_PER_PAGE
) -> ClubStatistics:
    """Return statistics of finished matches, computing at most `at_once` new ones; 0 for all.

    A match with damaged events is left out and named in the log file.
    """
    store, matches = hands.store, MatchRepository(hands.store)
    cache = store.caches.get(_StatisticsCache)
    begun = store.with_event(MatchBegun, limit=-1)
    known = cache.load(begun)
    found = {match: each.came for match, each in known.items()}
    fresh: dict[str, _CachedStatistics] = {}
    left = 0
    running = {match.id for match in matches.all_running()}
    for match in begun:
        if match in known or match in running:
            continue
        if at_once and len(fresh) >= at_once:
            left += 1
        elif made := _compute_if_over(match, matches, hands):
            fresh[match], found[match] = made, made.came
    cache.save(known, fresh)
    return ClubStatistics(tuple(found[each] for each in reversed(begun) if each in found), left)


def _compute_if_over(
    match: str, matches: MatchRepository, hands: HandRepository
) -> _CachedStatistics | None:
    """Compute the statistics of a match; None for one that runs or is damaged."""
    # Read the extents first: an event written meanwhile then makes these statistics outdated.
    of = hands.store.extents([match])
    record = matches.get_if_whole(match)
    if record is None or not record.ended:
        return None
    return _CachedStatistics(
        of | hands.store.extents(find_winning_hands(record)), compute_statistics(record, hands)
    )


def _select_current(
    store: Store, kept: Mapping[str, _CachedStatistics]
) -> dict[str, _CachedStatistics]:
    """Return the stored statistics whose events are still the newest in the log."""
    now = store.extents({stream for known in kept.values() for stream in known.of})
    return {
        match: known
        for match, known in kept.items()
        if all(now.get(stream) == extent for stream, extent in known.of.items())
    }
