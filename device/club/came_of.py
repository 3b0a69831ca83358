"""Compute what each player of a finished match won, and store the results.

Statistics are computed once, from the match and from the hands that won its deals. Only settled
scores count. A hand whose tiles now score differently counts as neither special nor ordinary until
the deal is corrected.

Stored statistics are used only while the log holds exactly the same events of the match and of the
winning hands. A corrected deal or tile therefore shows at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from device.hands.repository import GetHand, HandRepository
from device.hands.scoring import hand_from
from device.matches.match import Match
from device.store.replaying import if_whole
from scorer.errors import HandError
from scorer.match.entries import WonDeal
from scorer.match.game import GameRow
from scorer.score import score_unexplained


class HandScored(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand whose score counts."""

    score: int
    deal: int
    """Number of the deal, counted from 1."""
    hand: str
    """Id of the hand; empty for a typed score."""
    special: str = ""
    """Rule id of the special hand; empty for an ordinary hand."""


class PlayerCame(Struct, frozen=True, forbid_unknown_fields=True):
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
    best: HandScored | None
    """The first hand with the highest score; None without any score."""
    specials: tuple[HandScored, ...]
    """The special hands with which the player went out."""
    limits: tuple[HandScored, ...]
    """The hands that reached the limit."""


class MatchCame(Struct, frozen=True, forbid_unknown_fields=True):
    """What a finished match brought to all its players."""

    id: str
    begun: datetime | None
    ruleset: str
    players: tuple[PlayerCame, ...]
    """In the order of the names at the beginning of the match."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(each.name for each in self.players)


def came_of(match: Match, hands: HandRepository) -> MatchCame:
    """Return the statistics of a match."""
    scored = list(_scored(match, hands.together(hands_behind(match))))
    return MatchCame(
        id=match.id,
        begun=match.begun_at,
        ruleset=match.game.ruleset,
        players=tuple(
            _player(match, player, [each for who, each in scored if who == player])
            for player in match.game.players
        ),
    )


def hands_behind(match: Match) -> tuple[str, ...]:
    """Return the ids of the winning hands, on which the statistics depend."""
    return tuple(hand for row in match.course.rows if (hand := _winning_hand(match, row)))


def _player(match: Match, player: str, scored: list[HandScored]) -> PlayerCame:
    rows, limit = match.course.rows, match.agreement.limit
    return PlayerCame(
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


def _scored(match: Match, get: GetHand) -> Iterator[tuple[str, HandScored]]:
    """Yield every hand whose score counts, with its player."""
    for row in match.course.rows:
        if row.deal is None or not isinstance(row.event, WonDeal):
            continue
        for player, score in row.event.scores.items():
            hand = match.settled_hand(row.number, player)
            won = hand and player == row.event.winner
            special = _special(match, hand, score, get) if won else ""
            yield player, HandScored(score, row.deal.number, hand, special)


def _winning_hand(match: Match, row: GameRow) -> str:
    if not isinstance(row.event, WonDeal):
        return ""
    return match.settled_hand(row.number, row.event.winner)


def _special(match: Match, hand: str, score: int, get: GetHand) -> str:
    record = if_whole(get, hand)
    if record is None:
        return ""
    try:
        found = score_unexplained(hand_from(match.situated(record)))
    except HandError:
        return ""
    return found.special or "" if found.total == score and not found.fishing else ""
