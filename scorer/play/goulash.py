"""The swaps of a goulash before East's first discard (BMJA-G02, G03)."""

from __future__ import annotations

from scorer.play.moves import Move
from scorer.play.play_state import PlayState, PlayStep
from scorer.play.umpire import list_fishing_discards
from scorer.table_setup.east import EXCHANGE_PAIRS, list_exchanges


def offer_swaps(deal: PlayState) -> PlayStep | None:
    """Ask for the next exchange, unless everybody left has agreed to stop."""
    while deal.swaps < len(EXCHANGE_PAIRS):
        seats = [
            seat
            for pair in list_exchanges(deal.seats)[deal.swaps]
            if not any(deal.players[each].keeps_hand for each in pair)
            for seat in pair
        ]
        if seats:
            deal.ask("swap", {seat: tuple(_list_answers(deal, seat)) for seat in seats})
            return None
        deal.swaps += 1
    return "turn"


def _list_answers(deal: PlayState, seat: str) -> list[Move]:
    moves = [Move(seat, "swap")]
    if seat == "E":
        if deal.may_win(seat, ("heaven",), deal.tile):
            moves.append(Move(seat, "mah-jong"))
        fishing_discards = list_fishing_discards(deal.umpire, deal.hand_of(seat))
        is_fishing = next(fishing_discards, None) is not None
    else:
        is_fishing = bool(deal.waits_of(seat))
    if is_fishing:
        moves.append(Move(seat, "stand"))
    if any(player.keeps_hand for player in deal.players.values()):
        moves.append(Move(seat, "stop"))
    return moves


def settle_swaps(deal: PlayState) -> PlayStep | None:
    """Exchange the tiles of each pair, or end the swaps when all who were asked want that."""
    stops = {seat for seat, move in deal.replies.items() if move.kind == "stop"}
    if stops == deal.replies.keys():
        deal.note("stop", deal.turn)
        deal.swaps = len(EXCHANGE_PAIRS)
        return "swap"
    if stops:  # not everybody agrees: the others' answers stand
        answers = {seat: move for seat, move in deal.replies.items() if seat not in stops}
        moves = {seat: _list_answers(deal, seat) for seat in deal.seats if seat in stops}
        deal.ask("swap", {s: tuple(m for m in moves[s] if m.kind != "stop") for s in moves})
        deal.replies.update(answers)
        return None
    for pair in EXCHANGE_PAIRS[deal.swaps]:
        _exchange(deal, pair)
    deal.swaps += 1
    return "swap"


def _exchange(deal: PlayState, pair: str) -> None:
    gifts = {seat: deal.replies[seat] for seat in pair if seat in deal.replies}
    for seat, gift in gifts.items():
        if gift.kind == "stand":
            player = deal.players[seat]
            player.keeps_hand = player.fishing = True
            deal.note("stand", seat)
    if [gift.kind for gift in gifts.values()] != ["swap", "swap"]:
        return
    for seat, gift in gifts.items():
        deal.players[seat].give(*gift.tiles)
    for seat, gift in zip(pair, reversed(gifts.values()), strict=True):
        deal.players[seat].take(*gift.tiles)
        deal.note("swap", seat, *gift.tiles)
