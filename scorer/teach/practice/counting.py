"""The ways in which a made hand may be counted, and which rules are at work in one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.breakdown import Line, TileSet
from scorer.hand import Hand
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import Candidate, best_candidate
from scorer.scoring.lines import lines_of
from scorer.scoring.losing import completions, losing_candidates
from scorer.scoring.pricing import Award, set_awards
from scorer.scoring.winning import winning_candidates


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand and everything that it might score."""

    hand: Hand
    rules: Ruleset
    ways: tuple[Candidate, ...]

    @property
    def limit(self) -> int | None:
        """The most that it may score."""
        return self.rules.limit_for(self.hand)

    @property
    def best(self) -> Candidate:
        """What is scored."""
        return best_candidate(list(self.ways), self.limit)

    @property
    def ordinary(self) -> Candidate | None:
        """The best of the ordinary sums, if there is one."""
        return self._best_of([way for way in self.ways if way.special is None])

    @property
    def special(self) -> Candidate | None:
        """The best of the special hands, if it is one, or is one tile short of one."""
        return self._best_of([way for way in self.ways if way.special])

    def _best_of(self, ways: list[Candidate]) -> Candidate | None:
        return best_candidate(ways, self.limit) if ways else None

    def lines(self, way: Candidate) -> tuple[Line, ...]:
        """Return the lines of one of the ways."""
        return lines_of(way, self.rules)

    def awards(self, tile_set: TileSet) -> list[Award]:
        """Return what a set earns, rules that say 0 included."""
        seat = SeatWinds(self.hand.seat_wind, self.hand.prevailing_wind)
        return list(set_awards(self.rules, seat, tile_set))

    def at_work(self, way: Candidate) -> frozenset[str]:
        """Return the ids of the rules that give something in a way, or say that they do not."""
        return frozenset(self._at_work(way))

    def _at_work(self, way: Candidate) -> Iterator[str]:
        yield from (line.rule for line in self.lines(way))
        for tile_set in way.reading.sets:
            yield from (award.rule.id for award in self.awards(tile_set))
        if way.reading.claim and not way.reading.claim.lay_exposed:
            yield "BMJA-K02"


def counted(hand: Hand, rules: Ruleset) -> Counted:
    """Return every way to score a hand that is one; no ways for a winner's that is no Mah-Jong."""
    if hand.winner:
        return Counted(hand, rules, tuple(winning_candidates(hand, rules)))
    return Counted(hand, rules, tuple(losing_candidates(hand, rules, completions(hand, rules))))
