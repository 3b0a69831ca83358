"""Find every way to score a hand, of a winner (BMJA-H06, S08, S09) or a loser (section F).

A candidate is one such way: the sum of an ordinary hand in one arrangement, or a special hand.
"""

from __future__ import annotations

from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.decompose.readings import HandReading
from scorer.hand import Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.pricing import bonus_price, said_awards, total_price


class Candidate(NamedTuple):
    """A sum: points × 2^doubles; for special hands, plus the bonus tiles in a sum of their own."""

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
        """Return the score, cut to the limit if there is one (BMJA-L01)."""
        worth = self.worth
        return worth if limit is None or worth < limit else limit


def special_candidate(
    special: SpecialHand, arrangement: HandReading, rules: Ruleset, *, points: int, doubles: int = 0
) -> Candidate:
    """Return the candidate of a special hand; its bonus tiles count apart (BMJA-S01 to S04)."""
    hand = arrangement.hand
    bonus = bonus_price(rules, hand)
    more = total_price(said_awards(rules.apart_with(special), hand)).doubles if hand.bonus else 0
    return Candidate(
        arrangement,
        points,
        doubles,
        bonus.points,
        bonus.doubles + more,
        special,
        fishing=not hand.winner,
    )


def as_they_lie(hand: Hand) -> HandReading:
    """Return the hand with all tiles loose, for hands that are not arranged in sets."""
    laid = tuple(TileSet("loose", codes, concealed=False) for codes in hand.laid_down)
    return HandReading(hand, (*laid, TileSet("loose", hand.concealed, concealed=True)))


def best_candidate(candidates: list[Candidate], limit: int | None) -> Candidate:
    """Return the candidate with the highest score.

    When the limit makes two equal, a special hand comes before an ordinary sum. When they are equal
    before the limit, the arrangement with fewer loose tiles comes first.
    """
    return max(candidates, key=lambda candidate: _rank(candidate, limit))


def _rank(candidate: Candidate, limit: int | None) -> tuple[int, bool, int, int]:
    return (
        candidate.within(limit),
        candidate.special is not None,
        candidate.worth,
        -candidate.reading.loose_tiles,
    )
