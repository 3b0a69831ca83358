"""A practice hand with every way to score it, and the rules at work in each way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from scorer.breakdown import Breakdown, Line, Score, TileSet
from scorer.hand import Hand
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.scoring.candidates import (
    Candidate,
    choose_best,
    find_completions,
    losing_candidates,
    winning_candidates,
)
from scorer.scoring.lines import write_lines
from scorer.scoring.pricing import Award, set_awards


@dataclass(frozen=True, slots=True)
class PracticeHand:
    """A hand and every candidate for its score."""

    hand: Hand
    rules: Ruleset
    ways: tuple[Candidate, ...]
    small_score: Score | None = None
    """The score of a small game's hand, which is none of the whole game; None for any other."""

    @property
    def breakdown(self) -> Breakdown:
        """The hand's score."""
        small = self.small_score
        if small is None:
            return score(self.hand, self.rules)
        values = {field.name: getattr(small, field.name) for field in fields(Score)}
        return Breakdown(**values, sets=self.best.arrangement.sets)

    @property
    def limit(self) -> int | None:
        """The limit for this hand."""
        return self.rules.limit_for(self.hand)

    @property
    def limit_in_force(self) -> int | None:
        """The limit for the candidate that counts: an ordinary hand may have a lower one."""
        return self.best.limit_under(self.limit)

    @property
    def best(self) -> Candidate:
        """The candidate that counts."""
        return choose_best(list(self.ways), self.limit)

    @property
    def ordinary(self) -> Candidate | None:
        """The best ordinary candidate, if there is one."""
        return self._best_of([way for way in self.ways if way.special is None])

    @property
    def special(self) -> Candidate | None:
        """The best special candidate, if there is one; it may be a fishing one."""
        return self._best_of([way for way in self.ways if way.special])

    def _best_of(self, ways: list[Candidate]) -> Candidate | None:
        return choose_best(ways, self.limit) if ways else None

    def lines(self, way: Candidate) -> tuple[Line, ...]:
        """Return the lines of one candidate."""
        return write_lines(way, self.rules)

    def awards(self, tile_set: TileSet) -> list[Award]:
        """Return the awards of a set, including those that give nothing."""
        seat = SeatWinds(self.hand.seat_wind, self.hand.prevailing_wind)
        return list(set_awards(self.rules, seat, tile_set))

    def rules_at_work(self, way: Candidate) -> frozenset[str]:
        """Return the ids of the rules at work in a candidate, including rows that give nothing."""
        return frozenset(self._at_work(way))

    def _at_work(self, way: Candidate) -> Iterator[str]:
        yield from (line.rule for line in self.lines(way))
        for tile_set in way.arrangement.sets:
            yield from (award.rule.id for award in self.awards(tile_set))
        if way.arrangement.claim and not way.arrangement.claim.lay_exposed:
            yield "BMJA-K02"


def make_practice_hand(hand: Hand, rules: Ruleset) -> PracticeHand:
    """Return a valid hand with its candidates; a winner's hand that is no Mah-Jong has none."""
    if hand.winner:
        return PracticeHand(hand, rules, tuple(winning_candidates(hand, rules)))
    return PracticeHand(
        hand, rules, tuple(losing_candidates(hand, rules, find_completions(hand, rules)))
    )


def make_small_practice_hand(hand: Hand, rules: Ruleset, small_score: Score) -> PracticeHand:
    """Return a hand of a small game: scored as a loser's, and what Mah-Jong gives to the winner."""
    loser = replace(hand, winner=False, won_by=(), winning_tile=None, original_call=False)
    practice_hand = make_practice_hand(loser, rules)
    win_points = small_score.base - practice_hand.best.points
    ways = tuple(way._replace(points=way.points + win_points) for way in practice_hand.ways)
    return PracticeHand(hand, rules, ways, small_score)
