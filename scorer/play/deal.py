"""A deal: every step of play from the first draw to Mah-Jong or a wash-out, each by its rule.

A deal is its setup and the moves of its players; everything else follows from them. What nobody
chooses happens by itself: drawing, laying out bonus tiles, taking loose tiles.

>>> from scorer.rulesets.builtin import load_builtin
>>> deal = PracticeDeal(DealSetup(seed=7), load_builtin("bmja"))
>>> deal.turn, [move.kind for move in deal.choices["E"]][:1]
('E', ['discard'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from scorer.hand import remove_tiles
from scorer.play import claims, goulash, kongs, turns
from scorer.play.moves import Move, MoveKind, PlayError, Stage, refuse
from scorer.play.play_state import PlayState, PlayStep
from scorer.play.refusals import MoveRefusal, explain_refusal
from scorer.play.setup import DealSetup
from scorer.ruleset import Ruleset
from scorer.table_setup.east import EXCHANGED_TILES


class PracticeDeal(PlayState):
    """The state of a deal. It changes by `play` alone."""

    def __init__(self, setup: DealSetup, rules: Ruleset, moves: Iterable[Move] = ()) -> None:
        super().__init__(setup, rules)
        self.note("deal", "E")
        for seat in self.seats:
            turns.lay_bonus_tiles(self, seat)
        self._take_steps("swap" if setup.goulash else "turn")
        for move in moves:
            self.play(move)

    def play(self, move: Move) -> None:
        """Make a move; raise PlayError, in a player's words, when the rules do not allow it."""
        if not self._is_allowed(move):
            raise self._refuse(move)
        if move.fishing and not self.would_be_fishing(move):
            raise refuse("not-fishing")
        self.moves.append(move)
        if self.stage == "turn":
            self._take_steps(_TURN_STEPS[move.kind](self, move))
        else:
            self._reply(move)

    def would_be_fishing(self, move: Move) -> bool:
        """Return whether the player is one tile short of Mah-Jong after a discard."""
        player = self.players[move.seat]
        if move.kind != "discard" or move.tiles[0] not in player.concealed:
            return False
        hand = self.hand_of(move.seat)
        rest = remove_tiles(hand.concealed, move.tiles)
        return bool(self.umpire.find_waits(replace(hand, concealed=rest)))

    def _take_steps(self, step: PlayStep | None) -> None:
        """Do what nobody chooses, until somebody is asked or the deal is over."""
        while step and not self.ending:
            step = _STEPS[step](self)

    def _reply(self, move: Move) -> None:
        self.replies[move.seat] = move
        self.choices = {seat: each for seat, each in self.choices.items() if seat != move.seat}
        if move.kind == "mah-jong" and self.stage == "swap":
            self.win(move.seat, "heaven")
        elif not self.choices:
            self._take_steps(_ANSWERS[self.stage](self))

    def _is_allowed(self, move: Move) -> bool:
        moves = self.choices.get(move.seat, ())
        if move.kind != "swap":
            return move.base_move in moves and (not move.fishing or move.kind == "discard")
        if Move(move.seat, "swap") not in moves or len(move.tiles) != EXCHANGED_TILES:
            return False
        tiles = self.players[move.seat].concealed
        return all(tiles.count(code) >= move.tiles.count(code) for code in move.tiles)

    def _refuse(self, move: Move) -> PlayError:
        player = self.players.get(move.seat)
        if player is None:
            return refuse("seats", known=(len(self.seats),))
        discard = (self.tile or "",) if self.stage in ("claims", "robbing") else ()
        hand = replace(
            player.to_hand(self._empty_hands[move.seat], *discard),
            winner=True,
            won_by=("discard" if discard else "wall",),
            winning_tile=self.tile,
        )
        return explain_refusal(
            MoveRefusal(
                move=move,
                stage=self.stage,
                choices=self.choices,
                player=player,
                turn=self.turn,
                is_after_claim=self.stage == "turn" and self.source == "claim",
                tile=self.tile or "",
                hand=hand,
                umpire=self.umpire,
            )
        )


_TURN_STEPS: Mapping[MoveKind, Callable[[PlayState, Move], PlayStep | None]] = {
    "discard": turns.discard,
    "concealed-kong": kongs.declare_concealed_kong,
    "added-kong": kongs.add_to_pung,
    "mah-jong": turns.declare_mah_jong,
}

_STEPS: Mapping[PlayStep, Callable[[PlayState], PlayStep | None]] = {
    "swap": goulash.offer_swaps,
    "turn": turns.offer_turn,
    "claims": claims.offer_claims,
    "draw": turns.draw,
    "loose": turns.take_loose_tile,
}

_ANSWERS: Mapping[Stage, Callable[[PlayState], PlayStep | None]] = {
    "swap": goulash.settle_swaps,
    "claims": claims.settle_claims,
    "robbing": kongs.settle_robbing,
}
"""What follows when everybody who was asked has answered."""
