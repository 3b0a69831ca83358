"""The special hands that the tiles of a hand which did not win are nearest to, for teaching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.breakdown import Nearest
from scorer.explain.missing_sets import SET_TARGETS, Held, Lack, held_by
from scorer.explain.missing_tiles import TILE_TARGETS
from scorer.hand import Codes, Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.losing import Completions
from scorer.tiles import BY_CODE

SHOWN = 3
MOST_LACKING = 6
"""A hand that lacks more tiles is not near."""


def nearest_specials(hand: Hand, rules: Ruleset, coming: Completions) -> tuple[Nearest, ...]:
    """Return the special hands that lack fewest tiles, nearest first, then dearest.

    What a hand fishes for, among the tiles `coming`, lacks that one tile. Whatever is lacking can
    still come: no target has more than four of a tile, and none goes against what lies on the
    table. Wild tiles lessen what is lacking.
    """
    near = near_specials(hand, rules, coming)
    return tuple(sorted(near, key=lambda each: len(each.needed))[:SHOWN])


def near_specials(hand: Hand, rules: Ruleset, coming: Completions) -> Iterator[Nearest]:
    """Yield every special hand within reach, dearest first."""
    held = held_by(hand)
    fished = {
        way.special.id: (tile,)
        for tile in reversed(tuple(coming))  # wild tiles come last, and are the last choice
        for way in coming[tile]
        if way.special
    }
    for special in rules.specials:
        needed = fished.get(special.id) or _needed(special, held, rules)
        if 0 < len(needed) <= MOST_LACKING:
            yield Nearest(special.id, special.name, needed)


def _needed(special: SpecialHand, held: Held, rules: Ruleset) -> Codes:
    """Return what the nearest target lacks; nothing where there is no target."""
    if special.when in SET_TARGETS:
        targets = SET_TARGETS[special.when](held, rules)
    elif special.when in TILE_TARGETS and not held.fixed:  # concealed (BMJA-S05, S07)
        targets = TILE_TARGETS[special.when](held, rules)
    else:
        return ()
    needed = [_with_wilds(lacks, held) for lacks in targets if lacks is not None]
    reachable = [codes for codes in needed if held.unreachable.isdisjoint(codes)]
    best = min(reachable, key=len, default=())
    return tuple(sorted(best, key=BY_CODE.__getitem__))


def _with_wilds(lacks: Iterable[Lack], held: Held) -> Codes:
    """Return what is lacking still when the wild tiles are put where they may stand (BMJA-G05).

    They go first where nothing else can.
    """
    if not held.wilds:
        return tuple(code for lack in lacks for code in lack.tiles)
    left, needed = held.wilds, list[str]()
    for lack in sorted(lacks, key=lambda lack: held.unreachable.isdisjoint(lack.tiles)):
        wild = min(left, lack.wilds, len(lack.tiles))
        left -= wild
        needed += lack.tiles[wild:]
    return tuple(needed)
