"""Special hands with a run through one suit: wriggling snake (S17), gates of heaven (S23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from scorer.ruleset import Ruleset
from scorer.special.held import Held, Missing, singly
from scorer.special.holding import ONE_TO_NINE, WIND_CODES, Holding
from scorer.special.shapes import Target, TilesHand
from scorer.tiles import RANKS, SUITS, Tile


class Pattern(NamedTuple):
    """The exact tiles of a hand, and which of them form sets."""

    tiles: Counter[str]
    in_sets: tuple[str, ...]

    def is_made_of(self, holding: Holding) -> bool:
        """Return whether the tiles are these; wild tiles may replace some (BMJA-G05)."""
        natural = holding.natural
        if len(natural) + holding.wilds < len(self.tiles):
            return False
        if any(n > self.tiles[code] for code, n in natural.items()):
            return False
        missing = [self.tiles[code] - natural[code] for code in self.in_sets]
        return sum(max(n - 1, 0) for n in missing) <= holding.spare


def _ranks(suit: str, ranks: str) -> tuple[str, ...]:
    return tuple(suit + rank for rank in ranks)


SNAKES = tuple(
    Pattern(Counter([*_ranks(suit, "1" + ONE_TO_NINE), *WIND_CODES]), (suit + "1",))
    for suit in SUITS
)
GATES = tuple(
    Pattern(Counter(_ranks(suit, "1112345678999" + extra)), _ranks(suit, "19" + extra))
    for suit in SUITS
    for extra in "2345678"
)


class WrigglingSnake(TilesHand):
    """BMJA-S17: one suit from 1 to 9, with a pair of 1s, and one of each wind."""

    largest_claim = 3

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        return any(snake.is_made_of(holding) for snake in SNAKES)

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        for suit in SUITS:
            ones = Missing((suit + "1",) * max(2 - held.own.get(suit + "1", 0), 0))
            singles = (*(suit + rank for rank in ONE_TO_NINE[1:]), *WIND_CODES)
            yield [ones, *singly(code for code in singles if not held.own.get(code))]


class GatesOfHeaven(TilesHand):
    """BMJA-S23: one suit: three 1s, 2 to 8 with one of them doubled, three 9s (BMJA-S37)."""

    largest_claim = 3

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        return len(holding.families) == 1 and any(gates.is_made_of(holding) for gates in GATES)

    def may_end_with(self, claimed: Tile, rules: Ruleset) -> bool:
        """Refuse other tiles than 1 and 9 where the table plays so (BMJA-C13)."""
        return not (claimed.is_minor and rules.is_on("gates_only_terminal_claimable"))

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Double a rank from 2 to 8 that the player holds."""
        for suit in SUITS:
            ends = [
                Missing((code,) * max(3 - held.own.get(code, 0), 0))
                for code in (suit + "1", suit + "9")
            ]
            run = [suit + rank for rank in RANKS[suit][1:-1]]
            missing = [code for code in run if not held.own.get(code)]
            if not any(held.own.get(code, 0) > 1 for code in run):
                missing.append(next((code for code in run if held.own.get(code)), suit + "5"))
            yield [*ends, *singly(missing)]
