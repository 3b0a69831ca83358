"""What a match came to: who is in which place, the best hand, and how many deals each has won."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from device.matches.match import Match
from scorer.match.entries import Won


@dataclass(frozen=True, slots=True)
class Placing:
    """One player in the end."""

    place: int
    """Counted from 1. Who has the same has the same place, and as many places are left out."""
    shared: bool
    player: str
    won: int
    """How many deals."""
    gain: int
    """What all settlements and payments together brought."""
    total: int


@dataclass(frozen=True, slots=True)
class BestHand:
    """A hand of which the score was the highest of the match."""

    player: str
    score: int
    deal: int
    """Counted from 1."""
    hand: str
    """Id of the hand; empty for a score that was typed."""


@dataclass(frozen=True, slots=True)
class Final:
    """A match in the end."""

    placings: tuple[Placing, ...]
    """The first place first; who shares one stands there in the order of play."""
    best: tuple[BestHand, ...]
    """Several where they come to the same; none where no deal was won."""
    deals: int
    """How many count."""

    @property
    def first(self) -> tuple[str, ...]:
        """Who is in the first place."""
        return tuple(each.player for each in self.placings if each.place == 1)


def final_of(match: Match) -> Final:
    """Return what a match has come to, ended or not."""
    course = match.course
    won = Counter(row.event.winner for row in course.rows if isinstance(row.event, Won))
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
        if row.deal and isinstance(row.event, Won)
        for player, score in row.event.scores.items()
    ]
    most = max((each.score for each in hands), default=0)
    return tuple(each for each in hands if each.score == most)
