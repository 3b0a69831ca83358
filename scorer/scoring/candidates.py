"""One way to score a hand: the sum of a reading, or of a special hand."""

from __future__ import annotations

from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.decompose.readings import HandReading
from scorer.hand import Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.pricing import bonus_price, said_awards, total_price


class Candidate(NamedTuple):
    """A sum: points × 2^doubles, and with a special hand the bonus tiles summed apart."""

    reading: HandReading
    points: int
    doubles: int
    bonus_points: int = 0
    bonus_doubles: int = 0
    special: SpecialHand | None = None
    fishing: bool = False

    @property
    def worth(self) -> int:
        """The score before the limit."""
        return (self.points << self.doubles) + (self.bonus_points << self.bonus_doubles)

    def within(self, limit: int | None) -> int:
        """Return the score, cut to the limit where there is one (BMJA-L01)."""
        worth = self.worth
        return worth if limit is None or worth < limit else limit


def special_candidate(
    special: SpecialHand, reading: HandReading, rules: Ruleset, *, points: int, doubles: int = 0
) -> Candidate:
    """Score a special hand, its bonus tiles summed and doubled apart (BMJA-S01 to S04)."""
    hand = reading.hand
    bonus = bonus_price(rules, hand)
    more = total_price(said_awards(rules.apart_with(special), hand)).doubles if hand.bonus else 0
    return Candidate(
        reading,
        points,
        doubles,
        bonus.points,
        bonus.doubles + more,
        special,
        fishing=not hand.winner,
    )


def as_they_lie(hand: Hand) -> HandReading:
    """Return the tiles of a hand that is not read in sets."""
    laid = tuple(TileSet("loose", codes, concealed=False) for codes in hand.laid_down)
    return HandReading(hand, (*laid, TileSet("loose", hand.concealed, concealed=True)))


def best_candidate(candidates: list[Candidate], limit: int | None) -> Candidate:
    """Return the candidate that gives the player most.

    Where the limit makes two alike, the special hand is named rather than the ordinary sum; where
    they are alike before it, the reading with fewer loose tiles.
    """
    return max(candidates, key=lambda candidate: _rank(candidate, limit))


def _rank(candidate: Candidate, limit: int | None) -> tuple[int, bool, int, int]:
    return (
        candidate.within(limit),
        candidate.special is not None,
        candidate.worth,
        -candidate.reading.loose_tiles,
    )
