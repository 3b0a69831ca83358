"""Why a move is not allowed, in a player's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scorer.hand import Hand
from scorer.message import Message
from scorer.play.moves import Move, PlayError, Stage, refuse, refuse_because
from scorer.play.player_state import PlayerState
from scorer.play.umpire import Umpire
from scorer.tile_names import name_plural, name_tile, name_wind
from scorer.tiles import BY_CODE


class MoveRefusal(NamedTuple):
    """A move that is not allowed, and the state in which it was tried."""

    move: Move
    stage: Stage
    choices: Mapping[str, tuple[Move, ...]]
    player: PlayerState
    turn: str
    is_after_claim: bool
    """Whether the player whose turn it is has claimed a set, and takes no tile."""
    tile: str
    """The tile that was taken or discarded last."""
    hand: Hand
    """The player's hand as if it had won with that tile."""
    umpire: Umpire


def explain_refusal(refusal: MoveRefusal) -> PlayError:
    """Return the error that says what is wrong with a move and what the player can do."""
    move, stage = refusal.move, refusal.stage
    if stage == "over":
        return refuse("over")
    if move.seat not in refusal.choices:
        key = "wait" if stage == "turn" else "claim-gone"
        return refuse(key, wind=name_wind(refusal.turn))
    if move.kind == "mah-jong":
        if refusal.is_after_claim:
            return refuse("discard-first")
        return refuse_because("not-mah-jong", refusal.umpire.explain_no_mah_jong(refusal.hand))
    if stage == "swap":
        return refuse("not-fishing-yet" if move.kind == "stand" else "swap")
    if stage == "turn":
        return _explain_turn(refusal)
    if stage == "robbing" or move.kind not in ("chow", "pung", "kong"):
        return refuse("claim-or-pass")
    if refusal.player.keeps_hand:
        return refuse("keeps-hand")
    if move.kind == "chow":
        return refuse("no-chow", tile=name_tile(refusal.tile))
    return refuse(f"no-{move.kind}", tiles=_name_plural(refusal.tile))


def _explain_turn(refusal: MoveRefusal) -> PlayError:
    move, tiles = refusal.move, refusal.player.concealed
    absent_tiles = [code for code in move.tiles if tiles.count(code) < move.tiles.count(code)]
    if move.kind not in ("discard", "concealed-kong", "added-kong"):
        return refuse("discard-first")
    if absent_tiles:
        return refuse("no-tile", tile=name_tile(absent_tiles[0]))
    if refusal.player.keeps_hand:
        return refuse("keeps-hand")
    return refuse("discard-first" if move.kind == "discard" else "no-declared-kong")


def _name_plural(code: str) -> Message:
    return name_plural(code) if code in BY_CODE else name_tile(code)
