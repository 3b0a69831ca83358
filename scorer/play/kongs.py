"""Kongs that a player declares or makes of a pung, the loose tile for them, and robbing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from scorer.hand import NO_TILES, Codes
from scorer.play.moves import Move
from scorer.play.play_state import PlayState, PlayStep
from scorer.play.player_state import PlayerState, TableSet
from scorer.sets import make_set


def list_concealed_kongs(
    seat: str, player: PlayerState, wild: frozenset[str] = NO_TILES
) -> Iterator[Move]:
    """Yield each kong that the player may declare of concealed tiles (BMJA-K05)."""
    for face in dict.fromkeys(player.concealed):
        if face in wild:
            continue
        for wilds in range(3 if wild else 1):
            codes = take_with_wilds(player.concealed, face, 4, wilds, wild)
            if codes and make_set(codes, concealed=True, wild=wild):
                yield Move(seat, "concealed-kong", codes)


def list_added_kongs(
    seat: str, player: PlayerState, wild: frozenset[str] = NO_TILES
) -> Iterator[Move]:
    """Yield each concealed tile that may be added to an exposed pung (BMJA-K07)."""
    for face in dict.fromkeys(player.concealed):
        if find_pung(player.sets, face, wild):
            yield Move(seat, "added-kong", (face,))


def find_pung(
    sets: Iterable[TableSet], tile: str, wild: frozenset[str] = NO_TILES
) -> TableSet | None:
    """Return the exposed pung that a tile makes a kong."""
    for each in sets:
        if each.kind == "pung" and make_set((*each.tiles, tile), concealed=False, wild=wild):
            return each
    return None


def declare_concealed_kong(deal: PlayState, move: Move) -> PlayStep:
    """Lay down four concealed tiles (BMJA-K05)."""
    player = deal.players[move.seat]
    player.give(*move.tiles)
    player.sets.append(TableSet(move.tiles, concealed=True))
    deal.note("concealed-kong", move.seat, *move.tiles)
    return count_kong(deal, move.tiles)


def count_kong(deal: PlayState, tiles: Codes) -> PlayStep:
    """Note that a kong was made; a loose tile comes next (BMJA-P16)."""
    is_second = deal.source == "loose" and deal.kongs_in_turn > 0 and deal.tile in tiles
    deal.kongs_in_turn = deal.kongs_in_turn + 1 if is_second else 1
    deal.players[deal.turn].original_call = False
    return "loose"


def add_to_pung(deal: PlayState, move: Move) -> PlayStep | None:
    """Make a pung a kong, which others may rob before the loose tile is taken (BMJA-K08)."""
    seat, tile = move.seat, move.tiles[0]
    player = deal.players[seat]
    pung = find_pung(player.sets, tile, deal.wild)
    if pung is None:
        raise ValueError(f"no pung of {tile} to add to")
    player.give(tile)
    player.sets[player.sets.index(pung)] = pung.add_fourth(tile)
    deal.note("added-kong", seat, tile)
    deal.tile_before_kong, deal.tile = deal.tile, tile
    robbers = {
        other: (Move(other, "mah-jong"), Move(other, "pass"))
        for other in deal.seats_after(seat)
        if deal.rules.has_robbing and deal.may_win(other, ("robbed-kong",), tile, tile)
    }
    deal.ask("robbing", robbers)
    return None if robbers else settle_robbing(deal)


def settle_robbing(deal: PlayState) -> PlayStep | None:
    """Give the added tile to the next player who goes out with it (BMJA-K08)."""
    owner, tile = deal.players[deal.turn], deal.tile or ""
    for seat in deal.seats_after(deal.turn):
        move = deal.replies.get(seat)
        if move and move.kind == "mah-jong":
            place = next(i for i, each in enumerate(owner.sets) if _was_added(each, tile))
            owner.sets[place] = replace(owner.sets[place], tiles=owner.sets[place].tiles[:-1])
            deal.players[seat].take(tile)
            deal.win(seat, "robbed-kong", deal.turn)
            return None
    deal.tile = deal.tile_before_kong
    return count_kong(deal, (tile,))


def _was_added(table_set: TableSet, tile: str) -> bool:
    return table_set.kind == "kong" and not table_set.concealed and table_set.tiles[-1] == tile


def take_with_wilds(
    concealed: list[str], face: str, size: int, wilds: int, wild: frozenset[str]
) -> Codes:
    """Return copies of a face and wild tiles from the hand; empty when the hand lacks them."""
    wild_tiles = [code for code in concealed if code in wild]
    if concealed.count(face) < size - wilds or len(wild_tiles) < wilds:
        return ()
    return (*(face,) * (size - wilds), *wild_tiles[:wilds])
