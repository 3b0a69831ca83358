"""Special hands of one suit or of green tiles.

Purity (BMJA-S11), Buried treasure (S15), Imperial jade (S18), Wriggling snake (S17), Gates of
heaven (S23).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.decompose.arrangements import SETS_PER_HAND, HandArrangement
from scorer.message import message
from scorer.reasons import Reason, make_reason, make_set_reason, sole_reason
from scorer.ruleset import Ruleset
from scorer.sets import GREEN_CODES, HandTraits
from scorer.special.base import (
    CODES_BY_SUIT,
    HONOUR_CODES,
    SUIT_RANKS,
    WIND_CODES,
    MissingFromTarget,
    MissingTiles,
    PlayerTiles,
    SetsHand,
    TileCounts,
    TilesHand,
    main_suit,
    missing_from_sets,
    missing_singles,
    sets_exposed_early,
    why_not_concealed,
    why_not_of_suit,
    why_not_pung,
)
from scorer.tiles import RANKS, SUITS, Tile


class Purity(SetsHand):
    """BMJA-S11: one suit throughout, without chow or honours."""

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        return traits.suits == 1 and not (traits.has_chows or traits.has_honours)

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        main = main_suit(arrangement)
        return sole_reason(
            fault
            for each in arrangement.sets
            for fault in (why_not_pung(each), why_not_of_suit(each, main), _why_not_a_suit(each))
        )

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        return (missing_from_sets(held, suit) for suit in CODES_BY_SUIT.values())


def _why_not_a_suit(each: TileSet) -> Reason:
    return make_set_reason("not-of-a-suit", each) if each.tile.is_honour else None


class BuriedTreasure(SetsHand):
    """BMJA-S15: four concealed pungs of one suit and honours; the last set may be claimed.

    At least the pair must be of the suit; the other faces may be honours (BMJA-S36).
    """

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        if traits.has_chows or traits.has_kongs or traits.suits != 1:
            return False
        exposed = arrangement.exposed_places
        if exposed != ([arrangement.claim.place] if arrangement.claim else []):
            return False
        return not _why_not_claimable(arrangement, rules)

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        return sole_reason(
            (
                *(_why_no_pung(each) for each in arrangement.sets),
                *map(why_not_concealed, sets_exposed_early(arrangement)),
                _why_not_claimable(arrangement, rules),
                *_suit_faults(arrangement),
            )
        )

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        """Yield nothing when a set lies on the table: only the last tile may be claimed."""
        if held.fixed:
            return ()
        honours = {*[face for face in held.faces if face in HONOUR_CODES][:SETS_PER_HAND]}
        return (missing_from_sets(held, suit | honours) for suit in CODES_BY_SUIT.values())


def _why_no_pung(each: TileSet) -> Reason:
    return make_set_reason("no-pung", each) if each.kind in ("chow", "kong") else None


def _why_not_claimable(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """Return the reason against a claimed last pung, where only a pair may be (BMJA-C09)."""
    claim = arrangement.claim
    if not claim or rules.is_on("buried_treasure_last_pung_claimable"):
        return None
    of_pair = arrangement.sets[claim.place].kind == "pair"
    return None if of_pair else make_reason("last-pung-claimed")


def _suit_faults(arrangement: HandArrangement) -> Iterator[Reason]:
    """Yield what is wrong with the suits: none, a set of another suit, or two whole suits.

    Three suits give two reasons, so that the hand counts as far.
    """
    main = main_suit(arrangement)
    foreign = [fault for each in arrangement.sets if (fault := why_not_of_suit(each, main))]
    match arrangement.suits:
        case ():
            yield make_reason("no-suit-tile")
        case (first, second) if len(foreign) > 1:
            yield make_reason(
                "two-suits", one=message(f"suit.{first}"), other=message(f"suit.{second}")
            )
        case _:
            yield from foreign


GREEN_CHOW = ("B2", "B3", "B4")
"""The one chow of green tiles."""


class ImperialJade(SetsHand):
    """BMJA-S18: only green tiles; without chows, unless the table allows them (BMJA-C14)."""

    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        return traits.all_green and (not traits.has_chows or rules.is_on("jade_chows"))

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        chows_count = not rules.is_on("jade_chows")
        return sole_reason(
            make_set_reason("not-green", each)
            if not GREEN_CODES.issuperset(each.faces)
            else why_not_pung(each)
            if chows_count
            else None
            for each in arrangement.sets
        )

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        yield missing_from_sets(held, GREEN_CODES)
        if rules.is_on("jade_chows") and rules.chows_for(held.hand):
            yield _missing_with_green_chow(held)


def _missing_with_green_chow(held: PlayerTiles) -> MissingFromTarget:
    """Return what is missing when the green chow is one of the sets."""
    chows = [each for each in held.fixed if each.tiles == GREEN_CHOW]
    fixed = tuple(each for each in held.fixed if each not in chows)
    count = dict(held.own)
    missing = []
    for code in () if chows else GREEN_CHOW:
        if count.get(code, 0):
            count[code] -= 1
        else:
            missing.append(code)
    faces = tuple(sorted(held.faces, key=lambda code: -count.get(code, 0)))
    held = held._replace(own=count, faces=faces, fixed=fixed)
    rest = missing_from_sets(held, GREEN_CODES, sets=SETS_PER_HAND - 1)
    return rest if rest is None else [MissingTiles(tuple(missing)), *rest]


class TilePattern(NamedTuple):
    """The exact tiles of a hand, and which of them form sets."""

    tiles: Counter[str]
    in_sets: tuple[str, ...]

    def is_made_of(self, holding: TileCounts) -> bool:
        """Return whether the tiles are these; wild tiles may replace some (BMJA-G05)."""
        natural = holding.natural
        if len(natural) + holding.wilds < len(self.tiles):
            return False
        if any(n > self.tiles[code] for code, n in natural.items()):
            return False
        missing = [self.tiles[code] - natural[code] for code in self.in_sets]
        return sum(max(n - 1, 0) for n in missing) <= holding.spare


def _suit_codes(suit: str, ranks: str) -> tuple[str, ...]:
    return tuple(suit + rank for rank in ranks)


SNAKE_PATTERNS = tuple(
    TilePattern(Counter([*_suit_codes(suit, "1" + SUIT_RANKS), *WIND_CODES]), (suit + "1",))
    for suit in SUITS
)
GATES_PATTERNS = tuple(
    TilePattern(
        Counter(_suit_codes(suit, "1112345678999" + extra)), _suit_codes(suit, "19" + extra)
    )
    for suit in SUITS
    for extra in "2345678"
)


class WrigglingSnake(TilesHand):
    """BMJA-S17: one suit from 1 to 9, with a pair of 1s, and one of each wind."""

    largest_claim = 3

    def matches(self, holding: TileCounts, rules: Ruleset) -> bool:
        return any(snake.is_made_of(holding) for snake in SNAKE_PATTERNS)

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        for suit in SUITS:
            ones = MissingTiles((suit + "1",) * max(2 - held.own.get(suit + "1", 0), 0))
            singles = (*(suit + rank for rank in SUIT_RANKS[1:]), *WIND_CODES)
            yield [ones, *missing_singles(code for code in singles if not held.own.get(code))]


class GatesOfHeaven(TilesHand):
    """BMJA-S23: one suit: three 1s, 2 to 8 with one of them doubled, three 9s (BMJA-S37)."""

    largest_claim = 3

    def matches(self, holding: TileCounts, rules: Ruleset) -> bool:
        return len(holding.families) == 1 and any(
            gates.is_made_of(holding) for gates in GATES_PATTERNS
        )

    def may_end_with(self, claimed: Tile, rules: Ruleset) -> bool:
        """Refuse other tiles than 1 and 9 where the table plays so (BMJA-C13)."""
        return not (claimed.is_minor and rules.is_on("gates_only_terminal_claimable"))

    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        """Double a rank from 2 to 8 that the player holds."""
        for suit in SUITS:
            ends = [
                MissingTiles((code,) * max(3 - held.own.get(code, 0), 0))
                for code in (suit + "1", suit + "9")
            ]
            run = [suit + rank for rank in RANKS[suit][1:-1]]
            missing = [code for code in run if not held.own.get(code)]
            if not any(held.own.get(code, 0) > 1 for code in run):
                missing.append(next((code for code in run if held.own.get(code)), suit + "5"))
            yield [*ends, *missing_singles(missing)]
