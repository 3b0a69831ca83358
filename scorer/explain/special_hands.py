"""Why a winner's hand is not the special hand that it nearly is: the one thing in the way.

One function for each special hand, by the name of its test. A hand is near when one set alone keeps
it from being the special one; with two in the way there is nothing to wonder about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import MappingProxyType

from scorer.breakdown import TileSet
from scorer.decompose.grouping import Sets
from scorer.decompose.readings import Reading
from scorer.explain.ordinary_rules import Reason
from scorer.predicates.special_sets import made_of_tiles
from scorer.ruleset import Ruleset
from scorer.sets import GREEN
from scorer.tiles import BY_CODE, SUITS
from scorer.wording import set_name

Miss = Callable[[Reading, Ruleset], Reason]


def special_misses(
    reading: Reading, rules: Ruleset, made: frozenset[str], above: int
) -> Iterator[tuple[str, Reason]]:
    """Yield the id of each special hand that the reading is not, and the reason if it is near.

    Those in `made` are passed over: the hand is these too. So are those of no more value than
    `above`, which the hand has already; 0 passes none over.
    """
    spoiled = _made_but_for_exposure(reading, rules)
    for special in rules.specials:
        if special.id in made or (above and special.value <= above):
            continue
        if special.id in spoiled:
            yield special.id, spoiled[special.id]
        elif special.when in MISSES:
            yield special.id, MISSES[special.when](reading, rules)


def _only(faults: Iterable[Reason]) -> Reason:
    """Return the one fault, if there is just one."""
    found = [fault for fault in faults if fault]
    return found[0] if len(found) == 1 else None


def _is_a_chow(each: TileSet) -> Reason:
    return f"The {set_name(each)} is no pung or kong." if each.kind == "chow" else None


def _is_of_another_suit(each: TileSet, suit: str) -> Reason:
    foreign = each.tile.is_suit and each.tile.family != suit
    return f"The {set_name(each)} is of another suit." if foreign else None


def _main_suit(reading: Reading) -> str:
    """Return the suit of most sets; bamboo where there is none."""
    suits = Counter(each.tile.family for each in reading.sets if each.tile.is_suit)
    return max(SUITS, key=lambda suit: suits[suit])


def _early(reading: Reading) -> Sets:
    """Return the sets that were exposed before the winning tile came."""
    claimed_at = reading.claim.place if reading.claim else None
    return tuple(reading.sets[place] for place in reading.exposed_places if place != claimed_at)


def _claimed_early(each: TileSet) -> str:
    return f"The {set_name(each)} was claimed before the last tile."


def purity(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S11: the honours, the chow or the second suit in one set."""
    suit = _main_suit(reading)
    return _only(
        _is_a_chow(each) or _is_of_another_suit(each, suit) or _is_of_honours(each)
        for each in reading.sets
    )


def _is_of_honours(each: TileSet) -> Reason:
    return f"The {set_name(each)} is not of a suit." if each.tile.is_honour else None


def buried_treasure(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S15: a kong or chow, a second suit, a set claimed early or against the table's rules."""
    suit, early = _main_suit(reading), _early(reading)
    of_others = [each for each in reading.sets if _is_of_another_suit(each, suit)]
    plain = not early and not reading.of_kind("chow", "kong")
    if plain and len(of_others) > 1:
        names = [SUITS[each] for each in reading.suits]
        if len(names) > 2:
            return None
        return f"{names[0].capitalize()} and {names[1]} tiles are two suits."
    if plain and not of_others and reading.claim:
        return "The last pung was claimed, and at this table only the pair may be."
    return _only(
        _is_no_pung(each)
        or _is_of_another_suit(each, suit)
        or (_claimed_early(each) if each in early else None)
        for each in reading.sets
    )


def _is_no_pung(each: TileSet) -> Reason:
    return f"The {set_name(each)} is no pung." if each.kind in ("chow", "kong") else None


def heads_and_tails(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S16: one set of other tiles than 1s and 9s."""
    return _only(
        None
        if all(BY_CODE[code].is_terminal for code in each.faces)
        else f"The {set_name(each)} is not of 1s or 9s."
        for each in reading.sets
    )


def imperial_jade(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S18: one set that is not green, or a chow (BMJA-C14)."""
    return _only(
        _is_a_chow(each) if GREEN.issuperset(each.faces) else f"The {set_name(each)} is not green."
        for each in reading.sets
    )


def three_great_scholars(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S19: the third dragon only a pair, or a chow."""
    chow = _only(_is_a_chow(each) for each in reading.sets)
    match _sets_of(reading, "D"), chow:
        case 3, _:
            return chow
        case 2, None:
            return _only_a_pair(reading, "D")
        case _:
            return None


def four_blessings(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S20: the fourth wind only a pair."""
    return _only_a_pair(reading, "W") if _sets_of(reading, "W") == 3 else None


def _sets_of(reading: Reading, family: str) -> int:
    return sum(each.tile.family == family for each in reading.pungs_and_kongs)


def _only_a_pair(reading: Reading, family: str) -> Reason:
    return _only(
        f"The {each.tile.plural} are only a pair." if each.tile.family == family else None
        for each in reading.of_kind("pair")
    )


def all_winds_and_dragons(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S21: one set of a suit."""
    return _only(
        f"The {set_name(each)} is not of winds or dragons." if each.tile.is_suit else None
        for each in reading.sets
    )


def fourfold_plenty(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S22: one set that is no kong."""
    return _only(f"The {set_name(each)} is no kong." for each in reading.of_kind("pung", "chow"))


def _made_but_for_exposure(reading: Reading, rules: Ruleset) -> dict[str, str]:
    """Return the hands of other shapes that one set, claimed too early, spoils (BMJA-S05)."""
    early = _early(reading)
    if len(early) != 1:
        return {}
    kept = replace(reading.hand, exposed=(), concealed=reading.hand.tiles)
    return {each.id: _claimed_early(early[0]) for each in made_of_tiles(kept, rules)}


def heaven(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S25: a hand that is not as it was dealt (BMJA-S39)."""
    if "heaven" not in reading.hand.won_by:
        return None
    if reading.hand.laid_down:
        return "A set is laid down, so the hand is not as it was dealt."
    return "Flowers or seasons were replaced, so the hand is not as it was dealt."


def plum_blossom(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S27: the right tile from another place."""
    known = reading.hand.winning_tile == "O5" and reading.hand.sources
    return "The 5 of circles that won is no loose tile." if known else None


def moon(reading: Reading, rules: Ruleset) -> Reason:
    """BMJA-S28: the right tile at another time."""
    if reading.hand.winning_tile != "O1":
        return None
    if "last-discard" in reading.hand.won_by:
        return "The 1 of circles that won is the last discard, not the last tile of the wall."
    known = reading.hand.sources
    return "The 1 of circles that won is not the last tile of the wall." if known else None


MISSES = MappingProxyType[str, Miss](
    {
        "purity": purity,
        "buried-treasure": buried_treasure,
        "heads-and-tails": heads_and_tails,
        "imperial-jade": imperial_jade,
        "three-great-scholars": three_great_scholars,
        "four-blessings": four_blessings,
        "all-winds-and-dragons": all_winds_and_dragons,
        "fourfold-plenty": fourfold_plenty,
        "heaven": heaven,
        "plum-blossom": plum_blossom,
        "moon": moon,
    }
)
"""The functions by the names that a ruleset's file gives the hands' tests."""
