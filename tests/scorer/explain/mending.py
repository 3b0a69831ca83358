"""Takes a "not counted, because" at its word: what it blames is mended, and the hand put again.

A mend is everything that may be done about what the sentence blames, and nothing else. If the
sentence is right, one of the hands that come of it has the rule's line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from scorer.breakdown import TileSet
from scorer.decompose.arrangements import HandArrangement
from scorer.hand import Hand
from scorer.message import Message
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.tile_names import name_the_set
from scorer.tiles import BY_CODE
from tests.scorer.strategies import PLAYING_CODES

SIZES = {"pair": 2, "pung": 3, "kong": 4}
HONOURS = tuple(code for code in PLAYING_CODES if BY_CODE[code].is_honour)
SUIT_TILES = tuple(code for code in PLAYING_CODES if BY_CODE[code].is_suit)


@dataclass(frozen=True, slots=True)
class Claim:
    """A rule that was not counted, one reason for it, and the reading that was scored."""

    rule: str
    reason: Message
    reading: HandArrangement
    rules: Ruleset

    @property
    def hand(self) -> Hand:
        return self.reading.hand

    def value(self, name: str) -> str:
        """Return the last part of the key of what the reason names: `W` of the wind `wind.W`."""
        value = self.reason.values[name]
        assert isinstance(value, Message)
        return value.key.rpartition(".")[2]

    @property
    def blamed(self) -> list[int]:
        """The places of the sets that the reason may name."""
        return [
            place
            for place, each in enumerate(self.reading.sets)
            if each.kind != "loose" and self.reason.values.get("set") == name_the_set(each)
        ]


Hands = Iterator[Hand]


def arrange_sets(hand: Hand, sets: Sequence[TileSet]) -> Hands:
    """Yield the hand with these sets, if one set of tiles has them all.

    The winning tile is one that they have; where it was claimed, it is said by its set.
    """
    counts = Counter(code for each in sets for code in each.tiles if code not in hand.wild_codes)
    if max(counts.values(), default=0) > 4:
        return
    exposed = tuple(each.tiles for each in sets if not each.concealed)
    kongs = tuple(each.tiles for each in sets if each.concealed and each.kind == "kong")
    concealed = [
        code for each in sets if each.concealed and each.kind != "kong" for code in each.tiles
    ]
    tile = hand.winning_tile
    lies = {code for codes in exposed if len(codes) < 4 for code in codes} | set(concealed)
    yield replace(
        hand,
        exposed=exposed,
        declared_kongs=kongs,
        concealed=tuple(concealed),
        winning_tile=tile if tile in lies else None,
    )


def set_of(code: str, like: TileSet, size: int = 0) -> TileSet:
    """Return a set of this face that lies as another does, and is as large if it can be."""
    size = size or SIZES.get(like.kind, 3)
    kind = {2: "pair", 3: "pung", 4: "kong"}[size]
    return TileSet(kind, (code,) * size, like.concealed)  # type: ignore[arg-type]


def with_set(claim: Claim, place: int, new: TileSet) -> Hands:
    sets = list(claim.reading.sets)
    sets[place] = new
    claimed_set = claim.reading.claim
    hand = (
        replace(claim.hand, winning_tile=None)
        if claimed_set and claimed_set.place == place
        else claim.hand
    )
    yield from arrange_sets(hand, sets_before_claim(claim, sets))


def sets_before_claim(claim: Claim, sets: Sequence[TileSet]) -> list[TileSet]:
    """Return the sets as they lay before the claim exposed one of the player's own."""
    claimed_set = claim.reading.claim
    if claimed_set is None or claimed_set.lay_exposed:
        return list(sets)
    return [
        replace(each, concealed=True) if place == claimed_set.place else each
        for place, each in enumerate(sets)
    ]


def of_other_tiles(faces: Sequence[str]) -> Callable[[Claim], Hands]:
    """Put a set of these faces for the one that is blamed."""

    def mend(claim: Claim) -> Hands:
        for place in claim.blamed:
            for face in faces:
                yield from with_set(claim, place, set_of(face, claim.reading.sets[place]))

    return mend


def of_the_same(size: int) -> Callable[[Claim], Hands]:
    """Make a pung or a kong of the set that is blamed, of one of its tiles or of its suit."""

    def mend(claim: Claim) -> Hands:
        for place in claim.blamed:
            changed_set = claim.reading.sets[place]
            for face in (
                *changed_set.faces,
                *(code for code in PLAYING_CODES if code[0] == changed_set.tile.family),
            ):
                yield from with_set(claim, place, set_of(face, changed_set, size))

    return mend


def some_set_of(faces: Sequence[str]) -> Callable[[Claim], Hands]:
    """Put a set of these faces for any one."""

    def mend(claim: Claim) -> Hands:
        for place, each in enumerate(claim.reading.sets):
            for face in faces:
                yield from with_set(claim, place, set_of(face, each))

    return mend


def in_one_suit(claim: Claim) -> Hands:
    """Turn the sets of one suit into the other suit that is named, rank by rank or otherwise."""
    first, other = claim.value("one"), claim.value("other")
    for wanted in (first, other):
        yield from _suit_by_suit(claim, wanted, list(claim.reading.sets), 0)


def _suit_by_suit(claim: Claim, suit: str, sets: list[TileSet], place: int) -> Hands:
    """Yield the first that there are tiles for."""
    if place == len(sets):
        yield from arrange_sets(claim.hand, sets_before_claim(claim, sets))
        return
    tile_set = sets[place]
    if not tile_set.tile.is_suit or tile_set.tile.family == suit:
        yield from _suit_by_suit(claim, suit, sets, place + 1)
        return
    for face in (suit + rank for rank in "123456789"):
        if not any(face in other.faces for other in sets):
            new_sets = [*sets[:place], set_of(face, tile_set), *sets[place + 1 :]]
            yield from _suit_by_suit(claim, suit, new_sets, place + 1)


def without_chows(claim: Claim) -> Hands:
    """Make pungs of the chows."""
    yield from _without_chows(claim, list(claim.reading.sets))


def _without_chows(claim: Claim, sets: list[TileSet]) -> Hands:
    chow = next((place for place, each in enumerate(sets) if each.kind == "chow"), None)
    if chow is None:
        yield from arrange_sets(claim.hand, sets_before_claim(claim, sets))
        return
    for face in PLAYING_CODES:
        if face[0] == sets[chow].tile.family:
            new_sets = [*sets[:chow], set_of(face, sets[chow]), *sets[chow + 1 :]]
            yield from _without_chows(claim, new_sets)


def winning(way: str) -> Callable[[Claim], Hands]:
    """Let the hand have been won in this way, with no tile of another player's."""

    def mend(claim: Claim) -> Hands:
        claimed_set = claim.reading.claim
        sets = [
            replace(each, concealed=True) if claimed_set and place == claimed_set.place else each
            for place, each in enumerate(claim.reading.sets)
        ]
        for hand in arrange_sets(claim.hand, sets) if claimed_set else [claim.hand]:
            yield replace(hand, won_by=(way,))

    return mend


def keep_concealed(claim: Claim) -> Hands:
    """Take the set that is blamed among the player's own tiles."""
    for place in claim.blamed:
        tile_set = claim.reading.sets[place]
        yield from with_set(claim, place, replace(tile_set, concealed=True))
    if not claim.blamed:  # a hand that is not read in sets
        yield replace(claim.hand, exposed=(), concealed=claim.hand.tiles)


def pair_for_set(face: str) -> Callable[[Claim], Hands]:
    """Make a pung of the pair of a face, and a pair of any set, so that the count is right."""

    def mend(claim: Claim) -> Hands:
        sets = claim.reading.sets
        pairs = [place for place, each in enumerate(sets) if each.kind == "pair"]
        for pair in pairs:
            if sets[pair].tile.code != face:
                continue
            for place, tile_set in enumerate(sets):
                if place != pair:
                    new_sets = list(sets)
                    new_sets[pair] = set_of(face, sets[pair], 3)
                    if tile_set.kind != "loose" and claim.hand.winner:
                        smaller = replace(tile_set, concealed=True)
                        new_sets[place] = set_of(tile_set.tile.code, smaller, 2)
                    yield from arrange_sets(claim.hand, sets_before_claim(claim, new_sets))
            if not claim.hand.winner:
                new_sets = list(sets)
                new_sets[pair] = set_of(face, sets[pair], 3)
                yield from arrange_sets(claim.hand, new_sets)

    return mend


def pair_named(claim: Claim) -> Hands:
    yield from pair_for_set(claim.value("tiles"))(claim)


def any_pair_of_dragons(claim: Claim) -> Hands:
    for dragon in ("DR", "DG", "DW"):
        yield from pair_for_set(dragon)(claim)


def pair_blamed(claim: Claim) -> Hands:
    for place in claim.blamed:
        yield from pair_for_set(claim.reading.sets[place].tile.code)(claim)


def other_winds(claim: Claim) -> Hands:
    """Seat the player at the wind that is named, or let it prevail."""
    wind, hand = claim.value("wind"), claim.hand
    yield replace(hand, seat_wind=wind)
    yield replace(hand, prevailing_wind=wind)
    if "heaven" in hand.won_by:  # East's alone
        yield replace(hand, seat_wind=wind, won_by=("wall",))


def own_seat(claim: Claim) -> Hands:
    yield replace(claim.hand, seat_wind=claim.value("wind"))


def tile_added(claim: Claim) -> Hands:
    yield replace(claim.hand, bonus=(*claim.hand.bonus, claim.value("tile")))


def bouquet_broken(claim: Claim) -> Hands:
    for code in claim.hand.bonus:
        yield replace(claim.hand, bonus=tuple(each for each in claim.hand.bonus if each != code))


def four_play(claim: Claim) -> Hands:
    yield replace(claim.hand, players=4)


def no_goulash(claim: Claim) -> Hands:
    """Put real tiles for the wild ones, where there are any."""
    for sets in _natural(claim):
        yield from arrange_sets(replace(claim.hand, goulash=False), sets_before_claim(claim, sets))


def _natural(claim: Claim) -> Iterator[list[TileSet]]:
    plain = [replace(each, tiles=each.faces, stands_for=()) for each in claim.reading.sets]
    yield plain
    for place, each in enumerate(plain):  # of one face there may be five with wild tiles
        for face in PLAYING_CODES:
            yield [*plain[:place], set_of(face, each), *plain[place + 1 :]]


def undo_melds(claim: Claim) -> Hands:
    sets = [
        replace(each, concealed=True)
        if each.kind != "kong"
        else TileSet("pung", each.tiles[:3], concealed=True)
        for each in claim.reading.sets
    ]
    yield from arrange_sets(claim.hand, sets)


def no_bonus_tiles(claim: Claim) -> Hands:
    yield replace(claim.hand, bonus=())


def last_pung_allowed(claim: Claim) -> Hands:
    """Let the table play otherwise, or the tile come from the wall."""
    yield replace(claim.hand, house=(*claim.hand.house, "buried_treasure_last_pung_claimable:on"))


def options_on(claim: Claim) -> Hands:
    """Let the table play as most do."""
    for option in claim.rules.options:
        if option.default and not claim.rules.is_on(option.name):
            yield replace(claim.hand, house=(*claim.hand.house, f"{option.name}:on"))


def of_more_worth(claim: Claim) -> Hands:
    """Make a pung of a chow, or a pair of honours of a pair; or seat the player at its wind."""
    if claim.hand.goulash:  # a wild tile would go elsewhere
        plain = replace(claim.reading, sets=tuple(next(_natural(claim))))
        claim = replace(claim, reading=plain)
    for place, tile_set in enumerate(claim.reading.sets):
        if tile_set.tile.family == "W":
            yield replace(claim.hand, seat_wind=tile_set.tile.rank)
        if tile_set.kind == "chow":
            for face in SUIT_TILES:
                if face[0] == tile_set.tile.family:
                    yield from with_set(claim, place, set_of(face, tile_set))
        elif tile_set.kind == "pair":
            for face in HONOURS:
                yield from with_set(claim, place, set_of(face, tile_set))


ORDINARY = parse_hand("| B222 C333 O777 WEEE DRR |").concealed


def an_ordinary_hand(claim: Claim) -> Hands:
    """Let a hand that is not special be won in the same way."""
    hand = replace(claim.hand, exposed=(), declared_kongs=(), concealed=ORDINARY)
    yield replace(hand, winning_tile=None, bonus=("F1",))


MENDS: MappingProxyType[str, Callable[[Claim], Hands]] = MappingProxyType(
    {
        "claimed-not-from-the-live-wall": winning("wall"),
        "claimed": winning("wall"),
        "claim-exposes": winning("wall"),
        "loose-tile": winning("wall"),
        "pair-of-dragons": any_pair_of_dragons,
        "not-own-wind": own_seat,
        "no-wind-of-use": other_winds,
        "within-the-bouquet": bouquet_broken,
        "not-own-bonus-tile": tile_added,
        "one-missing": tile_added,
        "no-chows-in-a-goulash": no_goulash,
        "no-chows-with-few-players": four_play,
        "has-a-chow": without_chows,
        "has-chows": without_chows,
        "no-suit-tile": some_set_of(SUIT_TILES),
        "one-suit-no-honour": some_set_of(HONOURS),
        "mixes-suits": in_one_suit,
        "two-suits": in_one_suit,
        "majors-no-honour": some_set_of(HONOURS),
        "majors-no-terminal": some_set_of(SUIT_TILES),
        "set-of-minors": of_other_tiles(PLAYING_CODES),
        "set-of-honours": of_other_tiles(SUIT_TILES),
        "not-concealed": keep_concealed,
        "concealed-no-suit-tile": some_set_of(SUIT_TILES),
        "concealed-no-honour": some_set_of(HONOURS),
        "pair-must-be-a-set": pair_blamed,
        "not-of-honours": of_other_tiles(HONOURS),
        "no-pung-or-kong": of_the_same(3),
        "no-pung": of_the_same(3),
        "no-kong": of_the_same(4),
        "another-suit": of_other_tiles(SUIT_TILES),
        "not-of-a-suit": of_other_tiles(SUIT_TILES),
        "not-of-1s-or-9s": of_other_tiles(SUIT_TILES),
        "not-green": of_other_tiles(PLAYING_CODES),
        "only-a-pair": pair_named,
        "claimed-early": keep_concealed,
        "last-pung-claimed": last_pung_allowed,
        "laid-down": undo_melds,
        "bonus-replaced": no_bonus_tiles,
        "no-loose-tile": winning("loose"),
        "last-discard": winning("last-tile"),
        "switched-off": options_on,
        "as-said": of_more_worth,
        "doubles-bonus-tiles-alone": an_ordinary_hand,
        "no-double-of-a-special-hand": an_ordinary_hand,
        "not-the-last-tile": winning("last-tile"),
    }
)
"""By the key of the reason, without `not-counted.`, what may be done about what it blames."""
