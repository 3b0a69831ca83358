"""Advise a player on a hand in play: what it waits for, what to discard, what is near.

The scorer finds everything: which tiles complete the hand, the score with each, the special hands
that are near. An incomplete hand has no score of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from scorer.breakdown import NearbySpecial, Wait
from scorer.errors import HandError, HandProblem
from scorer.explain.prospects import find_waits, nearest_specials
from scorer.explain.tiles_needed import min_tiles_needed, useful_tiles
from scorer.hand import HAND_SIZE, Codes, Hand, remove_tiles
from scorer.patterns.frames import SETS_PER_HAND
from scorer.ruleset import Ruleset
from scorer.score import score, score_total
from scorer.scoring.candidates import find_completions, winning_candidates
from scorer.special.base import MAX_MISSING_TILES
from scorer.validate.circumstance_checks import choose_rules
from scorer.validate.tile_checks import find_hand_problems

_State = Literal["whole", "fishing", "to-discard", "far", "few", "none"]
"""Whole: a Mah-Jong. Fishing: one tile short. To discard: fishing after a discard. Far: more tiles
are missing. Few: too few tiles for advice. None: the tiles cannot be one player's hand."""

MIN_TILES_FOR_ADVICE = HAND_SIZE - MAX_MISSING_TILES
"""With fewer tiles no special hand is near."""

KONG_TILES = 4


@dataclass(frozen=True, slots=True)
class CompletingTile:
    """A tile that would complete the hand."""

    tile: str
    left: int
    """How many can come at most: those that are neither in the hand nor on the table."""
    drawn_score: int
    """The score with this tile, drawn from the live wall."""
    claimed_score: int | None
    """The score with this tile, claimed as a discard; None when that is not allowed."""
    special: str
    """Id of the special hand that it would make, when drawn; empty for an ordinary hand."""
    on_table: int = 0
    """How many lie on the table, where it is known what does."""
    is_misread: bool = False
    """There would be more than four of it, so that some of them are another tile."""


@dataclass(frozen=True, slots=True)
class DiscardAdvice:
    """A tile to discard, and what the rest then waits for."""

    tile: str
    waits: tuple[CompletingTile, ...]
    """Those that can still come, dearest first; then the others."""

    @property
    def best(self) -> int:
        """The highest possible score."""
        return self.waits[0].drawn_score

    @property
    def remaining_count(self) -> int:
        """The number of tiles left that complete the hand."""
        return sum(each.left for each in self.waits)


@dataclass(frozen=True, slots=True)
class HandAdvice:
    """The advice on a hand in play."""

    state: _State
    size: int
    """The number of tiles, with a kong counted as three."""
    waits: tuple[CompletingTile, ...] = ()
    discards: tuple[DiscardAdvice, ...] = ()
    """Discards that leave the hand fishing, those for tiles that can still come first: the dearest,
    then those with most tiles left."""
    missing_count: int | None = None
    """Fewest tiles needed for an ordinary hand; None when it can no longer become one."""
    useful: Codes = ()
    """The tiles that bring an ordinary hand nearer."""
    near_specials: tuple[NearbySpecial, ...] = ()
    lying_score: int | None = None
    """The score if another player wins now."""
    problems: tuple[HandProblem, ...] = ()
    """Why the tiles cannot be one player's hand; empty when there are simply too many."""


def advise_on_hand(
    hand: Hand, rules: Ruleset | None = None, table_codes: Collection[str] = ()
) -> HandAdvice:
    """Return the advice on a hand, ignoring any win; impossible tiles raise nothing.

    `table_codes` are tiles that everybody sees outside the hand: they cannot come any more.
    """
    rules = choose_rules(hand, rules)
    hand = undeclare_kongs(replace(hand, winner=False, won_by=(), winning_tile=None))
    size = count_hand_tiles(hand)
    errors = tuple(each for each in find_hand_problems(hand, rules) if each.level == "error")
    if errors or size > HAND_SIZE or len(hand.sets_on_table) > SETS_PER_HAND:
        return HandAdvice("none", size, problems=errors)
    if size < MIN_TILES_FOR_ADVICE:
        return HandAdvice("few", size)
    if size == HAND_SIZE:
        return _advise_on_fourteen(hand, rules, Counter(table_codes))
    if size == HAND_SIZE - 1:
        return _advise_on_thirteen(hand, rules, Counter(table_codes))
    return _advise_when_far(hand, rules)


def undeclare_kongs(hand: Hand) -> Hand:
    """Return the hand with only those kongs declared that its number of tiles allows.

    A player may keep four equal tiles undeclared (BMJA-K05), and each declared kong adds one tile.
    When no number of kongs fits, the hand stays as it is.
    """
    for kong_count in range(len(hand.declared_kongs), -1, -1):
        kept_kongs, returned_kongs = (
            hand.declared_kongs[:kong_count],
            hand.declared_kongs[kong_count:],
        )
        loose = tuple(code for codes in returned_kongs for code in codes)
        new_hand = replace(hand, declared_kongs=kept_kongs, concealed=(*hand.concealed, *loose))
        if count_hand_tiles(new_hand) in (HAND_SIZE - 1, HAND_SIZE):
            return new_hand
    return hand


def count_hand_tiles(hand: Hand) -> int:
    """Return the number of tiles towards fourteen, with a kong counted as three."""
    return len(hand.tiles) - sum(len(codes) == KONG_TILES for codes in hand.sets_on_table)


def _advise_on_thirteen(hand: Hand, rules: Ruleset, table_codes: Counter[str]) -> HandAdvice:
    breakdown = score(hand, rules)
    if not breakdown.waits:
        return replace(_advise_when_far(hand, rules), lying_score=breakdown.total)
    return HandAdvice(
        "fishing",
        count_hand_tiles(hand),
        waits=_completing_tiles(hand, breakdown.waits, rules, table_codes),
        missing_count=1,
        near_specials=breakdown.nearest,
        lying_score=breakdown.total,
    )


def _advise_on_fourteen(hand: Hand, rules: Ruleset, table_codes: Counter[str]) -> HandAdvice:
    if winning_candidates(replace(hand, winner=True, won_by=("wall",)), rules):
        return HandAdvice("whole", HAND_SIZE, missing_count=0)
    discards = sorted(
        _find_discards(hand, rules, table_codes),
        key=lambda discard: (not discard.remaining_count, -discard.best, -discard.remaining_count),
    )
    if not discards:
        return _advise_when_far(hand, rules)
    return HandAdvice(
        "to-discard",
        HAND_SIZE,
        discards=tuple(discards),
        missing_count=min_tiles_needed(hand, rules),
        near_specials=nearest_specials(hand, rules, {}),
    )


def _advise_when_far(hand: Hand, rules: Ruleset) -> HandAdvice:
    return HandAdvice(
        "far",
        count_hand_tiles(hand),
        missing_count=min_tiles_needed(hand, rules),
        useful=useful_tiles(hand, rules),
        near_specials=nearest_specials(hand, rules, {}),
    )


def _find_discards(
    hand: Hand, rules: Ruleset, table_codes: Counter[str]
) -> Iterator[DiscardAdvice]:
    for code in dict.fromkeys(hand.concealed):
        left = replace(hand, concealed=remove_tiles(hand.concealed, (code,)))
        waits = find_waits(left, rules, find_completions(left, rules))
        if waits:
            yield DiscardAdvice(code, _completing_tiles(left, waits, rules, table_codes))


def _completing_tiles(
    hand: Hand, waits: tuple[Wait, ...], rules: Ruleset, table_codes: Counter[str]
) -> tuple[CompletingTile, ...]:
    """Return the tiles in the order of the waits, those with none left at the end."""
    tiles = (_completing_tile(hand, wait, rules, table_codes[wait.tile]) for wait in waits)
    return tuple(sorted(tiles, key=lambda tile: not tile.left))


def _completing_tile(hand: Hand, wait: Wait, rules: Ruleset, on_table: int) -> CompletingTile:
    claimed_hand = replace(
        hand,
        concealed=(*hand.concealed, wait.tile),
        winner=True,
        won_by=("discard",),
        winning_tile=wait.tile,
    )
    return CompletingTile(
        wait.tile,
        max(wait.left - on_table, 0),
        wait.total,
        _total_if_allowed(claimed_hand, rules),
        wait.special or "",
        on_table,
        is_misread=on_table > wait.left,
    )


def _total_if_allowed(hand: Hand, rules: Ruleset) -> int | None:
    try:
        return score_total(hand, rules)
    except HandError:
        return None
