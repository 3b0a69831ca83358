"""The table of a practice deal, as the learner sees it, and what the learner may do now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from device.hands.record import HandRecord
from device.i18n.words import day_of, say, spoken, tile_name, wind_name
from device.tutoring.practice_deals import LiveDeal, PracticeDealRecord
from device.views.table.goulash import GoulashView, goulash_view
from scorer.hand import Codes
from scorer.play.coach import CoachChoice, advise, warn_after
from scorer.play.kongs import find_pung
from scorer.play.moves import DealEnd, Move, PlayError
from scorer.play.player_state import TableSet
from scorer.play.rule_ids import Happening
from scorer.play.setup import SMALL_GAME_SUITS, TABLE_KINDS, WHOLE_GAME_TILES, DealSetup
from scorer.play.view import OpenPlayer, View, make_view
from scorer.table_setup.east import EXCHANGED_TILES, list_exchanges
from scorer.tile_names import name_plural, name_tile, name_tiles
from scorer.tiles import BY_CODE, FACE_DOWN

_UNTOLD_KINDS = frozenset(
    {"deal", "bonus", "loose", "draw", "original-call", "swap", "mah-jong", "wash-out"}
)
"""What others see at once, or what the end of the deal says."""

_TAKES_OR_GIVES = frozenset({"discard", "chow", "pung", "kong", "mah-jong"})
"""What makes a tile the last discard, or takes it away."""

_WORD_KEYS = {
    "chow": "practice-deal.do.chow",
    "pung": "practice-deal.do.pung",
    "kong": "practice-deal.do.kong",
    "concealed-kong": "practice-deal.do.kong",
    "added-kong": "practice-deal.do.kong",
    "robbing": "practice-deal.do.mah-jong",
    "fishing": "practice-deal.fishing",
    "stand": "practice-deal.fishing",
}
"""The word for what somebody did, where the tiles alone do not say it."""

_PRIMARY_KINDS = frozenset({"discard", "mah-jong", "swap"})

_LABELLED_BY_TILE = frozenset({"concealed-kong", "added-kong"})


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A player at the table."""

    wind: str
    name: str
    concealed_count: int
    sets: tuple[Codes, ...]
    bonus: Codes
    discards: Codes
    is_turn: bool
    fishing: bool
    has_last_discard: bool
    """Whether the discard that was made last is the last of these."""


@dataclass(frozen=True, slots=True)
class RackTile:
    """A tile of the learner's rack, to be chosen."""

    code: str
    name: str
    value: str
    """What the form says of it."""
    is_chosen: bool
    is_new: bool = False
    """Whether it was taken just now."""


@dataclass(frozen=True, slots=True)
class RackSet:
    """A set of a photograph that lies on the table, to be chosen."""

    table_set: TableSet
    codes: Codes
    """The tiles as they lie."""
    value: str
    """What the form says of it."""
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PhotoRack:
    """The tiles of a photograph, to begin a deal with."""

    tiles: tuple[RackTile, ...]
    sets: tuple[RackSet, ...]
    unknown_count: int
    """The tiles that lie apart, or that the box does not know."""

    def to_setup(self, setup: DealSetup, seat: str) -> DealSetup:
        """Return a setup with what is chosen. With a tile more than others, one is East."""
        sets = [each.table_set for each in self.sets if each.is_chosen]
        setup = replace(
            setup,
            rack=tuple(each.code for each in self.tiles if each.is_chosen),
            rack_exposed=tuple(each.tiles for each in sets if not each.concealed),
            rack_kongs=tuple(each.tiles for each in sets if each.concealed),
        )
        is_east = setup.rack_size > WHOLE_GAME_TILES or seat not in setup.seats
        return replace(setup, rack_seat="E" if is_east else seat)


@dataclass(frozen=True, slots=True)
class ActionView:
    """One thing that the learner may do now."""

    move: Move
    label: str
    codes: Codes
    """The tiles to show on its button."""
    is_primary: bool


@dataclass(frozen=True, slots=True)
class NewsView:
    """One thing that has happened."""

    name: str
    """Who did it; empty for the learner."""
    word: str
    """What it was, if more than a discard; without tiles and a word, only the rack shows it."""
    codes: Codes
    sentence: str


@dataclass(frozen=True, slots=True)
class AdviceView:
    """One choice of the coach."""

    codes: Codes
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal to go on with."""

    id: str
    title: str
    date: str


@dataclass(frozen=True, slots=True)
class PlayView:
    """The page of a practice deal."""

    opponents: tuple[OpenSeat, ...]
    """In playing order, the next player first."""
    me: OpenSeat
    rack: tuple[RackTile, ...]
    asks: str
    """What is asked of the learner, or how the deal ended."""
    claimable: str
    """The code of the tile that the learner may claim; empty for none."""
    actions: tuple[ActionView, ...]
    news: tuple[NewsView, ...]
    """What has happened since the learner's last move."""
    wall_count: int
    advice: tuple[AdviceView, ...]
    """The coach's choices; empty unless asked."""
    warning: str
    """What the last move gave away; empty for nothing worth a word."""
    rack_input: Literal["radio", "checkbox", ""]
    """How many tiles the learner may choose: one to discard, several to swap, or none."""
    is_over: bool
    goulash: GoulashView | None
    """What is different; None in an ordinary deal."""


def play_view(
    live: LiveDeal, places: Collection[str] = (), *, with_advice: bool = False
) -> PlayView:
    """Return what the page shows; `places` are those of the tiles that were tapped."""
    deal, view = live.deal, make_view(live.deal, live.record.seat, with_log=True)
    kinds = {move.kind for move in view.moves}
    news_log = view.log[live.news_start :]
    rack = tuple(_list_rack(view, places, news_log))
    picks = tuple(each.code for each in rack if each.is_chosen)
    last_discarder = _find_last_discarder(view.log)
    return PlayView(
        opponents=tuple(_seat_view(each, view, last_discarder) for each in view.opponents),
        me=_seat_view(view.me, view, last_discarder),
        rack=rack,
        asks=_say_question(live, view, picks),
        claimable=view.tile or "" if "pass" in kinds else "",
        actions=tuple(_list_actions(live, view, picks)),
        news=tuple(_list_news(news_log, view.seat)),
        wall_count=view.live_count,
        advice=tuple(map(_say_choice, advise(view))) if with_advice and live.record.coach else (),
        warning=_warn(live),
        rack_input="radio" if "discard" in kinds else "checkbox" if "swap" in kinds else "",
        is_over=view.ending is not None,
        goulash=goulash_view(deal.rules, {seat: wind_name(seat) for seat in deal.seats})
        if view.goulash
        else None,
    )


def name_learner(record: PracticeDealRecord) -> dict[str, str]:
    """Return the learner's name and wind, by seat; nothing where nobody has said a name."""
    name, seat = record.start.name, record.seat
    return {seat: say("practice-deal.learner", name=name, wind=wind_name(seat))} if name else {}


def say_ending(ending: DealEnd, learner: str) -> str:
    """Return how a deal ended, in one sentence."""
    if ending.winner is None:
        return say("practice-deal.ended.nobody")
    if ending.winner == learner:
        return say("practice-deal.ended.me")
    wind, discarder, tile = wind_name(ending.winner), ending.discarder, ending.tile
    if discarder is None or tile is None:
        return say("practice-deal.ended.other", wind=wind)
    key = "on-yours" if discarder == learner else "on-another"
    owner = wind_name(discarder)
    return say(f"practice-deal.ended.{key}", wind=wind, owner=owner, tile=tile_name(tile))


def _seat_view(player: OpenPlayer, view: View, last_discarder: str) -> OpenSeat:
    return OpenSeat(
        wind=player.seat,
        name=wind_name(player.seat),
        concealed_count=player.concealed_count,
        sets=tuple(_lay(each) for each in player.sets),
        bonus=player.bonus,
        discards=player.discards,
        is_turn=view.turn == player.seat and view.ending is None,
        fishing=player.fishing,
        has_last_discard=player.seat == last_discarder,
    )


def _find_last_discarder(log: Sequence[Happening]) -> str:
    """Return who discarded last; empty once the tile was claimed."""
    last = next((each for each in reversed(log) if each.kind in _TAKES_OR_GIVES), None)
    return last.seat if last and last.kind == "discard" else ""


def _lay(table_set: TableSet) -> Codes:
    """Return a set as it lies: both ends of a concealed kong face down."""
    if not table_set.concealed:
        return tuple(sort_tiles(table_set.tiles))
    return (FACE_DOWN, *table_set.tiles[1:3], FACE_DOWN)


def _list_rack(
    view: View, places: Collection[str], news: Iterable[Happening]
) -> Iterator[RackTile]:
    """Yield the learner's tiles in order; what was taken just now is marked."""
    my_news = [each for each in news if each.seat == view.seat]
    new_tiles = [code for each in my_news if each.kind == "swap" for code in each.tiles]
    has_drawn = not new_tiles or any(each.kind in ("draw", "loose") for each in my_news)
    if has_drawn and view.tile and view.turn == view.seat and view.stage == "turn":
        new_tiles.append(view.tile)
    for place, code in enumerate(sort_tiles(view.concealed)):
        is_new = code in new_tiles
        if is_new:
            new_tiles.remove(code)
        yield RackTile(code, tile_name(code), str(place), str(place) in places, is_new)


def find_photo_rack(record: HandRecord, chosen_values: Collection[str] | None) -> PhotoRack:
    """Return the tiles of a hand as it lies; all are chosen unless a form has said which.

    What lies exposed and is no set, such as the pair of a winner, goes into the rack.
    """
    tiles: list[RackTile] = []
    sets: list[RackSet] = []
    for group in record.assembled_hand.sets:
        values = list(map(str, group.tiles))
        picks = [chosen_values is None or value in chosen_values for value in values]
        if group.kind in TABLE_KINDS and (group.row == "exposed" or group.is_declared_kong):
            table_set = TableSet(group.codes, concealed=group.row != "exposed")
            sets.append(RackSet(table_set, _lay(table_set), values[0], picks[0]))
        else:
            tiles += [
                RackTile(code, tile_name(code), value, is_chosen)
                for code, value, is_chosen in zip(group.codes, values, picks, strict=True)
                if code in BY_CODE
            ]
    order = list(BY_CODE)
    tiles.sort(key=lambda tile: order.index(tile.code))
    tile_count = sum(tile.code is not None for tile in record.tiles)
    unknown_count = tile_count - len(tiles) - sum(len(each.codes) for each in sets)
    return PhotoRack(tuple(tiles), tuple(sets), unknown_count)


def list_open_deals(deals: Iterable[PracticeDealRecord]) -> Iterator[DealLine]:
    """Yield the deals to go on with, without those of another version of the box."""
    for deal in deals:
        if not deal.is_over:
            with suppress(PlayError):
                setup = deal.setup
                if setup.hand_size in (WHOLE_GAME_TILES, *SMALL_GAME_SUITS):
                    key = f"practice-deal.game.{setup.hand_size}"
                    title = say("table.goulash" if setup.goulash else key)
                    yield DealLine(deal.id, title, day_of(deal.begun_at))


def sort_tiles(codes: Iterable[str]) -> list[str]:
    """Return tiles in the order of a rack."""
    return sorted(codes, key=list(BY_CODE).index)


def _say_question(live: LiveDeal, view: View, picks: Codes) -> str:
    if view.ending:
        return say_ending(view.ending, view.seat)
    if view.stage == "swap":
        if len(picks) > EXCHANGED_TILES:
            return say("practice-deal.ask.swap-many")
        partners = [
            pair.replace(view.seat, "")
            for exchange in list_exchanges(live.deal.seats)[: live.deal.swaps + 1]
            for pair in exchange
            if view.seat in pair
        ]
        wind = wind_name(partners[-1])
        return say("practice-deal.ask.swap", number=len(partners), wind=wind)
    return say(f"practice-deal.ask.{'discard' if view.stage == 'turn' else 'claim'}")


def _list_actions(live: LiveDeal, view: View, picks: Codes) -> Iterator[ActionView]:
    """Yield what may be done now, with the tiles that are chosen."""
    for move in view.moves:
        if move.kind == "swap":
            if len(picks) == EXCHANGED_TILES:
                yield _make_action(replace(move, tiles=picks), view)
        elif move.kind != "discard":
            yield _make_action(move, view)
        elif move.tiles == picks:
            yield _make_action(move, view)
            if not view.me.fishing and live.deal.would_be_fishing(move):
                label = say("practice-deal.do.discard-fishing")
                yield ActionView(replace(move, fishing=True), label, (), is_primary=False)


def _make_action(move: Move, view: View) -> ActionView:
    values, tiles = {}, move.tiles
    if move.kind == "discard":
        values = {"tile": name_tile(tiles[0])}
    elif move.kind in _LABELLED_BY_TILE:
        wild = view.hand.wild_codes
        pung = find_pung(view.me.sets, tiles[0], wild) if move.kind == "added-kong" else None
        tiles = (*pung.tiles, *tiles) if pung else tiles
        values = {"tiles": name_plural(next(code for code in tiles if code not in wild))}
    codes: Iterable[str] = ()
    if move.kind == "chow" or (view.goulash and move.kind not in ("discard", "swap")):
        discard = (view.tile or "",) if view.stage == "claims" else ()
        codes = sort_tiles((*tiles, *discard)) if tiles else ()
    label = say(f"practice-deal.do.{move.kind}", **values)
    return ActionView(move, label, tuple(codes), move.kind in _PRIMARY_KINDS)


def _list_news(log: Sequence[Happening], learner: str) -> Iterator[NewsView]:
    """Yield what the others did since the learner's move, and what the learner drew."""
    for happening in log:
        kind, codes = happening.kind, happening.tiles
        tile = name_tile(codes[0]) if codes else ""
        if kind == "stop":
            sentence = say("practice-deal.told.stop")
            yield NewsView("", sentence, (), sentence)
        elif happening.seat == learner:
            if kind in ("draw", "loose"):
                yield NewsView("", "", (), say("practice-deal.told.my-draw", tile=tile))
            elif kind == "swap":
                tiles, word = tuple(sort_tiles(codes)), say("practice-deal.received")
                sentence = say("practice-deal.told.my-swap", tiles=name_tiles(tiles))
                yield NewsView("", word, tiles, sentence)
        elif kind not in _UNTOLD_KINDS:
            name = wind_name(happening.seat)
            sentence = say(f"practice-deal.told.{kind}", wind=name, tile=tile)
            word = say(_WORD_KEYS[kind]) if kind in _WORD_KEYS else ""
            yield NewsView(name, word, codes, sentence)


def _say_choice(choice: CoachChoice) -> AdviceView:
    return AdviceView(choice.move.tiles, tuple(map(spoken, choice.reasons)))


def _warn(live: LiveDeal) -> str:
    """Return what the last move gave away, once: not of a move made again after taking it back."""
    move, record = live.last_move, live.record
    if move is None or live.view_before is None or not record.coach:
        return ""
    if move.to_json() in record.withdrawn_moves:
        return ""
    warning = warn_after(live.view_before, move)
    return spoken(warning) if warning else ""
