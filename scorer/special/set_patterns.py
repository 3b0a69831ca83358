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
    sets_exposed_early,
    why_not_concealed,
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
    found = list[SpecialHand]()
    for special, frame, _ in _list_frames(rules):
        if faces & ~frame.mask or special in found[-1:]:
            continue
        has_all = all(faces & needed for needed in frame.must_have)
        if has_all and _have_groups(frame.groups, arrangement.sets):
            found.append(special)
    return [each for each in found if not any(_way_faults(each, arrangement))]


def _have_groups(groups: tuple[Group, ...], sets: Sets) -> bool:
    if not groups:
        return True
    first = groups[0]
    for place, each in enumerate(sets):
        if each.kind in first.kinds and first.codes.issuperset(each.faces):
            if _have_groups(groups[1:], sets[:place] + sets[place + 1 :]):
                return True
            if all(group == first or not group.is_set for group in groups):
                return False  # another set of the kind would do no better
    return False


def _way_faults(special: SpecialHand, arrangement: HandArrangement) -> Iterator[Reason]:
    """Yield the sets exposed too early, and a last tile that may not be claimed (BMJA-C09)."""
    if special.concealed:
        yield from map(why_not_concealed, sets_exposed_early(arrangement))
    claim = arrangement.claim
    if not claim or special.claim == "any":
        return
    if special.claim == "none":
        yield make_reason("claimed")
    elif arrangement.sets[claim.place].kind != "pair":
        yield make_reason("last-pung-claimed")


def find_near_hands(arrangement: HandArrangement, rules: Ruleset) -> set[str]:
    """Return the ids of special hands of which an arrangement may lack one thing alone.

    Of all others it surely lacks more.
    """
    frames = _list_frames(rules)
    if len(frames) > MAX_JUDGED_FRAMES:
        return {special.id for special, _, _ in frames}
    counts = zip(*[_count_faults(rules, each) for each in arrangement.sets], strict=True)
    early = len(sets_exposed_early(arrangement))
    return {
        special.id
        for (special, _, certain), of_sets in zip(frames, counts, strict=True)
        if certain + sum(of_sets) + (early if special.concealed else 0) < 2
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
def _count_faults(rules: Ruleset, each: TileSet) -> tuple[int, ...]:
    """Return the faults that a set surely is in each frame; -1 where it is a certain group."""
    return tuple(_least_faults(frame, each) for _, frame, _ in _list_frames(rules))


def _least_faults(frame: HandFrame, each: TileSet) -> int:
    """Return the faults of a set; of one of a second suit only where each such set is a fault."""
    if any(_is_certain(group, each) for group in _certain_groups(frame)):
        return -1
    places = _free_groups(frame, each)
    of_suit = _is_foreign(frame.suits, each) and not _is_mixed(frame)
    return of_suit + (len(_fewest_faults(places, each, frame.suits)) if places else 0)


def _certain_groups(frame: HandFrame) -> list[Group]:
    """Return the groups of one face alone, in their order."""
    return sorted((g for g in frame.groups if len(g.codes) == 1), key=lambda g: min(g.codes))


def _is_certain(group: Group, each: TileSet) -> bool:
    return each.kind in group.kinds and set(each.faces) == group.codes


def _free_groups(frame: HandFrame, each: TileSet) -> tuple[Group, ...]:
    """Return the different groups of several faces that a set, or a pair, may be."""
    is_set = each.kind != "pair"
    groups = dict.fromkeys(frame.groups)
    return tuple([g for g in groups if len(g.codes) > 1 and g.is_set == is_set])


def _is_mixed(frame: HandFrame) -> bool:
    """Return whether a group may be of one of several kinds of tiles."""
    return any("/" in group.named for group in frame.groups)


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


def _is_foreign(suits: str, each: TileSet) -> bool:
    """Return whether a set is of a suit that the variables of a frame do not stand for."""
    return bool(suits) and each.tile.is_suit and each.tile.family not in suits


def _set_faults(frame: HandFrame, arrangement: HandArrangement) -> Iterator[Reason]:
    """Yield what is wrong with single sets, first with those of certain faces.

    A certain face without even a pair gives two reasons, so that the hand counts as far.
    """
    left = list(arrangement.sets)
    pairs = {each.tile.code for each in arrangement.of_kind("pair")}
    for group in _certain_groups(frame):
        found = next((each for each in left if _is_certain(group, each)), None)
        if found:
            left.remove(found)
        else:
            (face,) = group.codes
            reason = make_reason("only-a-pair", tiles=name_plural(face))
            yield from (reason,) * (1 if face in pairs else 2)
    for each in left:
        places = _free_groups(frame, each)
        if places:
            yield from _fewest_faults(places, each, frame.suits)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _fewest_faults(places: tuple[Group, ...], each: TileSet, suits: str) -> tuple[Reason, ...]:
    """Return why a set is of none of these groups, judged by the group that it is nearest to."""
    faults = [tuple(_group_faults(group, each, suits)) for group in places]
    return min(faults, key=len)


def _group_faults(group: Group, each: TileSet, suits: str) -> list[Reason]:
    """Return why a set is not of a group: its tiles, and its kind.

    A set of another suit is judged with the suits; one of another class has no second fault.
    """
    faults: list[Reason] = []
    if not group.codes.issuperset(each.faces) and not _is_foreign(suits, each):
        if not any(map(is_suit_variable, group.named.split("/"))):
            return [make_set_reason(WHY_NOT_OF_CLASS.get(group.named, "not-of-the-hand"), each)]
        faults.append(make_set_reason("not-of-a-suit", each))
    if each.kind not in group.kinds:
        faults.append(make_set_reason(WHY_NOT_OF_KIND.get(group.kinds, "not-of-the-hand"), each))
    return faults


def _suit_faults(frame: HandFrame, arrangement: HandArrangement) -> Iterator[Reason]:
    """Yield what is wrong with the suits: none, a set of another suit, or two whole suits.

    Three suits give two reasons, so that the hand counts as far.
    """
    if not frame.suits:
        return
    foreign = [each for each in arrangement.sets if _is_foreign(frame.suits, each)]
    mixed = _is_mixed(frame)
    match arrangement.suits:
        case ():
            yield make_reason("no-suit-tile") if mixed else None
        case (first, second) if mixed and len(foreign) > 1:
            yield make_reason(
                "two-suits", one=message(f"suit.{first}"), other=message(f"suit.{second}")
            )
        case _:
            yield from (make_set_reason("another-suit", each) for each in foreign)
