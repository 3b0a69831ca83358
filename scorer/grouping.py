"""Every way to split tiles into sets.

>>> tiles = [BY_CODE[code] for code in ("B1", "B1", "B1", "B2", "B3")]
>>> for sets in complete(tiles, sets=1, pairs=1):
...     print([(s.kind, s.tiles) for s in sets])
[('pair', ('B1', 'B1')), ('chow', ('B1', 'B2', 'B3'))]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.breakdown import SetKind, TileSet
from scorer.tiles import BY_CODE, Tile

Sets = tuple[TileSet, ...]

ALIKE: dict[int, SetKind] = {2: "pair", 3: "pung", 4: "kong"}
"""What so many alike are called."""


def chow_from(tile: Tile) -> tuple[Tile, ...] | None:
    """Return the chow that begins with this tile, if one does; runs do not wrap (BMJA-H04)."""
    if not tile.is_suit or tile.rank > "7":
        return None
    return tuple(BY_CODE[f"{tile.family}{int(tile.rank) + step}"] for step in range(3))


def concealed_set(kind: SetKind, tiles: Sequence[Tile]) -> TileSet:
    """Return a set that lies among the player's own tiles."""
    return TileSet(kind, tuple(tile.code for tile in tiles), concealed=True)


def complete(tiles: Sequence[Tile], *, sets: int, pairs: int) -> Iterator[Sets]:
    """Yield each way, once, to use all the tiles in so many sets and so many pairs (0 or 1)."""
    return _complete(Counter(sorted(tiles)), sets, pairs)


def _complete(count: Counter[Tile], sets: int, pairs: int) -> Iterator[Sets]:
    """Put the lowest tile in a set of its like, or none, and its other copies in chows."""
    if not count:
        if sets == pairs == 0:
            yield ()
        return
    tile = next(iter(count))
    for size in (0, *ALIKE):
        chows = count[tile] - size
        sets_left, pairs_left = sets - chows - (size > 2), pairs - (size == 2)
        if chows < 0 or sets_left < 0 or pairs_left < 0:
            continue
        chow = chow_from(tile) if chows else ()
        if chow is None or any(count[each] < chows for each in chow):
            continue
        alike = (concealed_set(ALIKE[size], (tile,) * size),) if size else ()
        runs = (concealed_set("chow", chow),) * chows
        used = Counter({tile: size}) + Counter(dict.fromkeys(chow, chows))
        for others in _complete(count - used, sets_left, pairs_left):
            yield alike + runs + others


def partial(tiles: Sequence[Tile], *, chows: int) -> Iterator[Sets]:
    """Yield ways to read a hand that is not complete: at most one chow, then all that are alike.

    Tiles that are alike are worth most together, so nothing better is left out (BMJA-H06, K05).
    """
    count = Counter(sorted(tiles))
    yield _alike(count)
    for tile in count if chows else ():
        chow = chow_from(tile)
        if chow and all(count[each] for each in chow):
            yield concealed_set("chow", chow), *_alike(count - Counter(chow))


def _alike(count: Counter[Tile]) -> Sets:
    """Put together what is alike; single tiles are loose."""
    sets = tuple(concealed_set(ALIKE[n], (tile,) * n) for tile, n in count.items() if n > 1)
    single = [tile for tile, n in count.items() if n == 1]
    return (*sets, concealed_set("loose", single)) if single else sets
