"""Find what a losing hand was waiting for, and the special hands nearest to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.breakdown import NearbySpecial, Wait
from scorer.explain.warnings import keep_enough_for_two
from scorer.hand import Codes, Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Completions, choose_best
from scorer.special.base import (
    MAX_MISSING_TILES,
    MissingFromTarget,
    MissingTiles,
    PlayerTiles,
    tiles_of_player,
)
from scorer.special.set_patterns import missing_from_sets_hand
from scorer.special.tile_patterns import missing_from_tiles_hand
from scorer.tiles import BY_CODE


def find_waits(hand: Hand, rules: Ruleset, completions: Completions) -> tuple[Wait, ...]:
    """Return each tile that would complete the hand, with its score, dearest first.

    A tile that would not allow Mah-Jong with two players is left out (BMJA-N02).
    """
    limit = rules.limit_for(hand)
    waits = []
    for code, candidates in completions.items():
        enough = keep_enough_for_two(hand, candidates, rules)
        if enough:
            best = choose_best(enough, limit)
            special = best.special.id if best.special else None
            waits.append(Wait(code, 4 - hand.tiles.count(code), best.capped_score(limit), special))
    return tuple(sorted(waits, key=lambda wait: -wait.total))


MAX_SHOWN_SPECIALS = 3


def nearest_specials(hand: Hand, rules: Ruleset, coming: Completions) -> tuple[NearbySpecial, ...]:
    """Return the special hands that need fewest tiles, nearest first, then dearest.

    A special hand that the player fishes for, among the tiles `coming`, needs one tile. All missing
    tiles can still come. Wild tiles reduce their number.
    """
    near = specials_within_reach(hand, rules, coming)
    return tuple(sorted(near, key=lambda each: len(each.needed))[:MAX_SHOWN_SPECIALS])


def specials_within_reach(
    hand: Hand, rules: Ruleset, coming: Completions
) -> Iterator[NearbySpecial]:
    """Yield every special hand within reach, dearest first."""
    held = tiles_of_player(hand, rules.chows_for(hand))
    fished = {
        candidate.special.id: (tile,)
        for tile in reversed(tuple(coming))  # the first tile wins; wild tiles come last
        for candidate in coming[tile]
        if candidate.special
    }
    for special in rules.specials:
        needed = fished.get(special.id) or _needed(special, held)
        if 0 < len(needed) <= MAX_MISSING_TILES:
            yield NearbySpecial(special.id, special.name, needed)


def _needed(special: SpecialHand, held: PlayerTiles) -> Codes:
    """Return the tiles that the nearest version of a special hand needs; empty without one."""
    targets = _find_targets(special, held)
    needed = [_fill_with_wilds(missing, held) for missing in targets if missing is not None]
    reachable = [codes for codes in needed if held.unreachable.isdisjoint(codes)]
    best = min(reachable, key=len, default=())
    return tuple(sorted(best, key=BY_CODE.__getitem__))


def _find_targets(special: SpecialHand, held: PlayerTiles) -> Iterable[MissingFromTarget]:
    match special.of:
        case "sets":
            return missing_from_sets_hand(special, held)
        case "tiles":
            return missing_from_tiles_hand(special, held)
        case _:
            return ()


def _fill_with_wilds(missing: Iterable[MissingTiles], held: PlayerTiles) -> Codes:
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
