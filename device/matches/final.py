"""Final placings of a match, the best hand, and the deals each player has won."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from device.matches.match import Match
from scorer.match.entries import WonDeal


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
class Final:
    """The result of a match."""

    placings: tuple[Placing, ...]
    """The first place first; players who share a place stand in playing order."""
    best: tuple[BestHand, ...]
    """Several if they tie; empty if no deal was won."""
    deals: int
    """Number of deals that count."""

    @property
    def first(self) -> tuple[str, ...]:
        """The players in first place."""
        return tuple(each.player for each in self.placings if each.place == 1)


def final_of(match: Match) -> Final:
    """Return the result so far, whether the match has ended or not."""
    course = match.course
    won = Counter(row.event.winner for row in course.rows if isinstance(row.event, WonDeal))
    totals = list(course.totals.values())
    placings = [
        Placing(
            place=1 + sum(other > total for other in totals),
            shared=totals.count(total) > 1,
            player=player,
            won=won[player],
            gain=total - match.game.first_tallies,
            total=total,
        )
        for player, total in course.totals.items()
    ]
    deals = sum(row.deal is not None for row in course.rows)
    return Final(tuple(sorted(placings, key=lambda each: each.place)), _best(match), deals)


def _best(match: Match) -> tuple[BestHand, ...]:
    hands = [
        BestHand(player, score, row.deal.number, match.settled_hand(row.number, player))
        for row in match.course.rows
        if row.deal and isinstance(row.event, WonDeal)
        for player, score in row.event.scores.items()
    ]
    most = max((each.score for each in hands), default=0)
    return tuple(each for each in hands if each.score == most)
