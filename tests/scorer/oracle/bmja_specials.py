"""The special hands S11 to S29, each written as its row of the table says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from scorer.hand import Hand
from tests.scorer.oracle.groups import (
    DRAGON_TILES,
    HONOURS,
    MAJORS,
    PLAYING_CODES,
    SUIT_TILES,
    TERMINALS,
    WIND_TILES,
    Group,
    partitions,
)
from tests.scorer.oracle.table import (
    Reading,
    concealed_until_the_last,
    drawn_wild,
    has_won_by,
    keeps,
    standard_readings,
)

JADE = ("DG", "B2", "B3", "B4", "B6", "B8")
FISHING = {500: 200, 1000: 400}
"""A special hand's value to what it is worth one tile short (BMJA-S.2)."""


def is_purity(reading: Reading) -> bool:
    """BMJA-S11: four pungs or kongs and a pair of one suit."""
    tiles = [tile for group in reading.groups for tile in group.tiles]
    return (
        all(group.kind != "chow" for group in reading.groups)
        and len({tile[0] for tile in tiles}) == 1
        and tiles[0] not in HONOURS
    )


def set_pattern(reading: Reading) -> str | None:
    """Return the 1,000 hand of pungs and kongs that this is: they may be exposed (BMJA-S05)."""
    groups = reading.groups
    sets = [group for group in groups if group.kind in ("pung", "kong")]
    if len(sets) < 4:
        return None
    faces = {group.tiles[0] for group in sets}
    tiles = {tile for group in groups for tile in group.tiles}
    if tiles <= set(TERMINALS):
        return "heads and tails"
    if tiles <= set(JADE):
        return "imperial jade"
    if faces >= set(DRAGON_TILES):
        return "three great scholars"
    if faces == set(WIND_TILES):
        return "four blessings"
    if tiles <= set(HONOURS):
        return "all winds and dragons"
    if all(group.kind == "kong" for group in sets):
        return "fourfold plenty"
    return None


def is_buried_treasure(groups: Sequence[Group]) -> bool:
    """BMJA-S15: four pungs and a pair of one suit and honours, all honours left out."""
    tiles = {tile for group in groups for tile in group.tiles}
    return (
        sorted(group.kind for group in groups) == ["pair", "pung", "pung", "pung", "pung"]
        and len({tile[0] for tile in tiles if tile not in HONOURS}) == 1
    )


def is_seven_pairs(groups: Sequence[Group]) -> bool:
    """BMJA-S12: seven pairs of major tiles."""
    return len(groups) == 7 and all(
        group.kind == "pair" and group.tiles[0] in MAJORS for group in groups
    )


def is_knitting(groups: Sequence[Group]) -> bool:
    """BMJA-S13."""
    return len(groups) == 7 and all(group.kind == "knit-pair" for group in groups)


def is_triple_knitting(groups: Sequence[Group]) -> bool:
    """BMJA-S14."""
    return sorted(group.kind for group in groups) == ["knit-pair", *["knit-triplet"] * 4]


GROUP_HANDS: tuple[
    tuple[str, int, Sequence[str], Sequence[str], Callable[[Sequence[Group]], bool]], ...
] = (
    ("buried treasure", 1000, PLAYING_CODES, ("pung", "pair"), is_buried_treasure),
    ("all pair honours", 500, MAJORS, ("pair",), is_seven_pairs),
    ("knitting", 500, SUIT_TILES, ("knit-pair",), is_knitting),
    ("triple knitting", 500, SUIT_TILES, ("knit-triplet", "knit-pair"), is_triple_knitting),
)
"""Name, value, allowed tiles, kinds of group and test of the concealed hands made of groups."""

Piece = tuple[str, int]
"""A tile, and how many of it stand together: 1 in a run, 2 in a pair, 3 in a pung."""


def fixed_patterns() -> Iterator[tuple[str, list[Piece]]]:
    """Yield every make-up of the hands that are no sets: S17, S23, S24."""
    for suit in "BCO":
        run: list[Piece] = [(f"{suit}{rank}", 1) for rank in range(2, 9)]
        winds: list[Piece] = [(wind, 1) for wind in WIND_TILES]
        yield "wriggling snake", [(f"{suit}1", 2), *run, (f"{suit}9", 1), *winds]
        for extra in range(7):
            doubled_tiles = [(tile, 2 if at == extra else 1) for at, (tile, _) in enumerate(run)]
            yield "gates of heaven", [(f"{suit}1", 3), *doubled_tiles, (f"{suit}9", 3)]
    for extra in range(13):
        pieces = [(tile, 2 if at == extra else 1) for at, tile in enumerate(MAJORS)]
        yield "thirteen wonders", pieces


PATTERNS = tuple(fixed_patterns())


def fits(pieces: Sequence[Piece], naturals: Sequence[str], wilds: int, extra: bool) -> bool:
    """Whether the tiles make the pattern: a wild tile may stand in any run, one in each pair."""
    if len(naturals) + wilds != sum(count for _, count in pieces):
        return False
    have = Counter(naturals)
    if any(have[tile] > count for tile, count in pieces):
        return False
    if not set(have) <= {tile for tile, _ in pieces}:
        return False
    excess = [max(0, count - have[tile] - 1) for tile, count in pieces if count > 1]
    return sum(excess) <= (1 if extra else 0)


def concealed_specials(hand: Hand) -> Iterator[tuple[str, int]]:
    """Yield the special hands that stay concealed until the last tile (BMJA-S05)."""
    extra = drawn_wild(hand)
    for naturals, wilds, laid_sets in concealed_until_the_last(hand):
        if len(naturals) + wilds != 14:
            continue
        for name, pieces in PATTERNS:
            if fits(pieces, naturals, wilds, extra):
                yield name, 1000
        for name, value, faces, kinds, test in GROUP_HANDS:
            if set(naturals) <= set(faces) and any(
                test(groups) and keeps(groups, laid_sets)
                for groups in partitions(naturals, wilds, kinds, extra)
            ):
                yield name, value


def specials(hand: Hand) -> Iterator[tuple[str, int]]:
    """Yield every special hand of fixed value, S12 to S24, that these tiles make."""
    yield from concealed_specials(hand)
    names = {set_pattern(reading) for reading in standard_readings(hand, 0)}
    for name in names - {None}:
        yield str(name), 1000


def events(hand: Hand, readings: Sequence[Reading]) -> Iterator[str]:
    """Yield the special hands S25 to S29 that the way of winning makes."""
    kongs = max(
        ([group.kind for group in reading.groups].count("kong") for reading in readings), default=0
    )
    if (
        "heaven" in hand.won_by
        and not hand.bonus
        and not hand.sets_on_table
        and hand.seat_wind == "E"
    ):
        yield "heaven's blessing"
    if "earth" in hand.won_by and hand.seat_wind != "E":
        yield "earth's blessing"
    if has_won_by(hand, {"loose", "kong-of-kong"}) and hand.winning_tile == "O5":
        yield "plum blossom"
    if has_won_by(hand, {"last-tile"}) and hand.winning_tile == "O1":
        yield "moon"
    if has_won_by(hand, {"kong-of-kong"}) and kongs >= 2:
        yield "twofold fortune"
