"""A turn: laying out dealt bonus tiles, drawing, and what the player may do with the tile."""

from __future__ import annotations

from collections.abc import Iterable

from scorer.play import kongs
from scorer.play.moves import DealEnd, Move
from scorer.play.play_state import PlayState, PlayStep
from scorer.play.player_state import PlayerState
from scorer.play.umpire import list_fishing_discards
from scorer.tiles import BY_CODE


def lay_bonus_tiles(deal: PlayState, seat: str) -> None:
    """Lay out the bonus tiles of a dealt hand and replace them (BMJA-P10)."""
    player = deal.players[seat]
    for tile in [code for code in player.concealed if BY_CODE[code].is_bonus]:
        player.give(tile)
        player.bonus.append(tile)
        deal.note("bonus", seat, tile)
        loose = deal.take_loose_tile(seat)
        if loose is not None and seat == "E":
            deal.tile = loose


def offer_turn(deal: PlayState) -> None:
    """Ask the player whose turn it is, who has just taken a tile or claimed one."""
    seat, player = deal.turn, deal.players[deal.turn]
    moves = [Move(seat, "discard", (code,)) for code in _list_discards(deal, player)]
    if deal.source != "claim":
        if deal.may_win(seat, (way_from_wall(deal),), deal.tile):
            moves.insert(0, Move(seat, "mah-jong"))
        if not player.keeps_hand:
            moves += kongs.list_concealed_kongs(seat, player, deal.wild)
            moves += kongs.list_added_kongs(seat, player, deal.wild)
    deal.ask("turn", {seat: tuple(moves)})


def _list_discards(deal: PlayState, player: PlayerState) -> Iterable[str]:
    if not player.keeps_hand:
        return dict.fromkeys(player.concealed)
    if deal.source == "deal":
        return list_fishing_discards(deal.umpire, deal.hand_of(deal.turn))
    return (deal.tile,) if deal.tile else ()


def way_from_wall(deal: PlayState) -> str:
    """Return how a player wins who wins now with the tile just taken."""
    east = deal.players["E"]
    if deal.discards == 0 and deal.turn == "E" and not east.sets:
        is_allowed = deal.rules.is_on("heaven_after_bonus_tiles") or not east.bonus
        return "heaven" if is_allowed else "loose"
    if deal.source == "loose":
        return "kong-of-kong" if deal.kongs_in_turn > 1 else "loose"
    return "wall" if deal.live else "last-tile"


def declare_mah_jong(deal: PlayState, move: Move) -> None:
    """Win with the tile just taken."""
    deal.win(move.seat, way_from_wall(deal))


def discard(deal: PlayState, move: Move) -> PlayStep:
    """Discard a tile; announce fishing (BMJA-F01), or with the first discard a call (BMJA-D08)."""
    seat, tile = move.seat, move.tiles[0]
    player = deal.players[seat]
    waits = player.waits if tile == deal.tile else None
    player.give(tile)
    if tile != deal.tile or deal.source == "claim" or deal.kongs_in_turn > 0:
        player.original_call = False
        player.fishing = player.fishing and player.keeps_hand
    elif waits is not None:
        player.waits = waits
    if move.fishing:
        player.fishing = True
        player.original_call |= not player.has_discarded
        deal.note("original-call" if player.original_call else "fishing", seat)
    player.has_discarded = True
    player.discards.append(tile)
    deal.note("discard", seat, tile)
    deal.discards += 1
    deal.tile = tile
    return "claims"


def draw(deal: PlayState) -> PlayStep | None:
    """Let the next player draw, if a tile is left in the live wall."""
    deal.turn = deal.seats_after(deal.turn)[0]
    deal.kongs_in_turn = 0
    if not deal.live:
        deal.end(DealEnd(None))
        return None
    tile = deal.live.pop()
    player = deal.players[deal.turn]
    deal.note("draw", deal.turn, tile)
    if BY_CODE[tile].is_bonus:
        player.bonus.append(tile)
        deal.note("bonus-in-play", deal.turn, tile)
        return "loose"
    waits = deal.waits_of(deal.turn)
    player.take(tile)
    player.waits = waits  # still of the hand without this tile
    deal.source, deal.tile = "wall", tile
    return "turn"


def take_loose_tile(deal: PlayState) -> PlayStep | None:
    """Go on with a loose tile, if the box has one."""
    deal.source, deal.tile = "loose", deal.take_loose_tile(deal.turn)
    return None if deal.ending else "turn"
