"""Add the results that were typed in tournaments to the statistics of finished matches.

What the tournament counts is what counts for its players, too. So a typed result takes the place of
the gains of its table's match, where there was one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from msgspec.structs import replace

from device.club.match_statistics import ClubStatistics, MatchStatistics, PlayerStatistics
from device.club.tournament.tournament import Tournament, names_in_round
from device.i18n.names import folded


class TypedResult(MatchStatistics, frozen=True, kw_only=True):
    """A table's typed result, which has no deals."""

    tournament: str
    """Id of the tournament."""


def with_typed_results(played: ClubStatistics, tournaments: Iterable[Tournament]) -> ClubStatistics:
    """Return the statistics with the typed results of these tournaments, the oldest first."""
    found = {match.id: match for match in played.matches}
    for tournament in tournaments:
        for match, result in _typed_results(tournament):
            if match in found:
                gains = {folded(each.name): each.gain for each in result.players}
                found[match] = _with_gains(found[match], gains)
            else:
                found[result.id] = result
    in_order = sorted(found.values(), key=lambda match: match.begun or _LONG_AGO)
    return ClubStatistics(tuple(in_order), played.left)


_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def _typed_results(tournament: Tournament) -> Iterator[tuple[str, TypedResult]]:
    """Yield each typed result that counts, with the id of its table's match if there was one."""
    for each in tournament.drawn:
        for number, given in enumerate(each.given, 1):
            if not given or given[-1].match:
                continue
            taken = [result.match for result in given if result.match]
            names = names_in_round(tournament, each.number, each.seats.tables[number - 1])
            played = [
                PlayerStatistics(name, gain, 0, 0, 0, 0, None, (), ())
                for name, gain in zip(names, given[-1].points, strict=True)
                if name is not None
            ]
            yield (
                each.match(number) or next(iter(taken), ""),
                TypedResult(
                    id=f"{tournament.id}-{each.number}-{number}",
                    begun=given[0].at,
                    ruleset="",
                    players=tuple(played),
                    tournament=tournament.id,
                ),
            )


def _with_gains(match: MatchStatistics, gains: Mapping[str, int]) -> MatchStatistics:
    """Return a match's statistics with the gains that the tournament counts, by folded name."""
    players = (
        replace(each, gain=gains.get(folded(each.name), each.gain)) for each in match.players
    )
    return replace(match, players=tuple(players))
