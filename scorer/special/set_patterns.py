"""Special hands of four sets and a pair: whether an arrangement is one, why not, what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType

from scorer.breakdown import TileSet
from scorer.cache_sizes import MAX_CACHED_HANDS, MAX_CACHED_SETS, MAX_CACHED_TABLES
from scorer.decompose.arrangements import HandArrangement
from scorer.decompose.splits import Sets
from scorer.message import message
from scorer.patterns.frames import BIT_BY_CODE, Group, HandFrame
from scorer.patterns.notation import is_suit_variable
from scorer.reasons import Reason, make_reason, make_set_reason, sole_reason
from scorer.ruleset import Ruleset, SpecialHand
from scorer.special.base import (
    explain_exposed_set,
    sets_exposed_early,
)
from scorer.tile_names import name_plural

WHY_NOT_OF_CLASS = MappingProxyType(
    {"terminal": "not-of-1s-or-9s", "green": "not-green", "honour": "not-of-honours"}
)
"""Class of tiles to the reason against a set of others."""

WHY_NOT_OF_KIND = MappingProxyType(
    {
        frozenset({"pung", "kong"}): "no-pung-or-kong",
        frozenset({"pung"}): "no-pung",
        frozenset({"kong"}): "no-kong",
    }
)
"""Kinds of set that a place may have to the reason against another kind."""

MAX_JUDGED_FRAMES = 500
"""With more frames of sets in a ruleset, no table says which hands are near; 17 are usual."""


def find_sets_hands(arrangement: HandArrangement, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that an arrangement of a winner's hand is."""
    faces = 0
    for each in arrangement.sets:
        for code in each.faces:
            faces |= BIT_BY_CODE[code]
    specials = list[SpecialHand]()
    for special, frame, _ in _list_frames(rules):
        if faces & ~frame.mask or special in specials[-1:]:
            continue
        has_all = all(faces & needed for needed in frame.must_have)
        if has_all and _have_groups(frame.groups, arrangement.sets):
            specials.append(special)
    return [each for each in specials if not any(_way_faults(each, arrangement))]


def _have_groups(groups: tuple[Group, ...], sets: Sets) -> bool:
    if not groups:
        return True
    first = groups[0]
    for place, tile_set in enumerate(sets):
        if tile_set.kind in first.kinds and first.codes.issuperset(tile_set.faces):
            if _have_groups(groups[1:], sets[:place] + sets[place + 1 :]):
                return True
            if all(group == first or not group.is_set for group in groups):
                return False  # another set of the kind would do no better
    return False


def _way_faults(special: SpecialHand, arrangement: HandArrangement) -> Iterator[Reason]:
    """Yield the sets exposed too early, and a last tile that may not be claimed (BMJA-C09)."""
    if special.concealed:
        yield from map(explain_exposed_set, sets_exposed_early(arrangement))
    claim = arrangement.claim
    if not claim or special.claim == "any":
        return
    if special.claim == "none":
        yield make_reason("claimed")
    elif arrangement.sets[claim.place].kind != "pair":
        yield make_reason("last-pung-claimed")


def find_near_hands(arrangement: HandArrangement, rules: Ruleset) -> set[str]:
    """Return the ids of special hands from which an arrangement may be one step away.

    It is more than one step away from all others.
    """
    frames = _list_frames(rules)
    if len(frames) > MAX_JUDGED_FRAMES:
        return {special.id for special, _, _ in frames}
    counts = zip(*[_count_faults(rules, each) for each in arrangement.sets], strict=True)
    early_count = len(sets_exposed_early(arrangement))
    return {
        special.id
        for (special, _, certain), of_sets in zip(frames, counts, strict=True)
        if certain + sum(of_sets) + (early_count if special.concealed else 0) < 2
    }


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _list_frames(rules: Ruleset) -> tuple[tuple[SpecialHand, HandFrame, int], ...]:
    """Return each special hand with each of its frames, and how many certain groups that has."""
    return tuple(
        (special, frame, len(_certain_groups(frame)))
        for special in rules.specials_by_shape["sets"]
        for frame in special.frames
    )


@lru_cache(maxsize=MAX_CACHED_SETS)
def _count_faults(rules: Ruleset, tile_set: TileSet) -> tuple[int, ...]:
    """Return the faults that a set surely is in each frame; -1 where it is a certain group."""
    return tuple(_least_faults(frame, tile_set) for _, frame, _ in _list_frames(rules))


def _least_faults(frame: HandFrame, tile_set: TileSet) -> int:
    """Return the faults of a set; of one of a second suit only where each such set is a fault."""
    if any(_is_certain(group, tile_set) for group in _certain_groups(frame)):
        return -1
    places = _free_groups(frame, tile_set)
    of_suit = _is_foreign(frame.suits, tile_set) and not _is_mixed(frame)
    return of_suit + (len(_fewest_faults(places, tile_set, frame.suits)) if places else 0)


def _certain_groups(frame: HandFrame) -> list[Group]:
    """Return the groups of one face alone, in their order."""
    return sorted((g for g in frame.groups if len(g.codes) == 1), key=lambda g: min(g.codes))


def _is_certain(group: Group, tile_set: TileSet) -> bool:
    return tile_set.kind in group.kinds and set(tile_set.faces) == group.codes


def _free_groups(frame: HandFrame, tile_set: TileSet) -> tuple[Group, ...]:
    """Return the different groups of several faces that a set, or a pair, may be."""
    is_set = tile_set.kind != "pair"
    groups = dict.fromkeys(frame.groups)
    return tuple([g for g in groups if len(g.codes) > 1 and g.is_set == is_set])


def _is_mixed(frame: HandFrame) -> bool:
    """Return whether a group may be of one of several kinds of tiles."""
    return any("/" in group.label for group in frame.groups)


def why_not_special(special: SpecialHand, arrangement: HandArrangement) -> Reason:
    """Return the one thing that keeps an arrangement from being this special hand."""
    return sole_reason(_faults(special, arrangement))


def _faults(special: SpecialHand, arrangement: HandArrangement) -> Iterator[Reason]:
    frame = min(special.frames, key=lambda frame: _foreign_sets(frame, arrangement))
    yield from _set_faults(frame, arrangement)
    yield from _suit_faults(frame, arrangement)
    yield from _way_faults(special, arrangement)


def _foreign_sets(frame: HandFrame, arrangement: HandArrangement) -> int:
    return sum(_is_foreign(frame.suits, each) for each in arrangement.sets)


def _is_foreign(suits: str, tile_set: TileSet) -> bool:
    """Return whether a set is of a suit that the variables of a frame do not stand for."""
    return bool(suits) and tile_set.tile.is_suit and tile_set.tile.family not in suits


def _set_faults(frame: HandFrame, arrangement: HandArrangement) -> Iterator[Reason]:
    """Yield what is wrong with single sets, first with those of certain faces.

    A certain face without even a pair gives two reasons, so that the hand counts as far.
    """
    left = list(arrangement.sets)
    pairs = {each.tile.code for each in arrangement.of_kind("pair")}
    for group in _certain_groups(frame):
        match = next((each for each in left if _is_certain(group, each)), None)
        if match:
            left.remove(match)
        else:
            (face,) = group.codes
            reason = make_reason("only-a-pair", tiles=name_plural(face))
            yield from (reason,) * (1 if face in pairs else 2)
    for tile_set in left:
        places = _free_groups(frame, tile_set)
        if places:
            yield from _fewest_faults(places, tile_set, frame.suits)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _fewest_faults(places: tuple[Group, ...], tile_set: TileSet, suits: str) -> tuple[Reason, ...]:
    """Return why a set is of none of these groups, judged by the group that it is nearest to."""
    faults = [tuple(_group_faults(group, tile_set, suits)) for group in places]
    return min(faults, key=len)


def _group_faults(group: Group, tile_set: TileSet, suits: str) -> list[Reason]:
    """Return why a set is not of a group: its tiles, and its kind.

    A set of another suit is judged with the suits; one of another class has no second fault.
    """
    faults: list[Reason] = []
    if not group.codes.issuperset(tile_set.faces) and not _is_foreign(suits, tile_set):
        if not any(map(is_suit_variable, group.label.split("/"))):
            return [make_set_reason(WHY_NOT_OF_CLASS.get(group.label, "not-of-the-hand"), tile_set)]
        faults.append(make_set_reason("not-of-a-suit", tile_set))
    if tile_set.kind not in group.kinds:
        faults.append(
            make_set_reason(WHY_NOT_OF_KIND.get(group.kinds, "not-of-the-hand"), tile_set)
        )
    return faults


def _suit_faults(frame: HandFrame, arrangement: HandArrangement) -> Iterator[Reason]:
    """Yield what is wrong with the suits: none, a set of another suit, or two whole suits.

    Three suits give two reasons, so that the hand counts as far.
    """
    if not frame.suits:
        return
    foreign = [each for each in arrangement.sets if _is_foreign(frame.suits, each)]
    is_mixed = _is_mixed(frame)
    match arrangement.suits:
        case ():
            yield make_reason("no-suit-tile") if is_mixed else None
        case (first, second) if is_mixed and len(foreign) > 1:
            yield make_reason(
                "two-suits", one=message(f"suit.{first}"), other=message(f"suit.{second}")
            )
        case _:
            yield from (make_set_reason("another-suit", each) for each in foreign)
