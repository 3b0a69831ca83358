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
from device.i18n.names import fold_name
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
    names_by_key: dict[str, str] = {}
    for name in names:
        if not name:
            raise TournamentRefusedError("nameless")
        if fold_name(name) in names_by_key:
            raise TournamentRefusedError("twice", name=name)
        names_by_key[fold_name(name)] = name


def apply(tournament: Tournament, envelope: Envelope[Event]) -> Tournament:
    """Return the tournament with one more event; raise ValueError if it does not fit."""
    if not isinstance(envelope.event, TournamentEvent):
        raise ValueError("nothing of the kind happens to a tournament")
    if tournament.ended and not isinstance(envelope.event, ResultGiven | EntrantRenamed):
        raise TournamentRefusedError("ended")
    return _apply_event(envelope.event, tournament, envelope)


_SavedEvent = Envelope[Event]
"""An event as it stands in the log."""


@singledispatch
def _apply_event(
    event: TournamentEvent, tournament: Tournament, envelope: Envelope[Event]
) -> Tournament:
    """Return the tournament with one more event; each kind of event has its own function."""
    raise ValueError("a tournament begins once")


@_apply_event.register
def _on_rounds_seated(
    event: RoundsSeated, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    if len(event.rounds) != tournament.rounds - len(tournament.drawn):
        raise ValueError("those are not the rounds that are left")
    for wrong in find_seating_faults(
        event.rounds, tournament.present, stand_ins=tournament.stand_ins
    ):
        raise ValueError(wrong)
    return replace(tournament, plan=event.rounds, is_seated=True)


@_apply_event.register
def _on_round_drawn(event: RoundDrawn, tournament: Tournament, envelope: _SavedEvent) -> Tournament:
    if not tournament.next_round or event.number != tournament.next_round:
        raise TournamentRefusedError("not-next")
    if not tournament.is_seated:
        raise ValueError("nobody is seated")
    seats, *later = tournament.plan
    no_results = ((),) * len(seats.tables)
    new_round = TournamentRound(event.number, seats, no_results, drawn_by=envelope.seq)
    return replace(tournament, drawn=(*tournament.drawn, new_round), plan=tuple(later))


@_apply_event.register
def _on_draw_withdrawn(
    event: DrawWithdrawn, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    current = _current_round(tournament, event.number)
    if any(current.given):
        raise TournamentRefusedError("has-results")
    fits = not list(
        find_seating_faults((current.seats,), tournament.present, stand_ins=tournament.stand_ins)
    )
    plan = (current.seats, *tournament.plan)
    return replace(
        tournament, drawn=tournament.drawn[:-1], plan=plan, is_seated=tournament.is_seated and fits
    )


@_apply_event.register
def _on_round_clock_set(
    event: RoundClockSet, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    current = _current_round(tournament, event.number)
    if not 0 <= event.seconds <= MAX_ROUND_S:
        raise TournamentRefusedError("minutes", most=MAX_ROUND_S // 60)
    uptime = Uptime(event.boot, event.up)
    clock = RoundClock(event.seconds, event.running, envelope.at, uptime)
    return _replace_round(tournament, replace(current, clock=clock))


@_apply_event.register
def _on_result_given(
    event: ResultGiven, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    result_round = tournament.round(event.round)
    if result_round is None or not 1 <= event.table <= len(result_round.given):
        raise ValueError("there is no such table")
    before = result_round.given[event.table - 1]
    if event.seen != len(before):
        raise TournamentRefusedError("given-since")
    points_sum = sum(list(event.points))
    if tournament.zero_sum and points_sum and not event.match:  # a match's own totals need no check
        raise TournamentRefusedError("sum", sum=points_sum)
    if result_round.closed and not event.why:
        raise TournamentRefusedError("no-reason")
    new_result = GivenResult(
        event.points, event.match, event.by, envelope.at, event.why, late=result_round.closed
    )
    place = event.table - 1
    results = (*result_round.given[:place], (*before, new_result), *result_round.given[place + 1 :])
    return _replace_round(tournament, replace(result_round, given=results))


@_apply_event.register
def _on_tables_chosen(
    event: TablesChosen, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    chosen_tables = [table for table in event.tables if table]
    if len(set(chosen_tables)) < len(chosen_tables):
        raise TournamentRefusedError("one-table-twice")
    if not is_ruleset_key(event.ruleset):
        raise ValueError("there are no such rules")
    tables = TournamentTables(event.tables, event.ruleset, event.limit, event.house)
    return replace(tournament, played_at=tables)


@_apply_event.register
def _on_round_played_at(
    event: RoundPlayedAt, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    current = _current_round(tournament, event.number)
    tables = range(1, len(current.given) + 1)
    if len(event.matches) != len(tables):
        raise ValueError("there are more tables, or fewer")
    matches = (
        new or current.match(table) for table, new in zip(tables, event.matches, strict=True)
    )
    return _replace_round(tournament, replace(current, matches=tuple(matches)))


@_apply_event.register
def _on_rounds_changed(
    event: RoundsChanged, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    _check_length(event.rounds, event.minutes)
    if event.rounds < len(tournament.drawn):
        raise TournamentRefusedError("rounds-drawn", drawn=len(tournament.drawn))
    left = event.rounds - len(tournament.drawn)
    fits = tournament.is_seated and left <= len(tournament.plan)
    return replace(
        tournament,
        rounds=event.rounds,
        minutes=event.minutes,
        plan=tournament.plan[:left] if fits else tournament.plan,
        is_seated=fits,
        changes=(
            *tournament.changes,
            LengthChange(event.rounds, event.minutes, event.by, envelope.at),
        ),
    )


@_apply_event.register
def _on_round_closed(
    event: RoundClosed, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    current = _current_round(tournament, event.number)
    if current.missing:
        raise TournamentRefusedError("missing", tables=", ".join(map(str, current.missing)))
    return _replace_round(tournament, replace(current, closed=True))


@_apply_event.register
def _on_player_joined(
    event: PlayerJoined, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    if len(tournament.entrants) >= MAX_PLAYERS:
        raise TournamentRefusedError("players", least=SEATS_PER_TABLE, most=MAX_PLAYERS)
    _check_names([*(each.name for each in tournament.entrants), event.name])
    new_entrant = Entrant(len(tournament.entrants), event.name, since=len(tournament.drawn) + 1)
    return replace(tournament, entrants=(*tournament.entrants, new_entrant), is_seated=False)


@_apply_event.register
def _on_player_withdrawn(
    event: PlayerWithdrawn, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    entrant = _get_entrant(tournament, event.player)
    if not entrant.here:
        raise TournamentRefusedError("gone", name=entrant.name)
    if len(tournament.present) <= SEATS_PER_TABLE:
        raise TournamentRefusedError("players", least=SEATS_PER_TABLE, most=MAX_PLAYERS)
    absent_entrant = replace(entrant, here=False, left_after=len(tournament.drawn))
    return replace(_replace_entrant(tournament, absent_entrant), is_seated=False)


@_apply_event.register
def _on_player_returned(
    event: PlayerReturned, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    entrant = _get_entrant(tournament, event.player)
    if entrant.here:
        raise ValueError("is here")
    return replace(_replace_entrant(tournament, replace(entrant, here=True)), is_seated=False)


@_apply_event.register
def _on_player_replaced(
    event: PlayerReplaced, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    entrant = _get_entrant(tournament, event.player)
    _check_names([*(each.name for each in tournament.entrants), event.name])
    if event.since is not None and event.since not in tournament.substitute_rounds:
        raise TournamentRefusedError("not-next")
    first_round = event.since or min(
        tournament.substitute_rounds, default=len(tournament.drawn) + 1
    )
    were = (*entrant.were, (entrant.name, first_round - 1))
    return _replace_entrant(tournament, replace(entrant, name=event.name, were=were))


@_apply_event.register
def _on_entrant_renamed(
    event: EntrantRenamed, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    entrant = _get_entrant(tournament, event.player)
    other_names = [each.name for each in tournament.entrants if each.number != event.player]
    _check_names([*other_names, event.name])
    return _replace_entrant(tournament, replace(entrant, name=event.name))


@_apply_event.register
def _on_tournament_ended(
    event: TournamentEnded, tournament: Tournament, envelope: _SavedEvent
) -> Tournament:
    if tournament.current:
        raise TournamentRefusedError("still-played")
    return replace(tournament, ended=True)


def _current_round(tournament: Tournament, number: int) -> TournamentRound:
    if tournament.current is None or tournament.current.number != number:
        raise TournamentRefusedError("not-played")
    return tournament.current


def _get_entrant(tournament: Tournament, player: int) -> Entrant:
    if not 0 <= player < len(tournament.entrants):
        raise ValueError("there is no such player")
    return tournament.entrants[player]


def _replace_round(tournament: Tournament, new_round: TournamentRound) -> Tournament:
    place = new_round.number - 1
    return replace(
        tournament, drawn=(*tournament.drawn[:place], new_round, *tournament.drawn[place + 1 :])
    )


def _replace_entrant(tournament: Tournament, new_entrant: Entrant) -> Tournament:
    place = new_entrant.number
    return replace(
        tournament,
        entrants=(*tournament.entrants[:place], new_entrant, *tournament.entrants[place + 1 :]),
    )


def _finish(tournament: Tournament, events: Sequence[Envelope[Event]]) -> Tournament:
    return replace(tournament, version=events[-1].seq)


MAX_CACHED_TOURNAMENTS = 8

TOURNAMENTS = Projection(
    "tournament", start_tournament, apply, UnknownTournamentError, _finish, MAX_CACHED_TOURNAMENTS
)
"""Builds a tournament from its events."""
