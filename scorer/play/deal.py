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

from scorer.hand import NO_TILES, WILD_CODES, Codes, Hand, remove_tiles
from scorer.play import claims
from scorer.play.moves import DealEnd, Move, MoveKind, PlayError, Stage, TileSource, refuse
from scorer.play.player_state import PlayerState, TableSet
from scorer.play.refusals import MoveRefusal, explain_refusal
from scorer.play.rule_ids import Happening, rule_of
from scorer.play.setup import DealSetup, place_tiles
from scorer.play.umpire import list_fishing_discards, make_umpire
from scorer.ruleset import Ruleset
from scorer.table_setup.east import EXCHANGE_PAIRS, EXCHANGED_TILES
from scorer.tiles import BY_CODE, WINDS


class PracticeDeal:
    """The state of a deal. It changes by `play` alone."""

    def __init__(self, setup: DealSetup, rules: Ruleset, moves: Iterable[Move] = ()) -> None:
        start = place_tiles(setup, rules)
        self.setup = setup
        self.umpire = make_umpire(setup, rules)
        self.rules = self.umpire.rules
        self.seats = tuple(seat for seat in WINDS if seat in setup.seats)
        """In playing order from East."""
        self.players = {seat: PlayerState(start.hands[seat]) for seat in self.seats}
        self.players[setup.rack_seat].bonus.extend(start.bonus)
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
        self.choices: Mapping[str, tuple[Move, ...]] = {}
        """What each player may do now; of a swap only its kind. Empty when the deal is over."""
        self.moves: list[Move] = []
        self.log: list[Happening] = []
        """All that has happened, each with its rule."""
        self._replies: dict[str, Move] = {}
        self._tile_before_kong: str | None = None
        self._bonus_at_deal = False
        self._empty_hands = {seat: setup.make_hand(seat) for seat in self.seats}
        self._begin()
        for move in moves:
            self.play(move)

    # -- what players ask

    def play(self, move: Move) -> None:
        """Make a move; raise PlayError, in a player's words, when the rules do not allow it."""
        if not self._is_allowed(move):
            raise self._refuse(move)
        if move.fishing and not self.would_be_fishing(move):
            raise refuse("not-fishing")
        self.moves.append(move)
        if self.stage == "turn":
            _TURN_STEPS[move.kind](self, move)
        else:
            self._reply(move)

    def would_be_fishing(self, move: Move) -> bool:
        """Return whether the player is one tile short of Mah-Jong after a discard."""
        player = self.players[move.seat]
        if move.kind != "discard" or move.tiles[0] not in player.concealed:
            return False
        hand = player.to_hand(self._empty_hands[move.seat])
        rest = remove_tiles(hand.concealed, move.tiles)
        return bool(self.umpire.find_waits(replace(hand, concealed=rest)))

    def hand_of(self, seat: str) -> Hand:
        """Return a player's hand; when the deal is over, with how it was won."""
        player, empty = self.players[seat], self._empty_hands[seat]
        end = self.ending
        if end is None or end.winner is None:
            return player.to_hand(empty)
        if seat != end.winner:
            return replace(player.to_hand(empty), original_call=player.original_call)
        return replace(player.to_hand(empty), winner=True, won_by=end.won_by, winning_tile=end.tile)

    def seats_after(self, seat: str) -> tuple[str, ...]:
        """Return the other seats in playing order, the next player first."""
        place = self.seats.index(seat)
        return self.seats[place + 1 :] + self.seats[:place]

    # -- the beginning

    def _begin(self) -> None:
        self._note("deal", "E")
        for seat in self.seats:
            self._lay_bonus_tiles(seat)
        if self.ending is None and self.setup.goulash:
            self._ask_for_swaps()
        elif self.ending is None:
            self._offer_turn()

    def _lay_bonus_tiles(self, seat: str) -> None:
        """Lay out the bonus tiles of a dealt hand and replace them (BMJA-P10)."""
        player = self.players[seat]
        for tile in [code for code in player.concealed if BY_CODE[code].is_bonus]:
            player.give(tile)
            player.bonus.append(tile)
            self._note("bonus", seat, tile)
            self._bonus_at_deal |= seat == "E"
            loose = self._take_loose_tile(seat)
            if loose is not None and seat == "E":
                self.tile = loose

    def _ask_for_swaps(self) -> None:
        """Ask for the next exchange of a goulash, or begin with East (BMJA-G02, G03)."""
        self._replies = {}
        while self.swaps < len(EXCHANGE_PAIRS):
            choices: dict[str, tuple[Move, ...]] = {}
            for pair in EXCHANGE_PAIRS[self.swaps]:
                if all(seat in self.players and not self.players[seat].keeps_hand for seat in pair):
                    for seat in pair:
                        choices[seat] = (Move(seat, "swap"), *self._ways_out_of_swap(seat))
            if choices:
                self.stage, self.choices = "swap", choices
                return
            self.swaps += 1
        self._offer_turn()

    def _ways_out_of_swap(self, seat: str) -> list[Move]:
        moves = []
        hand = self.hand_of(seat)
        if seat == "E":
            if self._may_win(seat, ("heaven",), self.tile):
                moves.append(Move(seat, "mah-jong"))
            is_fishing = next(list_fishing_discards(self.umpire, hand), None) is not None
        else:
            is_fishing = bool(self._waits_of(seat))
        if is_fishing:
            moves.append(Move(seat, "stand"))
        return moves

    def _exchange(self) -> None:
        for pair in EXCHANGE_PAIRS[self.swaps]:
            gifts = [self._replies.get(seat) for seat in pair]
            for seat, gift in zip(pair, gifts, strict=True):
                if gift and gift.kind == "stand":
                    player = self.players[seat]
                    player.keeps_hand = player.fishing = True
                    self._note("stand", seat)
            if not all(gift and gift.kind == "swap" for gift in gifts):
                continue
            for seat, gift in zip(pair, gifts, strict=True):
                self.players[seat].give(*gift.tiles if gift else ())
            for seat, gift in zip(pair, reversed(gifts), strict=True):
                self.players[seat].take(*gift.tiles if gift else ())
                self._note("swap", seat, *gift.tiles if gift else ())
        self.swaps += 1
        self._ask_for_swaps()

    # -- a turn

    def _offer_turn(self) -> None:
        """Ask the player whose turn it is, who has just taken a tile or claimed one."""
        seat, player = self.turn, self.players[self.turn]
        moves = [Move(seat, "discard", (code,)) for code in self._list_discards(player)]
        if self.source != "claim":
            if self._may_win(seat, (self._way_from_wall(),), self.tile):
                moves.insert(0, Move(seat, "mah-jong"))
            if not player.keeps_hand:
                moves += claims.list_concealed_kongs(seat, player, self.wild)
                moves += claims.list_added_kongs(seat, player, self.wild)
        self.stage, self.choices = "turn", {seat: tuple(moves)}

    def _list_discards(self, player: PlayerState) -> Iterable[str]:
        if not player.keeps_hand:
            return dict.fromkeys(player.concealed)
        if self.source == "deal":
            return list_fishing_discards(self.umpire, self.hand_of(self.turn))
        return (self.tile,) if self.tile else ()

    def _way_from_wall(self) -> str:
        """Return how a player wins who wins now with the tile just taken."""
        if self.discards == 0 and self.turn == "E" and not self.players["E"].sets:
            is_allowed = self.rules.is_on("heaven_after_bonus_tiles") or not self._bonus_at_deal
            return "heaven" if is_allowed else "loose"
        if self.source == "loose":
            return "kong-of-kong" if self.kongs_in_turn > 1 else "loose"
        return "wall" if self.live else "last-tile"

    def _discard(self, move: Move) -> None:
        seat, tile = move.seat, move.tiles[0]
        player = self.players[seat]
        waits = player.waits if tile == self.tile else None
        player.give(tile)
        is_altered = tile != self.tile or self.source == "claim" or self.kongs_in_turn > 0
        if is_altered:
            player.original_call = False
            player.fishing = player.fishing and player.keeps_hand
        elif waits is not None:
            player.waits = waits
        if move.fishing:
            player.fishing = True
            player.original_call |= not player.has_discarded
            self._note("original-call" if player.original_call else "fishing", seat)
        player.has_discarded = True
        player.discards.append(tile)
        self._note("discard", seat, tile)
        self.discards += 1
        self.tile = tile
        self._offer_claims()

    def _declare_concealed_kong(self, move: Move) -> None:
        player = self.players[move.seat]
        player.give(*move.tiles)
        player.sets.append(TableSet(move.tiles, concealed=True))
        self._note("concealed-kong", move.seat, *move.tiles)
        self._replace_kong_tile(move.tiles)

    def _add_to_pung(self, move: Move) -> None:
        """Make a pung a kong, which others may rob before the loose tile is taken (BMJA-K08)."""
        seat, tile = move.seat, move.tiles[0]
        player = self.players[seat]
        place = claims.find_pung(player, tile, self.wild)
        if place is None:  # the move was allowed, so there is one
            raise self._refuse(move)
        player.give(tile)
        player.sets[place] = player.sets[place].add_fourth(tile)
        self._note("added-kong", seat, tile)
        self._tile_before_kong, self.tile = self.tile, tile
        robbers = {
            other: (Move(other, "mah-jong"), Move(other, "pass"))
            for other in self.seats_after(seat)
            if self.rules.has_robbing and self._may_win(other, ("robbed-kong",), tile, tile)
        }
        self._replies = {}
        if robbers:
            self.stage, self.choices = "robbing", robbers
        else:
            self._finish_added_kong()

    def _finish_added_kong(self) -> None:
        tile_of_kong, self.tile = self.tile, self._tile_before_kong
        self._replace_kong_tile((tile_of_kong or "",))

    def _replace_kong_tile(self, tiles: Codes) -> None:
        """Take the loose tile for a kong of the player whose turn it is (BMJA-P16)."""
        is_second = self.source == "loose" and self.kongs_in_turn > 0 and self.tile in tiles
        self.kongs_in_turn = self.kongs_in_turn + 1 if is_second else 1
        self.players[self.turn].original_call = False
        self._continue_with_loose_tile()

    def _continue_with_loose_tile(self) -> None:
        self.source, self.tile = "loose", self._take_loose_tile(self.turn)
        if self.ending is None:
            self._offer_turn()

    def _take_loose_tile(self, seat: str) -> str | None:
        """Take a loose tile, and another for each bonus tile; None after a wash-out (BMJA-P18)."""
        player = self.players[seat]
        while self.ending is None:
            if not self.box:
                self._end(DealEnd(None))
                break
            tile = self.box.pop()
            self._note("loose", seat, tile)
            if not BY_CODE[tile].is_bonus:
                player.take(tile)
                return tile
            player.bonus.append(tile)
            self._note("bonus-in-play", seat, tile)
        return None

    def _next_turn(self) -> None:
        """Let the next player draw, if a tile is left in the live wall."""
        self.turn = self.seats_after(self.turn)[0]
        self.kongs_in_turn = 0
        if not self.live:
            self._end(DealEnd(None))
            return
        tile = self.live.pop()
        player = self.players[self.turn]
        if BY_CODE[tile].is_bonus:
            player.bonus.append(tile)
            self._note("draw", self.turn, tile)
            self._note("bonus-in-play", self.turn, tile)
            self._continue_with_loose_tile()
            return
        waits = self._waits_of(self.turn)
        player.take(tile)
        player.waits = waits  # still of the hand without this tile
        self._note("draw", self.turn, tile)
        self.source, self.tile = "wall", tile
        self._offer_turn()

    # -- claims

    def _offer_claims(self) -> None:
        """Ask everybody who can claim the discard; the last one only for Mah-Jong (BMJA-D13)."""
        choices: dict[str, tuple[Move, ...]] = {}
        next_seats = self.seats_after(self.turn)
        for seat in next_seats:
            moves = self._list_claims(seat, is_next=seat == next_seats[0])
            if moves:
                choices[seat] = (*moves, Move(seat, "pass"))
        self._replies = {}
        if choices:
            self.stage, self.choices = "claims", choices
        else:
            self._next_turn()

    def _list_claims(self, seat: str, *, is_next: bool) -> list[Move]:
        player, tile = self.players[seat], self.tile or ""
        moves = []
        if self._may_win(seat, (self._way_from_discard(seat),), tile, tile):
            moves.append(Move(seat, "mah-jong"))
        if self.live and not player.keeps_hand:
            moves += claims.list_equal_sets(seat, player, tile, self.wild)
            if is_next and self._may_claim_chow(player):
                moves += claims.list_chows(seat, player, tile)
        return moves

    def _may_claim_chow(self, player: PlayerState) -> bool:
        max_chows = max(self.umpire.max_chows, self.rules.chows_in_specials)
        return self.rules.chow_claims and player.count_chows() < max_chows

    def _way_from_discard(self, seat: str) -> str:
        if self.discards == 1 and self.turn == "E" and seat != "E":
            return "earth"
        return "discard" if self.live else "last-discard"

    def _reply(self, move: Move) -> None:
        self._replies[move.seat] = move
        self.choices = {seat: each for seat, each in self.choices.items() if seat != move.seat}
        if move.kind == "mah-jong" and self.stage == "swap":
            self._win(move.seat, "heaven")
        elif not self.choices:
            _ANSWERS[self.stage](self)

    def _settle_claims(self) -> None:
        """Give the discard to the claim that goes first (BMJA-P14), or go on."""
        replies = [
            self._replies[seat] for seat in self.seats_after(self.turn) if seat in self._replies
        ]
        for kinds in (("mah-jong",), ("pung", "kong"), ("chow",)):
            for move in replies:
                if move.kind in kinds:
                    self._claim(move)
                    return
        self._next_turn()

    def _claim(self, move: Move) -> None:
        discarder, tile = self.turn, self.tile or ""
        way = self._way_from_discard(move.seat)
        self.players[discarder].discards.pop()
        self.turn = move.seat
        player = self.players[move.seat]
        if move.kind == "mah-jong":
            player.take(tile)
            self._win(move.seat, way, discarder)
            return
        player.give(*move.tiles)
        player.sets.append(TableSet((*move.tiles, tile), claimed_tile=tile, discarder=discarder))
        player.original_call = False
        self._note(move.kind, move.seat, *move.tiles, tile)
        self.source, self.kongs_in_turn = "claim", 0
        if move.kind == "kong":
            self._replace_kong_tile((tile,))
        else:
            self._offer_turn()

    def _settle_robbing(self) -> None:
        """Give the added tile to the next player who goes Mah-Jong with it (BMJA-K08)."""
        for seat in self.seats_after(self.turn):
            move = self._replies.get(seat)
            if move and move.kind == "mah-jong":
                owner, tile = self.players[self.turn], self.tile or ""
                place = next(i for i, each in enumerate(owner.sets) if _was_added(each, tile))
                owner.sets[place] = replace(owner.sets[place], tiles=owner.sets[place].tiles[:-1])
                self.players[seat].take(tile)
                self._win(seat, "robbed-kong", self.turn)
                return
        self._finish_added_kong()

    # -- the end

    def _declare_mah_jong(self, move: Move) -> None:
        self._win(move.seat, self._way_from_wall())

    def _win(self, seat: str, way: str, discarder: str | None = None) -> None:
        is_call = self.players[seat].original_call and way != "heaven"
        won_by = (way, "original-call") if is_call else (way,)
        self._note("robbing" if way == "robbed-kong" else "mah-jong", seat, self.tile or "")
        self._end(DealEnd(seat, won_by, self.tile, discarder))

    def _end(self, ending: DealEnd) -> None:
        if ending.winner is None:
            self._note("wash-out", self.turn)
        self.ending, self.stage, self.choices = ending, "over", {}

    def _may_win(self, seat: str, ways: Codes, tile: str | None, *discard: str) -> bool:
        """Return whether a player may go Mah-Jong so; `discard` is not in the hand yet."""
        player = self.players[seat]
        waits_known = discard or self.source == "wall"
        if waits_known and tile not in self._waits_of(seat):
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

    def _waits_of(self, seat: str) -> frozenset[str]:
        """Return what completes the hand: without the tile just drawn, for the one who drew it."""
        player = self.players[seat]
        if player.waits is None:
            player.waits = self.umpire.find_waits(player.to_hand(self._empty_hands[seat]))
        return player.waits

    # -- small helpers

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
        refusal = MoveRefusal(
            move, self.stage, self.choices, player, self.turn, self.tile or "", hand, self.umpire
        )
        return explain_refusal(refusal)

    def _note(self, kind: str, seat: str, *tiles: str) -> None:
        self.log.append(Happening(rule_of(self.setup.ruleset, kind), kind, seat, tiles))


def _was_added(table_set: TableSet, tile: str) -> bool:
    return table_set.kind == "kong" and not table_set.concealed and table_set.tiles[-1] == tile


_TURN_STEPS: Mapping[MoveKind, Callable[[PracticeDeal, Move], None]] = {
    "discard": PracticeDeal._discard,
    "concealed-kong": PracticeDeal._declare_concealed_kong,
    "added-kong": PracticeDeal._add_to_pung,
    "mah-jong": PracticeDeal._declare_mah_jong,
}

_ANSWERS: Mapping[Stage, Callable[[PracticeDeal], None]] = {
    "swap": PracticeDeal._exchange,
    "claims": PracticeDeal._settle_claims,
    "robbing": PracticeDeal._settle_robbing,
}
"""What follows when everybody who was asked has answered."""
