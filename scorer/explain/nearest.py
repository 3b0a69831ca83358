"""The special hands nearest to a losing hand, for teaching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.breakdown import Nearest
from scorer.hand import Codes, Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.losing import Completions
from scorer.special.held import MOST_MISSING, Held, Missing, held_by
from scorer.special.shapes import Target
from scorer.special.table import SETS_HANDS, TILES_HANDS
from scorer.tiles import BY_CODE

SHOWN = 3


def nearest_specials(hand: Hand, rules: Ruleset, coming: Completions) -> tuple[Nearest, ...]:
    """Return the special hands that need fewest tiles, nearest first, then dearest.

    A special hand that the player fishes for, among the tiles `coming`, needs one tile. All missing
    tiles can still come. Wild tiles reduce their number.
    """
    near = near_specials(hand, rules, coming)
    return tuple(sorted(near, key=lambda each: len(each.needed))[:SHOWN])


def near_specials(hand: Hand, rules: Ruleset, coming: Completions) -> Iterator[Nearest]:
    """Yield every special hand within reach, dearest first."""
    held = held_by(hand)
    fished = {
        candidate.special.id: (tile,)
        for tile in reversed(tuple(coming))  # the first tile wins; wild tiles come last
        for candidate in coming[tile]
        if candidate.special
    }
    for special in rules.specials:
        needed = fished.get(special.id) or _needed(special, held, rules)
        if 0 < len(needed) <= MOST_MISSING:
            yield Nearest(special.id, special.name, needed)


def _needed(special: SpecialHand, held: Held, rules: Ruleset) -> Codes:
    """Return the tiles that the nearest version of a special hand needs; empty without one."""
    targets = _targets(special, held, rules)
    needed = [_without_wilds(missing, held) for missing in targets if missing is not None]
    reachable = [codes for codes in needed if held.unreachable.isdisjoint(codes)]
    best = min(reachable, key=len, default=())
    return tuple(sorted(best, key=BY_CODE.__getitem__))


def _targets(special: SpecialHand, held: Held, rules: Ruleset) -> Iterable[Target]:
    if special.of == "sets":
        return SETS_HANDS[special.when].missing(held, rules)
    if special.of == "tiles" and not held.fixed:  # concealed (BMJA-S05, S07)
        return TILES_HANDS[special.when].missing(held, rules)
    return ()


def _without_wilds(missing: Iterable[Missing], held: Held) -> Codes:
    """Return what is still missing after the wild tiles are used (BMJA-G05).

    They first replace tiles that exist only as wild ones.
    """
    if not held.wilds:
        return tuple(code for group in missing for code in group.tiles)
    left, needed = held.wilds, list[str]()
    for group in sorted(missing, key=lambda group: held.unreachable.isdisjoint(group.tiles)):
        wild = min(left, group.wilds, len(group.tiles))
        left -= wild
        needed += group.tiles[wild:]
    return tuple(needed)
