"""Which tiles complete a hand, and whether it may go out: the scorer's answer for each game.

Small games have hands of fewer tiles, which the scorer reads as the hand of a player who did not
win; going out adds what the ruleset gives for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.breakdown import Line, Score
from scorer.decompose.splits import split_into_sets
from scorer.errors import HandError
from scorer.hand import Codes, Hand, remove_tiles
from scorer.message import Message, message
from scorer.patterns.frames import COPIES_PER_TILE, PLAYING_CODES
from scorer.play.setup import DealSetup, count_chows_allowed, count_claimable_chows
from scorer.ruleset import Ruleset
from scorer.score import score_total, score_unexplained
from scorer.scoring.candidates import find_completions
from scorer.validate.circumstance_checks import choose_rules
from scorer.validate.tile_checks import why_no_mah_jong


class Umpire:
    """Judges hands of the whole game, by the scorer alone."""

    def __init__(self, setup: DealSetup, rules: Ruleset) -> None:
        self.rules = choose_rules(setup.make_hand("E"), rules)
        self.setup = setup
        self.max_chows = count_chows_allowed(setup, self.rules)
        """Chows of an ordinary hand."""
        self.max_table_chows = count_claimable_chows(setup, self.rules)

    def find_waits(self, hand: Hand) -> frozenset[str]:
        """Return the tiles that complete a hand; in a goulash all wild ones if one does."""
        waits = frozenset(find_completions(hand, self.rules))
        return waits if waits.isdisjoint(hand.wild_codes) else waits | hand.wild_codes

    def is_mah_jong(self, hand: Hand) -> bool:
        """Return whether a winner's hand may go out (BMJA-N02 among others)."""
        try:
            score_total(hand, self.rules)
        except HandError:
            return False
        return True

    def explain_no_mah_jong(self, hand: Hand) -> Message:
        """Return why a winner's hand may not go out; a complete one was not declared (BMJA-C11)."""
        try:
            score_total(hand, self.rules)
        except HandError as problem:
            return problem.problems[0].message
        return message("play.fishing-first")

    def score_hand(self, hand: Hand) -> Score:
        """Return the score of a hand when the deal is over."""
        return score_unexplained(hand, self.rules)


class SmallUmpire(Umpire):
    """Judges hands of a small game: as many sets as its tiles allow, and a pair."""

    def find_waits(self, hand: Hand) -> frozenset[str]:
        """Return the tiles that complete a hand."""
        if len(hand.concealed) % 3 != 1:
            return frozenset()
        return frozenset(
            code
            for code in PLAYING_CODES
            if hand.tiles.count(code) < COPIES_PER_TILE
            and self._is_complete(hand, (*hand.concealed, code))
        )

    def is_mah_jong(self, hand: Hand) -> bool:
        """Return whether a winner's hand is sets and a pair, with few enough chows."""
        return self._is_complete(hand, hand.concealed)

    def explain_no_mah_jong(self, hand: Hand) -> Message:
        """Return why a winner's hand may not go out; a complete one was not declared (BMJA-C11)."""
        if self.is_mah_jong(hand):
            return message("play.fishing-first")
        return why_no_mah_jong(hand, self.rules).message

    def score_hand(self, hand: Hand) -> Score:
        """Return the score as if nobody had won, and what the winner gets for Mah-Jong."""
        loser = replace(hand, winner=False, won_by=(), winning_tile=None, original_call=False)
        score = replace(score_unexplained(loser, self.rules), problems=())
        if not hand.winner:
            return score
        rule = next((each for each in self.rules.rules_by_subject["win"] if not each.ways), None)
        if rule is None:
            return score
        base = score.base + rule.concealed_points
        line = Line(rule.id, rule.label, rule.concealed_points, 0, (), rule.sentence)
        limit = self.rules.limit_for(hand)
        total = base << score.doubles
        return replace(
            score,
            total=total if limit is None else min(total, limit),
            base=base,
            limited=limit is not None and total > limit,
            lines=(line, *score.lines),
        )

    def _is_complete(self, hand: Hand, concealed: Codes) -> bool:
        chows = self.max_chows - sum(len(set(codes)) == 3 for codes in hand.exposed)
        sets = self.setup.sets_per_hand - len(hand.sets_on_table)
        splits = split_into_sets(concealed, sets=sets, pairs=1, chows=chows)
        return chows >= 0 and next(splits, None) is not None


def make_umpire(setup: DealSetup, rules: Ruleset) -> Umpire:
    """Return who judges the hands of a deal."""
    return (SmallUmpire if setup.is_small else Umpire)(setup, rules)


def list_fishing_discards(umpire: Umpire, hand: Hand) -> Iterator[str]:
    """Yield the tiles of a full hand after whose discard it waits for a tile."""
    for code in dict.fromkeys(hand.concealed):
        if umpire.find_waits(replace(hand, concealed=remove_tiles(hand.concealed, (code,)))):
            yield code
