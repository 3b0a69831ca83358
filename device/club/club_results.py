"""What counts in the club's figures: the one rule that every page, paper and export follows.

A match counts once it is over and has a deal. A result typed in a tournament counts, too. It takes
the place of what its table's match came to, where there was one: what the tournament counts is what
counts for its players everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec.structs import replace

from device.club.match_statistics import (
    MAX_NEW_MATCHES_PER_PAGE,
    ClubStatistics,
    MatchStatistics,
    PlayerStatistics,
    load_statistics,
)
from device.club.season import Season
from device.club.tournament.repository import TournamentRepository
from device.club.tournament.tournament import Tournament, names_in_round
from device.hands.repository import HandRepository
from device.i18n.names import fold_name

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class TypedResult(MatchStatistics, frozen=True, kw_only=True):
    """A table's typed result, with the deals of its match where there was one."""

    tournament: str
    """Id of the tournament."""
    stand_in_gains: tuple[int, ...]
    """What stand-ins won or lost, who count for their places at the table only."""
    typed_id: str
    """Its id before the match of its table was over."""


def load_results(hands: HandRepository, max_new: int = MAX_NEW_MATCHES_PER_PAGE) -> ClubStatistics:
    """Return all that counts, the oldest first, computing at most `max_new` new matches; 0 for all.

    A match or tournament with damaged events is left out.
    """
    statistics = load_statistics(hands, max_new)
    results = {
        match.id: match
        for match in statistics.matches
        if any(player.deals for player in match.players)
    }
    for tournament in TournamentRepository(hands.store).list_tournaments():
        for match, result in _typed_results(tournament):
            match_result = _with_deals(results[match], result) if match in results else result
            results[match_result.id] = match_result
    in_order = sorted(results.values(), key=lambda match: match.begun or _LONG_AGO)
    return ClubStatistics(tuple(in_order), statistics.left)


def seat_count(match: MatchStatistics) -> int:
    """Return how many played, stand-ins among them."""
    return len(match.players) + len(stand_in_gains(match))


def tournament_page_of(match: MatchStatistics) -> str:
    """Return the tournament whose page has the result; empty where a match of this box has it."""
    if not isinstance(match, TypedResult) or any(each.deals for each in match.players):
        return ""
    return match.tournament


def stand_in_gains(match: MatchStatistics) -> tuple[int, ...]:
    """Return what the stand-ins of a typed result won or lost."""
    return match.stand_in_gains if isinstance(match, TypedResult) else ()


def decision_id(season: Season, match: MatchStatistics) -> str:
    """Return the id under which a season decides about a match.

    A decision about a typed result stands when the match of its table is over later.
    """
    typed_id = match.typed_id if isinstance(match, TypedResult) else match.id
    return typed_id if typed_id in season.said else match.id


def _typed_results(tournament: Tournament) -> Iterator[tuple[str, TypedResult]]:
    """Yield each typed result that counts, with the id of its table's match if there was one."""
    for drawn_round in tournament.drawn:
        for number, results in enumerate(drawn_round.given, 1):
            if not results or results[-1].match:
                continue
            match_ids = [result.match for result in results if result.match]
            seats = drawn_round.seats.tables[number - 1]
            names = names_in_round(tournament, drawn_round.number, seats)
            gains = tuple(zip(names, results[-1].points, strict=True))
            typed_id = f"{tournament.id}-{drawn_round.number}-{number}"
            yield (
                drawn_round.match(number) or next(iter(match_ids), ""),
                TypedResult(
                    id=typed_id,
                    begun=results[0].at,
                    ruleset="",
                    players=tuple(_without_deals(name, gain) for name, gain in gains if name),
                    tournament=tournament.id,
                    stand_in_gains=tuple(gain for name, gain in gains if name is None),
                    typed_id=typed_id,
                ),
            )


def _without_deals(name: str, gain: int) -> PlayerStatistics:
    return PlayerStatistics(name, gain, 0, 0, 0, 0, None, (), ())


def _with_deals(match: MatchStatistics, result: TypedResult) -> TypedResult:
    """Return a typed result as the match that was played for it, with that match's deals."""
    gains = {fold_name(each.name): each.gain for each in result.players}
    stand_ins = iter(result.stand_in_gains)
    players = tuple(
        replace(each, gain=gains[name] if name in gains else next(stand_ins, each.gain))
        for each in match.players
        for name in [fold_name(each.name)]
    )
    return replace(result, id=match.id, begun=match.begun, players=players, stand_in_gains=())
