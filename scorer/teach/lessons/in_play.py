"""Advise a player on a hand in play: what it waits for, what to discard, what is near.

The scorer finds everything: which tiles complete the hand, the score with each, the special hands
that are near. An incomplete hand has no score of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from scorer.breakdown import Nearest, Wait
from scorer.decompose.readings import SETS_IN_A_HAND
from scorer.errors import HandError, HandProblem
from scorer.explain.nearest import nearest_specials
from scorer.explain.tiles_needed import fewest_needed, nearer
from scorer.explain.waits import waits_of
from scorer.hand import HAND_SIZE, Codes, Hand
from scorer.ruleset import Ruleset
from scorer.score import score, total
from scorer.scoring.losing import completions
from scorer.scoring.winning import winning_candidates
from scorer.special.held import MOST_MISSING
from scorer.validate.circumstances import rules_of
from scorer.validate.tiles_in_hand import hand_problems

_State = Literal["whole", "fishing", "to-discard", "far", "few", "none"]
"""Whole: a Mah-Jong. Fishing: one tile short. To discard: fishing after a discard. Far: more tiles
are missing. Few: too few tiles for advice. None: the tiles cannot be one player's hand."""

FEWEST = HAND_SIZE - MOST_MISSING
"""With fewer tiles no special hand is near."""

KONG = 4


@dataclass(frozen=True, slots=True)
class Coming:
    """A tile that would complete the hand."""

    tile: str
    left: int
    """How many the player does not hold; no more than these can come."""
    drawn: int
    """The score with this tile, drawn from the live wall."""
    claimed: int | None
    """The score with this tile, claimed as a discard; None when that is not allowed."""
    special: str
    """Id of the special hand that it would make, when drawn; empty for an ordinary hand."""


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile to discard, and what the rest then waits for, dearest first."""

    tile: str
    waits: tuple[Coming, ...]

    @property
    def best(self) -> int:
        """The highest possible score."""
        return self.waits[0].drawn

    @property
    def left(self) -> int:
        """The number of tiles left that complete the hand."""
        return sum(each.left for each in self.waits)


@dataclass(frozen=True, slots=True)
class InPlay:
    """The advice on a hand in play."""

    state: _State
    size: int
    """The number of tiles, with a kong counted as three."""
    waits: tuple[Coming, ...] = ()
    discards: tuple[Discard, ...] = ()
    """Discards that leave the hand fishing: the dearest first, then those with most tiles left."""
    needed: int | None = None
    """Fewest tiles needed for an ordinary hand; None when it can no longer become one."""
    useful: Codes = ()
    """The tiles that bring an ordinary hand nearer."""
    nearest: tuple[Nearest, ...] = ()
    lying: int | None = None
    """The score if another player wins now."""
    why: tuple[HandProblem, ...] = ()
    """Why the tiles cannot be one player's hand; empty when there are simply too many."""


def in_play(hand: Hand, rules: Ruleset | None = None) -> InPlay:
    """Return the advice on a hand, ignoring any win; impossible tiles raise nothing."""
    rules = rules_of(hand, rules)
    hand = as_held(replace(hand, winner=False, won_by=(), winning_tile=None))
    size = size_of(hand)
    errors = tuple(each for each in hand_problems(hand, rules) if each.level == "error")
    if errors or size > HAND_SIZE or len(hand.laid_down) > SETS_IN_A_HAND:
        return InPlay("none", size, why=errors)
    if size < FEWEST:
        return InPlay("few", size)
    if size == HAND_SIZE:
        return _fourteen(hand, rules)
    if size == HAND_SIZE - 1:
        return _thirteen(hand, rules)
    return _far(hand, rules)


def as_held(hand: Hand) -> Hand:
    """Return the hand with only those kongs declared that its number of tiles allows.

    A player may keep four equal tiles undeclared (BMJA-K05), and each declared kong adds one tile.
    When no number of kongs fits, the hand stays as it is.
    """
    for declared in range(len(hand.declared_kongs), -1, -1):
        kept, back = hand.declared_kongs[:declared], hand.declared_kongs[declared:]
        loose = tuple(code for codes in back for code in codes)
        held = replace(hand, declared_kongs=kept, concealed=(*hand.concealed, *loose))
        if size_of(held) in (HAND_SIZE - 1, HAND_SIZE):
            return held
    return hand


def size_of(hand: Hand) -> int:
    """Return the number of tiles towards fourteen, with a kong counted as three."""
    return len(hand.tiles) - sum(len(codes) == KONG for codes in hand.laid_down)


def _thirteen(hand: Hand, rules: Ruleset) -> InPlay:
    scored = score(hand, rules)
    if not scored.waits:
        return replace(_far(hand, rules), lying=scored.total)
    return InPlay(
        "fishing",
        size_of(hand),
        waits=tuple(_coming(hand, scored.waits, rules)),
        needed=1,
        nearest=scored.nearest,
        lying=scored.total,
    )


def _fourteen(hand: Hand, rules: Ruleset) -> InPlay:
    if winning_candidates(replace(hand, winner=True, won_by=("wall",)), rules):
        return InPlay("whole", HAND_SIZE, needed=0)
    discards = sorted(_discards(hand, rules), key=lambda each: (-each.best, -each.left))
    if not discards:
        return _far(hand, rules)
    return InPlay(
        "to-discard",
        HAND_SIZE,
        discards=tuple(discards),
        needed=fewest_needed(hand, rules),
        nearest=nearest_specials(hand, rules, {}),
    )


def _far(hand: Hand, rules: Ruleset) -> InPlay:
    return InPlay(
        "far",
        size_of(hand),
        needed=fewest_needed(hand, rules),
        useful=nearer(hand, rules),
        nearest=nearest_specials(hand, rules, {}),
    )


def _discards(hand: Hand, rules: Ruleset) -> Iterator[Discard]:
    for code in dict.fromkeys(hand.concealed):
        rest = list(hand.concealed)
        rest.remove(code)
        left = replace(hand, concealed=tuple(rest))
        waits = waits_of(left, rules, completions(left, rules))
        if waits:
            yield Discard(code, tuple(_coming(left, waits, rules)))


def _coming(hand: Hand, waits: tuple[Wait, ...], rules: Ruleset) -> Iterator[Coming]:
    for each in waits:
        claimed = replace(
            hand,
            concealed=(*hand.concealed, each.tile),
            winner=True,
            won_by=("discard",),
            winning_tile=each.tile,
        )
        yield Coming(each.tile, each.left, each.total, _total(claimed, rules), each.special or "")


def _total(hand: Hand, rules: Ruleset) -> int | None:
    try:
        return total(hand, rules)
    except HandError:
        return None
