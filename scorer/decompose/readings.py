"""The ways in which a hand may be read (BMJA-H06): sets on the table stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scorer.breakdown import SetKind
from scorer.decompose.grouping import Sets, complete
from scorer.decompose.unfinished import Prices, alike, alike_with_wilds
from scorer.decompose.wilds import complete_with_wilds
from scorer.hand import Codes, Hand
from scorer.ruleset import Ruleset
from scorer.sets import exposed, make_set
from scorer.tiles import BY_CODE, SUITS, Tile

SETS_IN_A_HAND = 4
"""Besides the pair (BMJA-H01)."""


class Claim(NamedTuple):
    """A claimed winning tile in a reading: it exposes the set it completes (BMJA-K02 to K04)."""

    place: int
    """Of that set, in the reading."""
    tile: str
    lay_exposed: bool
    """Whether the set lay with the exposed ones, or among the player's own tiles."""


@dataclass(frozen=True, slots=True)
class HandReading:
    """A hand with all its tiles put in sets."""

    hand: Hand
    sets: Sets
    claim: Claim | None = None

    @property
    def codes(self) -> Codes:
        """The codes of every tile but the bonus tiles, as they lie, set by set."""
        return tuple(code for each in self.sets for code in each.tiles)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """What every tile but the bonus tiles counts as, set by set; loose wild tiles left out."""
        return tuple(BY_CODE[code] for each in self.sets for code in each.faces if code in BY_CODE)

    @property
    def exposed_places(self) -> list[int]:
        """The places of the sets that are not concealed."""
        return [place for place, each in enumerate(self.sets) if not each.concealed]

    @property
    def loose_tiles(self) -> int:
        """How many tiles are in no set."""
        return sum(len(each.tiles) for each in self.of_kind("loose"))

    @property
    def suits(self) -> tuple[str, ...]:
        """The suit letters that occur, in the usual order."""
        families = {tile.family for tile in self.tiles}
        return tuple(suit for suit in SUITS if suit in families)

    @property
    def has_honours(self) -> bool:
        """Whether there is a wind or a dragon."""
        return any(tile.is_honour for tile in self.tiles)

    def of_kind(self, *kinds: SetKind) -> Sets:
        """Return the sets that are of one of these kinds."""
        return tuple(each for each in self.sets if each.kind in kinds)

    @property
    def pungs_and_kongs(self) -> Sets:
        """The sets that can score as sets."""
        return self.of_kind("pung", "kong")


def laid_down(hand: Hand) -> Sets | None:
    """Return the sets that are fixed; None when some group of them is no set."""
    wild = hand.wild_codes
    found = [make_set(codes, concealed=False, wild=wild) for codes in hand.exposed]
    found += [make_set(codes, concealed=True, wild=wild) for codes in hand.declared_kongs]
    sets = tuple(each for each in found if each)
    return sets if len(sets) == len(found) else None


def winning_readings(hand: Hand, rules: Ruleset) -> Iterator[HandReading]:
    """Yield every reading of a winner's hand that the rules allow; none when it is no Mah-Jong."""
    fixed = laid_down(hand)
    if fixed is None:
        return
    chows = rules.chows_for(hand) - sum(each.kind == "chow" for each in fixed)
    for sets in arrangements(hand, fixed, chows=chows):
        yield from _claims(HandReading(hand, sets))


def arrangements(hand: Hand, fixed: Sets, *, chows: int) -> Iterator[Sets]:
    """Yield every way to read the tiles as four sets and a pair, with so many concealed chows."""
    pairs = sum(each.kind == "pair" for each in fixed)
    wanted = {"sets": SETS_IN_A_HAND - len(fixed) + pairs, "pairs": 1 - pairs}
    if chows < 0:
        return
    wilds = tuple(code for code in hand.concealed if code in hand.wild_codes)
    if wilds:
        natural = [code for code in hand.concealed if code not in hand.wild_codes]
        spare = hand.may_have_drawn_wild
        ways = complete_with_wilds(natural, wilds, spare=spare, **wanted)
    else:
        ways = complete(hand.concealed, chows=chows, **wanted)
    for sets in ways:
        yield fixed + sets


def _claims(reading: HandReading) -> Iterator[HandReading]:
    """Yield the reading once for each way in which a claimed winning tile may have gone into it.

    Nothing for a reading in which the winning tile can have completed no set.
    """
    hand, sets = reading.hand, reading.sets
    places = _completable(sets, hand.winning_tile)
    if not hand.claimed:
        if places:
            yield reading
        return
    tile = hand.winning_tile
    for place in places:
        each = sets[place]
        claimed = (*sets[:place], exposed(each), *sets[place + 1 :])
        for code in (tile,) if tile else dict.fromkeys(each.tiles):
            yield HandReading(hand, claimed, Claim(place, code, not each.concealed))


def _completable(sets: Sets, tile: str | None) -> list[int]:
    """Return the places of the sets that the winning tile may have completed.

    An exposed pair must be the one. No kong can be: a kong is followed by a loose tile.
    """
    for place, each in enumerate(sets):
        if each.kind == "pair" and not each.concealed:
            return [place]
    return [
        place
        for place, each in enumerate(sets)
        if each.kind != "kong" and (tile is None or tile in each.tiles)
    ]


def other_readings(hand: Hand, rules: Ruleset, prices: Prices) -> Iterator[HandReading]:
    """Yield the readings worth weighing of a hand that did not win.

    They differ in what wild tiles stand for; `prices` are those of the sets at this seat.
    """
    fixed = laid_down(hand) or ()
    chows = rules.chows_for(hand) - sum(each.kind == "chow" for each in fixed)
    wilds = tuple(code for code in hand.concealed if code in hand.wild_codes)
    if not wilds:
        yield HandReading(hand, fixed + alike(hand.concealed, chows=max(chows, 0)))
        return
    natural = [code for code in hand.concealed if code not in hand.wild_codes]
    for sets in alike_with_wilds(natural, wilds, prices):
        yield HandReading(hand, fixed + sets)
