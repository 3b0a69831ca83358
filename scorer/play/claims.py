"""Claims: who may have a discard, and who gets it.

>>> from scorer.play.player_state import PlayerState
>>> [move.tiles for move in list_chows("S", PlayerState(["B1", "B2", "B4"]), "B3")]
[('B1', 'B2'), ('B2', 'B4')]
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.decompose.splits import chow_codes_from
from scorer.hand import NO_TILES, Codes
from scorer.play.kongs import count_kong, take_with_wilds
from scorer.play.moves import Move, MoveKind
from scorer.play.play_state import PlayState, PlayStep
from scorer.play.player_state import PlayerState, TableSet
from scorer.sets import make_set
from scorer.tiles import SUITS

PRECEDENCE: tuple[tuple[MoveKind, ...], ...] = (("mah-jong",), ("pung", "kong"), ("chow",))
"""Which claims go before which (BMJA-P14, SAF-P05)."""


def offer_claims(deal: PlayState) -> PlayStep | None:
    """Ask everybody who can claim the discard; the last one only for Mah-Jong (BMJA-D13)."""
    next_seats = deal.seats_after(deal.turn)
    claims = {seat: _list_claims(deal, seat, is_next=seat == next_seats[0]) for seat in next_seats}
    choices = {seat: (*moves, Move(seat, "pass")) for seat, moves in claims.items() if moves}
    if not choices:
        return "draw"
    deal.ask("claims", choices)
    return None


def _list_claims(deal: PlayState, seat: str, *, is_next: bool) -> list[Move]:
    player, tile = deal.players[seat], deal.tile or ""
    moves = []
    if deal.may_win(seat, (_way_from_discard(deal, seat),), tile, tile):
        moves.append(Move(seat, "mah-jong"))
    if deal.live and not player.keeps_hand:
        moves += list_equal_sets(seat, player, tile, deal.wild)
        if is_next and player.count_chows() < deal.umpire.max_table_chows:
            moves += list_chows(seat, player, tile)
    return moves


def _way_from_discard(deal: PlayState, seat: str) -> str:
    if deal.discards == 1 and deal.turn == "E" and not deal.players[seat].sets:
        return "earth"
    return "discard" if deal.live else "last-discard"


def settle_claims(deal: PlayState) -> PlayStep | None:
    """Give the discard to the claim that goes first: of two alike the nearest player's."""
    seats = deal.seats_after(deal.turn)
    replies = [deal.replies[seat] for seat in seats if seat in deal.replies]
    for kinds in PRECEDENCE:
        for move in replies:
            if move.kind in kinds:
                return _claim(deal, move)
    return "draw"


def _claim(deal: PlayState, move: Move) -> PlayStep | None:
    discarder, tile = deal.turn, deal.tile or ""
    way = _way_from_discard(deal, move.seat)
    deal.players[discarder].discards.pop()
    deal.turn = move.seat
    player = deal.players[move.seat]
    if move.kind == "mah-jong":
        player.take(tile)
        deal.win(move.seat, way, discarder)
        return None
    player.give(*move.tiles)
    player.sets.append(TableSet((*move.tiles, tile), claimed_tile=tile, discarder=discarder))
    player.original_call = False
    deal.note(move.kind, move.seat, *move.tiles, tile)
    deal.source, deal.kongs_in_turn = "claim", 0
    return count_kong(deal, (tile,)) if move.kind == "kong" else "turn"


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
            own_tiles = take_with_wilds(concealed, face, size, wilds, wild)
            if (
                own_tiles
                and face not in wild
                and make_set((*own_tiles, tile), concealed=False, wild=wild)
            ):
                yield own_tiles
