"""What one player sees of a deal: a value that has nothing else in it.

>>> from scorer.play.deal import PracticeDeal
>>> from scorer.play.setup import DealSetup
>>> from scorer.rulesets.builtin import load_builtin
>>> view = make_view(PracticeDeal(DealSetup(seed=7), load_builtin("bmja")), "S")
>>> len(view.concealed), view.opponents[0].seat, view.opponents[0].concealed_count
(13, 'W', 13)
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.hand import Codes, Hand
from scorer.play.deal import PracticeDeal
from scorer.play.moves import DealEnd, Move, Stage
from scorer.play.player_state import PlayerState, TableSet
from scorer.play.rule_ids import Happening
from scorer.ruleset import Ruleset

_SECRET_KINDS = frozenset({"draw", "loose", "swap"})
"""Happenings whose tiles only their own player sees. A bonus tile is noted again, openly."""


@dataclass(frozen=True, slots=True)
class OpenPlayer:
    """What everybody sees of a player."""

    seat: str
    concealed_count: int
    sets: tuple[TableSet, ...]
    bonus: Codes
    discards: Codes
    fishing: bool


@dataclass(frozen=True, slots=True)
class View:
    """What one player sees, and what that player may do now."""

    seat: str
    concealed: Codes
    me: OpenPlayer
    opponents: tuple[OpenPlayer, ...]
    """In playing order, the next player first."""
    stage: Stage
    turn: str
    tile: str | None
    """The tile that the player has just taken, or the tile that may be claimed."""
    moves: tuple[Move, ...]
    """What the player may do; of a swap only its kind. Empty while others are asked."""
    live_count: int
    box_count: int
    keeps_hand: bool
    goulash: bool
    hand: Hand
    """The player's own hand, for the scorer."""
    log: tuple[Happening, ...]
    """All that has happened, without tiles that the player did not see."""
    ending: DealEnd | None
    hand_size: int
    rules: Ruleset
    max_chows: int

    @property
    def visible(self) -> Codes:
        """Every playing tile that the player sees, own ones included."""
        open_players = (self.me, *self.opponents)
        on_table = [code for each in open_players for s in each.sets for code in s.tiles]
        discards = [code for each in open_players for code in each.discards]
        return (*self.concealed, *on_table, *discards)

    @property
    def chows(self) -> int:
        """The player's own chows on the table."""
        return sum(each.kind == "chow" for each in self.me.sets)


def make_view(deal: PracticeDeal, seat: str, *, with_log: bool = False) -> View:
    """Return what a player sees now; with its log only where a page shows it."""
    player, setup = deal.players[seat], deal.setup
    is_taken = deal.stage == "turn" and deal.source != "claim"
    return View(
        seat=seat,
        concealed=tuple(player.concealed),
        me=_open(seat, player),
        opponents=tuple(_open(other, deal.players[other]) for other in deal.seats_after(seat)),
        stage=deal.stage,
        turn=deal.turn,
        tile=None if is_taken and deal.turn != seat else deal.tile,
        moves=deal.choices.get(seat, ()),
        live_count=len(deal.live),
        box_count=len(deal.box),
        keeps_hand=player.keeps_hand,
        goulash=setup.goulash,
        hand=deal.hand_of(seat),
        log=tuple(_hide(each, seat) for each in deal.log) if with_log else (),
        ending=deal.ending,
        hand_size=setup.hand_size,
        rules=deal.rules,
        max_chows=deal.umpire.max_chows,
    )


def _open(seat: str, player: PlayerState) -> OpenPlayer:
    return OpenPlayer(
        seat,
        len(player.concealed),
        tuple(player.sets),
        tuple(player.bonus),
        tuple(player.discards),
        player.fishing,
    )


def _hide(happening: Happening, seat: str) -> Happening:
    is_secret = happening.kind in _SECRET_KINDS and happening.seat != seat
    return happening._replace(tiles=()) if is_secret else happening
