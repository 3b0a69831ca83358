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
    scored_hands = list(_scored_hands(match, hands.load_together(find_winning_hands(match))))
    return MatchStatistics(
        id=match.id,
        begun=match.begun_at,
        ruleset=match.game.ruleset,
        players=tuple(
            _player_statistics(match, player, [each for who, each in scored_hands if who == player])
            for player in match.game.players
        ),
    )


def find_winning_hands(match: Match) -> tuple[str, ...]:
    """Return the ids of the winning hands, on which the statistics depend."""
    return tuple(hand for row in match.course.rows if (hand := _winning_hand(match, row)))


def _player_statistics(
    match: Match, player: str, scored_hands: list[ScoredHand]
) -> PlayerStatistics:
    rows, limit = match.course.rows, match.agreement.limit
    return PlayerStatistics(
        name=str(player),
        gain=match.course.totals[player] - match.game.first_tallies,
        deals=sum(row.deal is not None and player in row.deal.seating.winds for row in rows),
        won=sum(isinstance(row.event, WonDeal) and row.event.winner == player for row in rows),
        scored=len(scored_hands),
        points=sum(scored_hand.score for scored_hand in scored_hands),
        best=max(scored_hands, key=lambda scored_hand: scored_hand.score, default=None),
        specials=tuple(scored_hand for scored_hand in scored_hands if scored_hand.special),
        limits=tuple(
            scored_hand
            for scored_hand in scored_hands
            if limit is not None and scored_hand.score >= limit
        ),
    )


def _scored_hands(match: Match, get: GetHand) -> Iterator[tuple[str, ScoredHand]]:
    """Yield every hand whose score counts, with its player."""
    for row in match.course.rows:
        if row.deal is None or not isinstance(row.event, WonDeal):
            continue
        for player, score in row.event.scores.items():
            hand = match.settled_hand(row.number, player)
            is_winner = hand and player == row.event.winner
            special = _special_hand_name(match, hand, score, get) if is_winner else ""
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
        hand_score = score_unexplained(
            hand_from(match.situate(record)), match.agreement.custom_rules
        )
    except HandError:
        return ""
    if not hand_score.special or hand_score.total != score or hand_score.fishing:
        return ""
    return to_english(match.agreement.rules.specials_by_id[hand_score.special].name)


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
        self._cache_by_match: Mapping[str, _CachedStatistics] = {}

    def load(self, matches: Sequence[str]) -> dict[str, _CachedStatistics]:
        """Return the known statistics that are still true."""
        cache_by_match = self._cache_by_match
        stored_rows = _STORED_STATISTICS.read(
            self._store.log, (m for m in matches if m not in cache_by_match)
        )
        stored_statistics = {match: each.record for match, each in stored_rows.items()}
        return _select_current(self._store, {**cache_by_match, **stored_statistics})

    def save(
        self,
        known_statistics: Mapping[str, _CachedStatistics],
        fresh: Mapping[str, _CachedStatistics],
    ) -> None:
        """Hold the known and the fresh statistics, and store the fresh ones."""
        self._cache_by_match = {**known_statistics, **fresh}
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
        names = (name for match in reversed(self.matches) for name in match.names)
        return tuple(dict.fromkeys(names))


def load_statistics(
    hands: HandRepository, max_new: int = MAX_NEW_MATCHES_PER_PAGE
) -> ClubStatistics:
    """Return statistics of finished matches, computing at most `max_new` new ones; 0 for all.

    A match with damaged events is left out and named in the log file.
    """
    store, matches = hands.store, MatchRepository(hands.store)
    cache = store.caches.get(_StatisticsCache)
    match_ids = store.with_event(MatchBegun, limit=-1)
    cached_statistics = cache.load(match_ids)
    statistics = {match: each.came for match, each in cached_statistics.items()}
    fresh: dict[str, _CachedStatistics] = {}
    left = 0
    running_ids = {match.id for match in matches.all_running()}
    for match in match_ids:
        if match in cached_statistics or match in running_ids:
            continue
        if max_new and len(fresh) >= max_new:
            left += 1
        elif new_statistics := _compute_if_over(match, matches, hands):
            fresh[match], statistics[match] = new_statistics, new_statistics.came
    cache.save(cached_statistics, fresh)
    return ClubStatistics(
        tuple(statistics[each] for each in reversed(match_ids) if each in statistics), left
    )


def _compute_if_over(
    match: str, matches: MatchRepository, hands: HandRepository
) -> _CachedStatistics | None:
    """Compute the statistics of a match; None for one that runs or is damaged."""
    # Read the extents first: an event written meanwhile then makes these statistics outdated.
    extents = hands.store.extents([match])
    record = matches.get_if_whole(match)
    if record is None or not record.ended:
        return None
    return _CachedStatistics(
        extents | hands.store.extents(find_winning_hands(record)), compute_statistics(record, hands)
    )


def _select_current(
    store: Store, stored_statistics: Mapping[str, _CachedStatistics]
) -> dict[str, _CachedStatistics]:
    """Return the stored statistics whose events are still the newest in the log."""
    current_extents = store.extents(
        {stream for known in stored_statistics.values() for stream in known.of}
    )
    return {
        match: known
        for match, known in stored_statistics.items()
        if all(current_extents.get(stream) == extent for stream, extent in known.of.items())
    }
