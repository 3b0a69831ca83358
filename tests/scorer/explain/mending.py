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
from tests.scorer.strategies import PLAYING

SIZES = {"pair": 2, "pung": 3, "kong": 4}
HONOURS = tuple(code for code in PLAYING if BY_CODE[code].is_honour)
SUIT_TILES = tuple(code for code in PLAYING if BY_CODE[code].is_suit)


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
        named = self.reason.values[name]
        assert isinstance(named, Message)
        return named.key.rpartition(".")[2]

    @property
    def blamed(self) -> list[int]:
        """The places of the sets that the reason may name."""
        return [
            place
            for place, each in enumerate(self.reading.sets)
            if each.kind != "loose" and self.reason.values.get("set") == name_the_set(each)
        ]


Mended = Iterator[Hand]


def laid_again(hand: Hand, sets: Sequence[TileSet]) -> Mended:
    """Yield the hand with these sets, if one set of tiles has them all.

    The winning tile is one that they have; where it was claimed, it is said by its set.
    """
    counts = Counter(code for each in sets for code in each.tiles if code not in hand.wild_codes)
    if max(counts.values(), default=0) > 4:
        return
    exposed = tuple(each.tiles for each in sets if not each.concealed)
    declared = tuple(each.tiles for each in sets if each.concealed and each.kind == "kong")
    kept = [code for each in sets if each.concealed and each.kind != "kong" for code in each.tiles]
    tile = hand.winning_tile
    lies = {code for codes in exposed if len(codes) < 4 for code in codes} | set(kept)
    yield replace(
        hand,
        exposed=exposed,
        declared_kongs=declared,
        concealed=tuple(kept),
        winning_tile=tile if tile in lies else None,
    )


def set_of(code: str, like: TileSet, size: int = 0) -> TileSet:
    """Return a set of this face that lies as another does, and is as large if it can be."""
    size = size or SIZES.get(like.kind, 3)
    kind = {2: "pair", 3: "pung", 4: "kong"}[size]
    return TileSet(kind, (code,) * size, like.concealed)  # type: ignore[arg-type]


def with_set(claim: Claim, place: int, new: TileSet) -> Mended:
    sets = list(claim.reading.sets)
    sets[place] = new
    at = claim.reading.claim
    hand = replace(claim.hand, winning_tile=None) if at and at.place == place else claim.hand
    yield from laid_again(hand, as_laid(claim, sets))


def as_laid(claim: Claim, sets: Sequence[TileSet]) -> list[TileSet]:
    """Return the sets as they lay before the claim exposed one of the player's own."""
    at = claim.reading.claim
    if at is None or at.lay_exposed:
        return list(sets)
    return [
        replace(each, concealed=True) if place == at.place else each
        for place, each in enumerate(sets)
    ]


def of_other_tiles(faces: Sequence[str]) -> Callable[[Claim], Mended]:
    """Put a set of these faces for the one that is blamed."""

    def mend(claim: Claim) -> Mended:
        for place in claim.blamed:
            for face in faces:
                yield from with_set(claim, place, set_of(face, claim.reading.sets[place]))

    return mend


def of_the_same(size: int) -> Callable[[Claim], Mended]:
    """Make a pung or a kong of the set that is blamed, of one of its tiles or of its suit."""

    def mend(claim: Claim) -> Mended:
        for place in claim.blamed:
            each = claim.reading.sets[place]
            for face in (*each.faces, *(code for code in PLAYING if code[0] == each.tile.family)):
                yield from with_set(claim, place, set_of(face, each, size))

    return mend


def some_set_of(faces: Sequence[str]) -> Callable[[Claim], Mended]:
    """Put a set of these faces for any one."""

    def mend(claim: Claim) -> Mended:
        for place, each in enumerate(claim.reading.sets):
            for face in faces:
                yield from with_set(claim, place, set_of(face, each))

    return mend


def in_one_suit(claim: Claim) -> Mended:
    """Turn the sets of one suit into the other suit that is named, rank by rank or otherwise."""
    one, other = claim.value("one"), claim.value("other")
    for wanted in (one, other):
        yield from _suit_by_suit(claim, wanted, list(claim.reading.sets), 0)


def _suit_by_suit(claim: Claim, wanted: str, sets: list[TileSet], place: int) -> Mended:
    """Yield the first that there are tiles for."""
    if place == len(sets):
        yield from laid_again(claim.hand, as_laid(claim, sets))
        return
    each = sets[place]
    if not each.tile.is_suit or each.tile.family == wanted:
        yield from _suit_by_suit(claim, wanted, sets, place + 1)
        return
    for face in (wanted + rank for rank in "123456789"):
        if not any(face in other.faces for other in sets):
            changed = [*sets[:place], set_of(face, each), *sets[place + 1 :]]
            yield from _suit_by_suit(claim, wanted, changed, place + 1)


def without_chows(claim: Claim) -> Mended:
    """Make pungs of the chows."""
    yield from _without_chows(claim, list(claim.reading.sets))


def _without_chows(claim: Claim, sets: list[TileSet]) -> Mended:
    chow = next((place for place, each in enumerate(sets) if each.kind == "chow"), None)
    if chow is None:
        yield from laid_again(claim.hand, as_laid(claim, sets))
        return
    for face in PLAYING:
        if face[0] == sets[chow].tile.family:
            changed = [*sets[:chow], set_of(face, sets[chow]), *sets[chow + 1 :]]
            yield from _without_chows(claim, changed)


def winning(way: str) -> Callable[[Claim], Mended]:
    """Let the hand have been won in this way, with no tile of another player's."""

    def mend(claim: Claim) -> Mended:
        at = claim.reading.claim
        sets = [
            replace(each, concealed=True) if at and place == at.place else each
            for place, each in enumerate(claim.reading.sets)
        ]
        for hand in laid_again(claim.hand, sets) if at else [claim.hand]:
            yield replace(hand, won_by=(way,))

    return mend


def kept_concealed(claim: Claim) -> Mended:
    """Take the set that is blamed among the player's own tiles."""
    for place in claim.blamed:
        each = claim.reading.sets[place]
        yield from with_set(claim, place, replace(each, concealed=True))
    if not claim.blamed:  # a hand that is not read in sets
        yield replace(claim.hand, exposed=(), concealed=claim.hand.tiles)


def pair_for_set(face: str) -> Callable[[Claim], Mended]:
    """Make a pung of the pair of a face, and a pair of any set, so that the count is right."""

    def mend(claim: Claim) -> Mended:
        sets = claim.reading.sets
        pairs = [place for place, each in enumerate(sets) if each.kind == "pair"]
        for pair in pairs:
            if sets[pair].tile.code != face:
                continue
            for place, each in enumerate(sets):
                if place != pair:
                    changed = list(sets)
                    changed[pair] = set_of(face, sets[pair], 3)
                    if each.kind != "loose" and claim.hand.winner:
                        smaller = replace(each, concealed=True)
                        changed[place] = set_of(each.tile.code, smaller, 2)
                    yield from laid_again(claim.hand, as_laid(claim, changed))
            if not claim.hand.winner:
                changed = list(sets)
                changed[pair] = set_of(face, sets[pair], 3)
                yield from laid_again(claim.hand, changed)

    return mend


def pair_named(claim: Claim) -> Mended:
    yield from pair_for_set(claim.value("tiles"))(claim)


def any_pair_of_dragons(claim: Claim) -> Mended:
    for dragon in ("DR", "DG", "DW"):
        yield from pair_for_set(dragon)(claim)


def pair_blamed(claim: Claim) -> Mended:
    for place in claim.blamed:
        yield from pair_for_set(claim.reading.sets[place].tile.code)(claim)


def other_winds(claim: Claim) -> Mended:
    """Seat the player at the wind that is named, or let it prevail."""
    wind, hand = claim.value("wind"), claim.hand
    yield replace(hand, seat_wind=wind)
    yield replace(hand, prevailing_wind=wind)
    if "heaven" in hand.won_by:  # East's alone
        yield replace(hand, seat_wind=wind, won_by=("wall",))


def own_seat(claim: Claim) -> Mended:
    yield replace(claim.hand, seat_wind=claim.value("wind"))


def tile_added(claim: Claim) -> Mended:
    yield replace(claim.hand, bonus=(*claim.hand.bonus, claim.value("tile")))


def bouquet_broken(claim: Claim) -> Mended:
    for code in claim.hand.bonus:
        yield replace(claim.hand, bonus=tuple(each for each in claim.hand.bonus if each != code))


def four_play(claim: Claim) -> Mended:
    yield replace(claim.hand, players=4)


def no_goulash(claim: Claim) -> Mended:
    """Put real tiles for the wild ones, where there are any."""
    for sets in _natural(claim):
        yield from laid_again(replace(claim.hand, goulash=False), as_laid(claim, sets))


def _natural(claim: Claim) -> Iterator[list[TileSet]]:
    plain = [replace(each, tiles=each.faces, stands_for=()) for each in claim.reading.sets]
    yield plain
    for place, each in enumerate(plain):  # of one face there may be five with wild tiles
        for face in PLAYING:
            yield [*plain[:place], set_of(face, each), *plain[place + 1 :]]


def nothing_laid_down(claim: Claim) -> Mended:
    sets = [
        replace(each, concealed=True)
        if each.kind != "kong"
        else TileSet("pung", each.tiles[:3], concealed=True)
        for each in claim.reading.sets
    ]
    yield from laid_again(claim.hand, sets)


def no_bonus_tiles(claim: Claim) -> Mended:
    yield replace(claim.hand, bonus=())


def last_pung_allowed(claim: Claim) -> Mended:
    """Let the table play otherwise, or the tile come from the wall."""
    yield replace(claim.hand, house=(*claim.hand.house, "buried_treasure_last_pung_claimable:on"))


def options_on(claim: Claim) -> Mended:
    """Let the table play as most do."""
    for option in claim.rules.options:
        if option.default and not claim.rules.is_on(option.name):
            yield replace(claim.hand, house=(*claim.hand.house, f"{option.name}:on"))


def of_more_worth(claim: Claim) -> Mended:
    """Make a pung of a chow, or a pair of honours of a pair; or seat the player at its wind."""
    if claim.hand.goulash:  # a wild tile would go elsewhere
        plain = replace(claim.reading, sets=tuple(next(_natural(claim))))
        claim = replace(claim, reading=plain)
    for place, each in enumerate(claim.reading.sets):
        if each.tile.family == "W":
            yield replace(claim.hand, seat_wind=each.tile.rank)
        if each.kind == "chow":
            for face in SUIT_TILES:
                if face[0] == each.tile.family:
                    yield from with_set(claim, place, set_of(face, each))
        elif each.kind == "pair":
            for face in HONOURS:
                yield from with_set(claim, place, set_of(face, each))


ORDINARY = parse_hand("| B222 C333 O777 WEEE DRR |").concealed


def an_ordinary_hand(claim: Claim) -> Mended:
    """Let a hand that is not special be won in the same way."""
    hand = replace(claim.hand, exposed=(), declared_kongs=(), concealed=ORDINARY)
    yield replace(hand, winning_tile=None, bonus=("F1",))


MENDS: MappingProxyType[str, Callable[[Claim], Mended]] = MappingProxyType(
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
        "set-of-minors": of_other_tiles(PLAYING),
        "set-of-honours": of_other_tiles(SUIT_TILES),
        "not-concealed": kept_concealed,
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
        "not-green": of_other_tiles(PLAYING),
        "only-a-pair": pair_named,
        "claimed-early": kept_concealed,
        "last-pung-claimed": last_pung_allowed,
        "laid-down": nothing_laid_down,
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
