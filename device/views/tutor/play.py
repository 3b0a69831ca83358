"""The table of a practice deal, as the learner sees it, and what the learner may do now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from device.hands.record import HandRecord
from device.i18n.words import day_of, say, spoken, tile_name, wind_name
from device.tutoring.practice_deals import LiveDeal, PracticeDealRecord
from scorer.hand import Codes
from scorer.play.coach import CoachChoice, advise, warn_after
from scorer.play.moves import DealEnd, Move, PlayError
from scorer.play.player_state import TableSet
from scorer.play.rule_ids import Happening
from scorer.play.setup import SMALL_GAME_SUITS, WHOLE_GAME_TILES
from scorer.play.view import OpenPlayer, View, make_view
from scorer.tile_names import name_plural, name_tile
from scorer.tiles import BY_CODE, FACE_DOWN

_UNTOLD_KINDS = frozenset(
    {"deal", "bonus", "loose", "draw", "original-call", "swap", "stand", "mah-jong", "wash-out"}
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
}
"""The word for what somebody did, where the tiles alone do not say it."""

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
    """Who did it; empty for the learner, whose rack shows it."""
    word: str
    """What it was, if more than a discard."""
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
    hand_size: int
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
    may_discard: bool
    is_over: bool


def play_view(live: LiveDeal, tile: str = "", *, with_advice: bool = False) -> PlayView:
    """Return what the page shows; `tile` is the code of the one that was tapped."""
    view = make_view(live.deal, live.record.seat, with_log=True)
    may_discard = any(move.kind == "discard" for move in view.moves)
    discards = [move for move in view.moves if move.kind == "discard" and tile in move.tiles]
    news_log = view.log[live.news_start :]
    last_discarder = _find_last_discarder(view.log)
    return PlayView(
        opponents=tuple(_seat_view(each, view, last_discarder) for each in view.opponents),
        me=_seat_view(view.me, view, last_discarder),
        rack=tuple(_list_rack(view, tile if discards else "")),
        asks=_say_question(view, may_discard=may_discard),
        claimable=view.tile or "" if view.moves and not may_discard else "",
        actions=tuple(_list_actions(live, view, discards)),
        news=tuple(_list_news(news_log, view.seat)),
        wall_count=view.live_count,
        advice=tuple(map(_say_choice, advise(view))) if with_advice else (),
        warning=_warn(live),
        may_discard=may_discard,
        is_over=view.ending is not None,
    )


def say_ending(ending: DealEnd, learner: str) -> str:
    """Return how a deal ended, in one sentence."""
    if ending.winner is None:
        return say("practice-deal.ended.nobody")
    if ending.winner == learner:
        return say("practice-deal.ended.me")
    return say("practice-deal.ended.other", wind=wind_name(ending.winner))


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


def _list_rack(view: View, choice: str) -> Iterator[RackTile]:
    """Yield the learner's tiles in order; the one just taken is marked."""
    new = view.tile if view.turn == view.seat and view.stage == "turn" else None
    codes = sort_tiles(view.concealed)
    new_place = codes.index(new) if new in codes else -1
    for place, code in enumerate(codes):
        is_chosen = code == choice and place == codes.index(code)
        yield RackTile(code, tile_name(code), code, is_chosen, place == new_place)


def list_photo_tiles(record: HandRecord, chosen_values: Collection[str] | None) -> list[RackTile]:
    """Return the tiles of a hand as it lies; all are chosen unless a form has said which."""
    places = [place for laid in record.assembled_hand.sets for place in laid.tiles]
    tiles = [(str(place), record.tiles[place].code) for place in places]
    order = list(BY_CODE)
    known_tiles = [(value, code) for value, code in tiles if code in BY_CODE]
    return [
        RackTile(code, tile_name(code), value, chosen_values is None or value in chosen_values)
        for value, code in sorted(known_tiles, key=lambda tile: order.index(tile[1]))
    ]


def list_open_deals(deals: Iterable[PracticeDealRecord]) -> Iterator[DealLine]:
    """Yield the deals to go on with, without those of another version of the box."""
    for deal in deals:
        if not deal.is_over:
            with suppress(PlayError):
                hand_size = deal.setup.hand_size
                if hand_size in (WHOLE_GAME_TILES, *SMALL_GAME_SUITS):
                    yield DealLine(deal.id, hand_size, day_of(deal.begun_at))


def sort_tiles(codes: Iterable[str]) -> list[str]:
    """Return tiles in the order of a rack."""
    return sorted(codes, key=list(BY_CODE).index)


def _say_question(view: View, *, may_discard: bool) -> str:
    if view.ending:
        return say_ending(view.ending, view.seat)
    if may_discard:
        return say("practice-deal.ask.discard")
    return say(
        "practice-deal.ask.claim", wind=wind_name(view.turn), tile=tile_name(view.tile or "")
    )


def _list_actions(live: LiveDeal, view: View, discards: Sequence[Move]) -> Iterator[ActionView]:
    for move in discards:
        yield _make_action(move, view)
        if not view.me.fishing and live.deal.would_be_fishing(move):
            label = say("practice-deal.do.discard-fishing")
            yield ActionView(replace(move, fishing=True), label, (), is_primary=False)
    for move in view.moves:
        if move.kind != "discard":
            yield _make_action(move, view)


def _make_action(move: Move, view: View) -> ActionView:
    values = {}
    if move.kind == "discard":
        values = {"tile": name_tile(move.tiles[0])}
    elif move.kind in _LABELLED_BY_TILE:
        values = {"tiles": name_plural(move.tiles[0])}
    codes = sort_tiles((*move.tiles, view.tile or "")) if move.kind == "chow" else ()
    label = say(f"practice-deal.do.{move.kind}", **values)
    return ActionView(move, label, tuple(codes), move.kind in ("discard", "mah-jong"))


def _list_news(log: Sequence[Happening], learner: str) -> Iterator[NewsView]:
    """Yield what the others did since the learner's move, and what the learner drew."""
    for happening in log:
        kind, codes = happening.kind, happening.tiles
        tile = name_tile(codes[0]) if codes else ""
        if happening.seat == learner:
            if kind in ("draw", "loose"):
                yield NewsView("", "", (), say("practice-deal.told.my-draw", tile=tile))
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
