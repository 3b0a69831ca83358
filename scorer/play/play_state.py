"""The state of a deal: who holds what, whose turn it is, and what has happened.

`PlayState` has what every step needs: tiles taken and given, Mah-Jong judged, the end. The steps
themselves stand in `turns`, `claims`, `kongs` and `goulash`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from scorer.hand import NO_TILES, WILD_CODES, Codes, Hand
from scorer.play.moves import DealEnd, Move, Stage, TileSource
from scorer.play.player_state import PlayerState
from scorer.play.rule_ids import Happening, rule_of
from scorer.play.setup import DealSetup, place_tiles
from scorer.play.umpire import make_umpire
from scorer.ruleset import Ruleset
from scorer.tiles import BY_CODE, WINDS

PlayStep = Literal["swap", "turn", "claims", "draw", "loose"]
"""What happens next: a step asks somebody, and the deal waits; or it names the step after it."""

Choices = Mapping[str, tuple[Move, ...]]


class PlayState:
    """Who holds what, and what has happened."""

    def __init__(self, setup: DealSetup, rules: Ruleset) -> None:
        start = place_tiles(setup, rules)
        self.setup = setup
        self.umpire = make_umpire(setup, rules)
        self.rules = self.umpire.rules
        self.seats = tuple(seat for seat in WINDS if seat in setup.seats)
        """In playing order from East."""
        self.players = {seat: PlayerState(start.hands[seat]) for seat in self.seats}
        if setup.rack_sets or start.bonus:
            self.players[setup.rack_seat].lay_out(start.bonus, setup.rack_exposed, setup.rack_kongs)
        self.live, self.box = start.live, start.box
        self.throws = start.throws
        self.wild = WILD_CODES if setup.goulash else NO_TILES
        self.stage: Stage = "turn"
        self.turn = "E"
        self.tile: str | None = None
        """The tile that the player whose turn it is has just taken; or the claimable tile."""
        self.source: TileSource = "deal"
        self.discards = 0
        """Discards so far, claimed ones too."""
        self.swaps = 0
        """Exchanges of a goulash that are over."""
        self.kongs_in_turn = 0
        """Kongs in this turn, each made by the loose tile of the one before (BMJA-S29)."""
        self.ending: DealEnd | None = None
        self.choices: Choices = {}
        """What each player may do now; of a swap only its kind. Empty when the deal is over."""
        self.moves: list[Move] = []
        self.log: list[Happening] = []
        """All that has happened, each with its rule."""
        self.replies: dict[str, Move] = {}
        """The answers of those who were asked together."""
        self.tile_before_kong: str | None = None
        """The tile that the player had taken before it added one to a pung."""
        self._empty_hands = {seat: setup.make_hand(seat) for seat in self.seats}

    def hand_of(self, seat: str) -> Hand:
        """Return a player's hand; when the deal is over, with how it was won."""
        player, empty = self.players[seat], self._empty_hands[seat]
        end = self.ending
        if end is None or end.winner is None:
            return player.to_hand(empty)
        if seat != end.winner:
            return replace(player.to_hand(empty), original_call=player.original_call)
        return replace(player.to_hand(empty), winner=True, won_by=end.won_by, winning_tile=end.tile)

    @property
    def has_goulash_next(self) -> bool:
        """Whether a goulash follows: only a wash-out of the whole game has one (BMJA-G01)."""
        is_wash_out = self.ending is not None and self.ending.winner is None
        return is_wash_out and self.rules.goulash and not self.setup.is_small

    def seats_after(self, seat: str) -> tuple[str, ...]:
        """Return the other seats in playing order, the next player first."""
        place = self.seats.index(seat)
        return self.seats[place + 1 :] + self.seats[:place]

    def ask(self, stage: Stage, choices: Choices) -> None:
        """Wait for the answers of these players."""
        self.stage, self.choices, self.replies = stage, choices, {}

    def take_loose_tile(self, seat: str) -> str | None:
        """Take a loose tile, and another for each bonus tile; None after a wash-out (BMJA-P18)."""
        player = self.players[seat]
        while self.box:
            tile = self.box.pop()
            self.note("loose", seat, tile)
            if not BY_CODE[tile].is_bonus:
                player.take(tile)
                return tile
            player.bonus.append(tile)
            self.note("bonus-in-play", seat, tile)
        self.end(DealEnd(None))
        return None

    def win(self, seat: str, way: str, discarder: str | None = None) -> None:
        """End the deal with a Mah-Jong."""
        is_call = self.players[seat].original_call and way != "heaven"
        won_by = (way, "original-call") if is_call else (way,)
        self.note("robbing" if way == "robbed-kong" else "mah-jong", seat, self.tile or "")
        self.end(DealEnd(seat, won_by, self.tile, discarder))

    def end(self, ending: DealEnd) -> None:
        """End the deal."""
        if ending.winner is None:
            self.note("wash-out", self.turn)
        self.ending, self.stage, self.choices = ending, "over", {}

    def may_win(self, seat: str, ways: Codes, tile: str | None, *discard: str) -> bool:
        """Return whether a player may go out so; `discard` is not in the hand yet."""
        player = self.players[seat]
        waits_known = discard or self.source == "wall"
        if waits_known and tile not in self.waits_of(seat):
            return False
        if self.rules.is_on("fishing_must_be_declared") and not player.fishing:
            return ways[0] in ("heaven", "earth") and self._is_mah_jong(seat, ways, tile, *discard)
        return self._is_mah_jong(seat, ways, tile, *discard)

    def _is_mah_jong(self, seat: str, ways: Codes, tile: str | None, *discard: str) -> bool:
        player = self.players[seat]
        hand = player.to_hand(self._empty_hands[seat], *discard)
        call = ("original-call",) if player.original_call else ()
        won_by = ways if ways == ("heaven",) else (*ways, *call)
        return self.umpire.is_mah_jong(replace(hand, winner=True, won_by=won_by, winning_tile=tile))

    def waits_of(self, seat: str) -> frozenset[str]:
        """Return what completes the hand: without the tile just drawn, for the one who drew it."""
        player = self.players[seat]
        if player.waits is None:
            player.waits = self.umpire.find_waits(player.to_hand(self._empty_hands[seat]))
        return player.waits

    def note(self, kind: str, seat: str, *tiles: str) -> None:
        """Add to the log what happened."""
        self.log.append(Happening(rule_of(self.setup.ruleset, kind), kind, seat, tiles))
