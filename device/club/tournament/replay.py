"""Build a tournament from its events, oldest first; each kind of event has one function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch

from device.club import ClubError
from device.club.tournament.schedule import MAX_ROUNDS, SEATS_PER_TABLE, find_seating_faults
from device.club.tournament.tournament import (
    Entrant,
    GivenResult,
    LengthChange,
    RoundClock,
    Tournament,
    TournamentRound,
    TournamentTables,
)
from device.host.machine import Uptime
from device.i18n.names import folded
from device.rulesets import is_ruleset_key
from device.store.errors import UnknownStreamError
from device.store.events import (
    DrawWithdrawn,
    EntrantRenamed,
    Envelope,
    Event,
    PlayerJoined,
    PlayerReplaced,
    PlayerReturned,
    PlayerWithdrawn,
    ResultGiven,
    RoundClockSet,
    RoundClosed,
    RoundDrawn,
    RoundPlayedAt,
    RoundsChanged,
    RoundsSeated,
    TablesChosen,
    TournamentBegun,
    TournamentEnded,
    TournamentEvent,
)
from device.store.projection import Projection
from scorer.message import message

MAX_PLAYERS = 240

MAX_ROUND_S = 24 * 3600
"""The longest time that a round's clock may show."""


class UnknownTournamentError(UnknownStreamError):
    """There is no tournament with that id."""


class TournamentRefusedError(ClubError, ValueError):
    """An action that the tournament does not allow."""

    def __init__(self, key: str, **values: str | int) -> None:
        """`key` is that of the sentence among `club.refused`; texts in it are players' own."""
        super().__init__(message(f"club.refused.{key}", **values))


def start_tournament(envelope: Envelope[Event]) -> Tournament:
    """Return the tournament that an event starts; raise TournamentRefusedError."""
    event = envelope.event
    if not isinstance(event, TournamentBegun):
        raise ValueError("a tournament begins with its players")
    if not SEATS_PER_TABLE <= len(event.players) <= MAX_PLAYERS:
        raise TournamentRefusedError("players", least=SEATS_PER_TABLE, most=MAX_PLAYERS)
    _check_length(event.rounds, event.minutes)
    _check_names(event.players)
    if len(event.places) != SEATS_PER_TABLE or list(event.places) != sorted(
        event.places, reverse=True
    ):
        raise TournamentRefusedError("places")
    return Tournament(
        id=envelope.stream.partition(":")[2],
        name=event.name,
        entrants=tuple(Entrant(n, name) for n, name in enumerate(event.players)),
        rounds=event.rounds,
        minutes=event.minutes,
        ranking=event.ranking,
        places=event.places,
        zero_sum=event.zero_sum,
        stand_ins=event.stand_ins,
        begun_at=envelope.at,
        version=envelope.seq,
    )


def _check_length(rounds: int, minutes: int) -> None:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise TournamentRefusedError("rounds", most=MAX_ROUNDS)
    if not 1 <= minutes * 60 <= MAX_ROUND_S:
        raise TournamentRefusedError("minutes", most=MAX_ROUND_S // 60)


def _check_names(names: Iterable[str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        if not name:
            raise TournamentRefusedError("nameless")
        if folded(name) in seen:
            raise TournamentRefusedError("twice", name=name)
        seen[folded(name)] = name


def apply(tournament: Tournament, envelope: Envelope[Event]) -> Tournament:
    """Return the tournament with one more event; raise ValueError if it does not fit."""
    if not isinstance(envelope.event, TournamentEvent):
        raise ValueError("nothing of the kind happens to a tournament")
    if tournament.ended and not isinstance(envelope.event, ResultGiven | EntrantRenamed):
        raise TournamentRefusedError("ended")
    return _apply_event(envelope.event, tournament, envelope)


_Saved = Envelope[Event]
"""An event as it stands in the log."""


@singledispatch
def _apply_event(event: TournamentEvent, now: Tournament, envelope: Envelope[Event]) -> Tournament:
    """Return the tournament with one more event; each kind of event has its own function."""
    raise ValueError("a tournament begins once")


@_apply_event.register
def _on_rounds_seated(event: RoundsSeated, now: Tournament, envelope: _Saved) -> Tournament:
    if len(event.rounds) != now.rounds - len(now.drawn):
        raise ValueError("those are not the rounds that are left")
    for wrong in find_seating_faults(event.rounds, now.present, stand_ins=now.stand_ins):
        raise ValueError(wrong)
    return replace(now, plan=event.rounds, is_seated=True)


@_apply_event.register
def _on_round_drawn(event: RoundDrawn, now: Tournament, envelope: _Saved) -> Tournament:
    if not now.next_round or event.number != now.next_round:
        raise TournamentRefusedError("not-next")
    if not now.is_seated:
        raise ValueError("nobody is seated")
    seats, *later = now.plan
    given = ((),) * len(seats.tables)
    drawn = TournamentRound(event.number, seats, given, drawn_by=envelope.seq)
    return replace(now, drawn=(*now.drawn, drawn), plan=tuple(later))


@_apply_event.register
def _on_draw_withdrawn(event: DrawWithdrawn, now: Tournament, envelope: _Saved) -> Tournament:
    found = _current_round(now, event.number)
    if any(found.given):
        raise TournamentRefusedError("has-results")
    fits = not list(find_seating_faults((found.seats,), now.present, stand_ins=now.stand_ins))
    plan = (found.seats, *now.plan)
    return replace(now, drawn=now.drawn[:-1], plan=plan, is_seated=now.is_seated and fits)


@_apply_event.register
def _on_round_clock_set(event: RoundClockSet, now: Tournament, envelope: _Saved) -> Tournament:
    found = _current_round(now, event.number)
    if not 0 <= event.seconds <= MAX_ROUND_S:
        raise TournamentRefusedError("minutes", most=MAX_ROUND_S // 60)
    since = Uptime(event.boot, event.up)
    clock = RoundClock(event.seconds, event.running, envelope.at, since)
    return _replace_round(now, replace(found, clock=clock))


@_apply_event.register
def _on_result_given(event: ResultGiven, now: Tournament, envelope: _Saved) -> Tournament:
    found = now.round(event.round)
    if found is None or not 1 <= event.table <= len(found.given):
        raise ValueError("there is no such table")
    before = found.given[event.table - 1]
    if event.seen != len(before):
        raise TournamentRefusedError("given-since")
    over = sum(list(event.points))
    if now.zero_sum and over and not event.match:  # a match's own totals need no check
        raise TournamentRefusedError("sum", sum=over)
    if found.closed and not event.why:
        raise TournamentRefusedError("no-reason")
    given = GivenResult(
        event.points, event.match, event.by, envelope.at, event.why, late=found.closed
    )
    at = event.table - 1
    every = (*found.given[:at], (*before, given), *found.given[at + 1 :])
    return _replace_round(now, replace(found, given=every))


@_apply_event.register
def _on_tables_chosen(event: TablesChosen, now: Tournament, envelope: _Saved) -> Tournament:
    chosen = [table for table in event.tables if table]
    if len(set(chosen)) < len(chosen):
        raise TournamentRefusedError("one-table-twice")
    if not is_ruleset_key(event.ruleset):
        raise ValueError("there are no such rules")
    at = TournamentTables(event.tables, event.ruleset, event.limit, event.house)
    return replace(now, played_at=at)


@_apply_event.register
def _on_round_played_at(event: RoundPlayedAt, now: Tournament, envelope: _Saved) -> Tournament:
    found = _current_round(now, event.number)
    tables = range(1, len(found.given) + 1)
    if len(event.matches) != len(tables):
        raise ValueError("there are more tables, or fewer")
    matches = (new or found.match(table) for table, new in zip(tables, event.matches, strict=True))
    return _replace_round(now, replace(found, matches=tuple(matches)))


@_apply_event.register
def _on_rounds_changed(event: RoundsChanged, now: Tournament, envelope: _Saved) -> Tournament:
    _check_length(event.rounds, event.minutes)
    if event.rounds < len(now.drawn):
        raise TournamentRefusedError("rounds-drawn", drawn=len(now.drawn))
    left = event.rounds - len(now.drawn)
    fits = now.is_seated and left <= len(now.plan)
    return replace(
        now,
        rounds=event.rounds,
        minutes=event.minutes,
        plan=now.plan[:left] if fits else now.plan,
        is_seated=fits,
        changes=(*now.changes, LengthChange(event.rounds, event.minutes, event.by, envelope.at)),
    )


@_apply_event.register
def _on_round_closed(event: RoundClosed, now: Tournament, envelope: _Saved) -> Tournament:
    found = _current_round(now, event.number)
    if found.missing:
        raise TournamentRefusedError("missing", tables=", ".join(map(str, found.missing)))
    return _replace_round(now, replace(found, closed=True))


@_apply_event.register
def _on_player_joined(event: PlayerJoined, now: Tournament, envelope: _Saved) -> Tournament:
    if len(now.entrants) >= MAX_PLAYERS:
        raise TournamentRefusedError("players", least=SEATS_PER_TABLE, most=MAX_PLAYERS)
    _check_names([*(each.name for each in now.entrants), event.name])
    come = Entrant(len(now.entrants), event.name, since=len(now.drawn) + 1)
    return replace(now, entrants=(*now.entrants, come), is_seated=False)


@_apply_event.register
def _on_player_withdrawn(event: PlayerWithdrawn, now: Tournament, envelope: _Saved) -> Tournament:
    found = _get_entrant(now, event.player)
    if not found.here:
        raise TournamentRefusedError("gone", name=found.name)
    if len(now.present) <= SEATS_PER_TABLE:
        raise TournamentRefusedError("players", least=SEATS_PER_TABLE, most=MAX_PLAYERS)
    gone = replace(found, here=False, left_after=len(now.drawn))
    return replace(_replace_entrant(now, gone), is_seated=False)


@_apply_event.register
def _on_player_returned(event: PlayerReturned, now: Tournament, envelope: _Saved) -> Tournament:
    found = _get_entrant(now, event.player)
    if found.here:
        raise ValueError("is here")
    return replace(_replace_entrant(now, replace(found, here=True)), is_seated=False)


@_apply_event.register
def _on_player_replaced(event: PlayerReplaced, now: Tournament, envelope: _Saved) -> Tournament:
    found = _get_entrant(now, event.player)
    _check_names([*(each.name for each in now.entrants), event.name])
    if event.since is not None and event.since not in now.substitute_rounds:
        raise TournamentRefusedError("not-next")
    since = event.since or min(now.substitute_rounds, default=len(now.drawn) + 1)
    were = (*found.were, (found.name, since - 1))
    return _replace_entrant(now, replace(found, name=event.name, were=were))


@_apply_event.register
def _on_entrant_renamed(event: EntrantRenamed, now: Tournament, envelope: _Saved) -> Tournament:
    found = _get_entrant(now, event.player)
    others = [each.name for each in now.entrants if each.number != event.player]
    _check_names([*others, event.name])
    return _replace_entrant(now, replace(found, name=event.name))


@_apply_event.register
def _on_tournament_ended(event: TournamentEnded, now: Tournament, envelope: _Saved) -> Tournament:
    if now.current:
        raise TournamentRefusedError("still-played")
    return replace(now, ended=True)


def _current_round(now: Tournament, number: int) -> TournamentRound:
    if now.current is None or now.current.number != number:
        raise TournamentRefusedError("not-played")
    return now.current


def _get_entrant(now: Tournament, player: int) -> Entrant:
    if not 0 <= player < len(now.entrants):
        raise ValueError("there is no such player")
    return now.entrants[player]


def _replace_round(now: Tournament, changed: TournamentRound) -> Tournament:
    at = changed.number - 1
    return replace(now, drawn=(*now.drawn[:at], changed, *now.drawn[at + 1 :]))


def _replace_entrant(now: Tournament, changed: Entrant) -> Tournament:
    at = changed.number
    return replace(now, entrants=(*now.entrants[:at], changed, *now.entrants[at + 1 :]))


def _finish(tournament: Tournament, events: Sequence[Envelope[Event]]) -> Tournament:
    return replace(tournament, version=events[-1].seq)


MAX_CACHED_TOURNAMENTS = 8

TOURNAMENTS = Projection(
    "tournament", start_tournament, apply, UnknownTournamentError, _finish, MAX_CACHED_TOURNAMENTS
)
"""Builds a tournament from its events."""
