"""The sets that a player may make: of a discard, and by declaring a kong.

>>> from scorer.play.player_state import PlayerState
>>> [move.tiles for move in list_chows("S", PlayerState(["B1", "B2", "B4"]), "B3")]
[('B1', 'B2'), ('B2', 'B4')]
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.decompose.splits import chow_codes_from
from scorer.hand import NO_TILES, Codes
from scorer.play.moves import Move, MoveKind
from scorer.play.player_state import PlayerState
from scorer.sets import make_set
from scorer.tiles import SUITS


def list_chows(seat: str, player: PlayerState, tile: str) -> Iterator[Move]:
    """Yield each chow that the player's own tiles make with a discard (BMJA-P13)."""
    if tile[0] not in SUITS:
        return
    rank = int(tile[1])
    for first in range(max(rank - 2, 1), rank + 1):
        run = chow_codes_from(f"{tile[0]}{first}")
        own_tiles = tuple(code for code in run if code != tile)
        if run and all(code in player.concealed for code in own_tiles):
            yield Move(seat, "chow", own_tiles)


def list_equal_sets(
    seat: str, player: PlayerState, tile: str, wild: frozenset[str] = NO_TILES
) -> Iterator[Move]:
    """Yield each pung and kong that the player's own tiles make with a discard."""
    kinds: tuple[tuple[MoveKind, int], ...] = (("pung", 2), ("kong", 3))
    for kind, size in kinds:
        for own_tiles in _equal_tiles(player.concealed, tile, size, wild):
            yield Move(seat, kind, own_tiles)


def list_concealed_kongs(
    seat: str, player: PlayerState, wild: frozenset[str] = NO_TILES
) -> Iterator[Move]:
    """Yield each kong that the player may declare of concealed tiles (BMJA-K05)."""
    for face in dict.fromkeys(player.concealed):
        if face in wild:
            continue
        for wilds in range(3 if wild else 1):
            codes = _with_wilds(player.concealed, face, 4, wilds, wild)
            if codes and make_set(codes, concealed=True, wild=wild):
                yield Move(seat, "concealed-kong", codes)


def list_added_kongs(
    seat: str, player: PlayerState, wild: frozenset[str] = NO_TILES
) -> Iterator[Move]:
    """Yield each concealed tile that may be added to an exposed pung (BMJA-K07)."""
    for face in dict.fromkeys(player.concealed):
        if find_pung(player, face, wild) is not None:
            yield Move(seat, "added-kong", (face,))


def find_pung(player: PlayerState, tile: str, wild: frozenset[str] = NO_TILES) -> int | None:
    """Return the place, among the sets, of the exposed pung that a tile makes a kong."""
    for place, each in enumerate(player.sets):
        if each.kind == "pung" and make_set((*each.tiles, tile), concealed=False, wild=wild):
            return place
    return None


def _equal_tiles(
    concealed: list[str], tile: str, size: int, wild: frozenset[str]
) -> Iterator[Codes]:
    """Yield the player's own tiles that make a set of equal tiles with a discard."""
    if not wild:
        if concealed.count(tile) >= size:
            yield (tile,) * size
        return
    faces = [tile] if tile not in wild else list(dict.fromkeys(concealed))
    for face in faces:
        for wilds in range(size):
            own_tiles = _with_wilds(concealed, face, size, wilds, wild)
            if (
                own_tiles
                and face not in wild
                and make_set((*own_tiles, tile), concealed=False, wild=wild)
            ):
                yield own_tiles


def _with_wilds(
    concealed: list[str], face: str, size: int, wilds: int, wild: frozenset[str]
) -> Codes:
    """Return copies of a face and wild tiles from the hand; empty when the hand lacks them."""
    wild_tiles = [code for code in concealed if code in wild]
    if concealed.count(face) < size - wilds or len(wild_tiles) < wilds:
        return ()
    return (*(face,) * (size - wilds), *wild_tiles[:wilds])
