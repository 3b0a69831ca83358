"""What a match that is over gives to each of its players: hands, points, special hands.

It is derived once, from the match and from the hands that won its deals, whose tiles say whether
they are special. What counts is what the table has settled: a hand whose tiles come to another
score by now is neither special nor ordinary, until the deal is corrected.
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
from scorer.match.entries import Won
from scorer.match.game import GameRow
from scorer.score import brief


class HandScored(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that a player had."""

    score: int
    deal: int
    """Number of the deal, counted from 1."""
    hand: str
    """Id of the hand; empty for a score that was typed."""
    special: str = ""
    """Rule id of the special hand that it is; empty for an ordinary one."""


class PlayerCame(Struct, frozen=True, forbid_unknown_fields=True):
    """What a match gives to one of its players."""

    name: str
    """As the match calls the player in the end."""
    gain: int
    """What all settlements and payments brought."""
    deals: int
    """At how many the player sat, those that nobody won included."""
    won: int
    scored: int
    """How many hands of the player have a score that counts."""
    points: int
    """What these come to together."""
    best: HandScored | None
    """The first of the highest score; None where no score counts."""
    specials: tuple[HandScored, ...]
    """The special hands with which the player went out."""
    limits: tuple[HandScored, ...]
    """The hands that reached the limit."""


class MatchCame(Struct, frozen=True, forbid_unknown_fields=True):
    """What a match gives."""

    id: str
    begun: datetime | None
    ruleset: str
    players: tuple[PlayerCame, ...]
    """In the order of the names at the beginning."""

    @property
    def names(self) -> tuple[str, ...]:
        """Who played."""
        return tuple(each.name for each in self.players)


def came_of(match: Match, hands: HandRepository) -> MatchCame:
    """Return what a match gives to its players."""
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
    """Return the ids of the hands on which what a match gives hangs."""
    return tuple(hand for row in match.course.rows if (hand := _winning_hand(match, row)))


def _player(match: Match, player: str, scored: list[HandScored]) -> PlayerCame:
    rows, limit = match.course.rows, match.agreement.limit
    return PlayerCame(
        name=str(player),
        gain=match.course.totals[player] - match.game.first_tallies,
        deals=sum(row.deal is not None and player in row.deal.seating.winds for row in rows),
        won=sum(isinstance(row.event, Won) and row.event.winner == player for row in rows),
        scored=len(scored),
        points=sum(each.score for each in scored),
        best=max(scored, key=lambda each: each.score, default=None),
        specials=tuple(each for each in scored if each.special),
        limits=tuple(each for each in scored if limit is not None and each.score >= limit),
    )


def _scored(match: Match, get: GetHand) -> Iterator[tuple[str, HandScored]]:
    """Yield every hand whose score counts, with whose it is."""
    for row in match.course.rows:
        if row.deal is None or not isinstance(row.event, Won):
            continue
        for player, score in row.event.scores.items():
            hand = match.settled_hand(row.number, player)
            won = hand and player == row.event.winner
            special = _special(match, hand, score, get) if won else ""
            yield player, HandScored(score, row.deal.number, hand, special)


def _winning_hand(match: Match, row: GameRow) -> str:
    if not isinstance(row.event, Won):
        return ""
    return match.settled_hand(row.number, row.event.winner)


def _special(match: Match, hand: str, score: int, get: GetHand) -> str:
    record = if_whole(get, hand)
    if record is None:
        return ""
    try:
        found = brief(hand_from(match.situated(record)))
    except HandError:
        return ""
    return found.special or "" if found.total == score and not found.fishing else ""
