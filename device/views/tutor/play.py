"""The table of a practice deal, as the learner sees it, and what the learner may do now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from device.i18n.words import say, spoken, tile_name, wind_name
from device.tutoring.practice_deals import LiveDeal
from scorer.hand import Codes
from scorer.play.coach import CoachChoice, advise, warn_after
from scorer.play.moves import DealEnd, Move
from scorer.play.player_state import TableSet
from scorer.play.rule_ids import Happening
from scorer.play.view import OpenPlayer, View, make_view
from scorer.tile_names import name_plural, name_tile
from scorer.tiles import BY_CODE, FACE_DOWN

_UNTOLD_KINDS = frozenset({"deal", "bonus", "loose", "draw", "original-call"})
"""What is not worth a word when others do it."""

_TAKES_OR_GIVES = frozenset({"discard", "chow", "pung", "kong", "mah-jong"})
"""What makes a tile the last discard, or takes it away."""

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
    """A tile of the learner's rack."""

    code: str
    name: str
    is_new: bool
    """Whether it was taken just now."""


@dataclass(frozen=True, slots=True)
class ActionView:
    """One thing that the learner may do now."""

    move: Move
    label: str
    codes: Codes
    """The tiles to show on its button."""
    primary: bool


@dataclass(frozen=True, slots=True)
class PlayView:
    """The page of a practice deal."""

    opponents: tuple[OpenSeat, ...]
    """In playing order, the next player first."""
    me: OpenSeat
    rack: tuple[RackTile, ...]
    choice: str
    """The code of the tile to discard; empty for none."""
    asks: str
    """What is asked of the learner, or how the deal ended."""
    actions: tuple[ActionView, ...]
    news: tuple[str, ...]
    """What has happened since the learner's last move."""
    wall_count: int
    advice: tuple[tuple[str, ...], ...]
    """The coach's choices, each as its sentences; empty unless asked."""
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
        rack=tuple(_rack(view)),
        choice=tile if discards else "",
        asks=_say_question(view, may_discard=may_discard),
        actions=tuple(_list_actions(live, view, discards)),
        news=tuple(_tell(news_log, view.seat)),
        wall_count=view.live_count,
        advice=tuple(_say_choice(each) for each in advise(view)) if with_advice else (),
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
        return table_set.tiles
    return (FACE_DOWN, *table_set.tiles[1:3], FACE_DOWN)


def _rack(view: View) -> Iterator[RackTile]:
    """Yield the learner's tiles in order; the one just taken is marked."""
    order = list(BY_CODE)
    new = view.tile if view.turn == view.seat and view.stage == "turn" else None
    for code in sorted(view.concealed, key=order.index):
        is_new = code == new
        if is_new:
            new = None
        yield RackTile(code, tile_name(code), is_new)


def _say_question(view: View, *, may_discard: bool) -> str:
    if view.ending:
        return say_ending(view.ending, view.seat)
    if may_discard:
        return say("practice-deal.ask.discard")
    return say(
        "practice-deal.ask.claim", wind=wind_name(view.turn), tile=tile_name(view.tile or "")
    )


def _list_actions(live: LiveDeal, view: View, discards: Sequence[Move]) -> Iterator[ActionView]:
    for move in view.moves:
        if move.kind != "discard":
            yield _action(move, view)
    for move in discards:
        yield _action(move, view, primary=True)
        if not view.me.fishing and live.deal.would_be_fishing(move):
            label = say("practice-deal.do.discard-fishing", tile=tile_name(move.tiles[0]))
            announcement = Move(move.seat, move.kind, move.tiles, fishing=True)
            yield ActionView(announcement, label, (), primary=False)


def _action(move: Move, view: View, *, primary: bool = False) -> ActionView:
    values = {}
    if move.kind == "discard":
        values = {"tile": name_tile(move.tiles[0])}
    elif move.kind in _LABELLED_BY_TILE:
        values = {"tiles": name_plural(move.tiles[0])}
    is_claim = move.kind in ("chow", "pung", "kong")
    codes = (*move.tiles, view.tile or "") if is_claim else ()
    label = say(f"practice-deal.do.{move.kind}", **values)
    return ActionView(move, label, tuple(sorted(codes)), primary=primary or move.kind == "mah-jong")


def _tell(log: Sequence[Happening], learner: str) -> Iterator[str]:
    """Yield what the others did since the learner's move, and what the learner drew."""
    for happening in log:
        tile = name_tile(happening.tiles[0]) if happening.tiles else ""
        if happening.seat == learner:
            if happening.kind in ("draw", "loose"):
                yield say("practice-deal.told.my-draw", tile=tile)
        elif happening.kind not in _UNTOLD_KINDS:
            yield say(
                f"practice-deal.told.{happening.kind}", wind=wind_name(happening.seat), tile=tile
            )


def _say_choice(choice: CoachChoice) -> tuple[str, ...]:
    return tuple(map(spoken, choice.reasons))


def _warn(live: LiveDeal) -> str:
    """Return what the last move gave away, once: not of a move made again after taking it back."""
    move, record = live.last_move, live.record
    if move is None or live.view_before is None or not record.coach:
        return ""
    if move.to_json() in record.withdrawn_moves:
        return ""
    warning = warn_after(live.view_before, move)
    return spoken(warning) if warning else ""
