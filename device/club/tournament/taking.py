"""Play a round at the box's own tables, and take table results from matches.

The box's tables are assigned to the tournament's tables once. A match that begins for a table is
recorded in the tournament's log. Its players sit in the order of the seats, so renaming somebody in
the match or in the tournament does no harm. Any other match is found by its players' names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from device.club.tournament.replay import TournamentRefusedError
from device.i18n.names import Name, folded
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchBegun

NEWEST = 200
"""Newest matches searched for a table's match: three rounds at sixty tables, and some more."""


def matches_of(
    store: Store, matches: MatchRepository, names: Sequence[Name | None]
) -> Iterator[Match]:
    """Yield the matches that these four may have played, newest first."""
    for each in store.newest_of_kinds(MatchBegun, limit=NEWEST):
        begun = each.event
        if isinstance(begun, MatchBegun) and _fit(begun.players, names):
            match = matches.get_if_whole(each.stream)
            if match:
                yield match


def points_from(
    match: Match, names: Sequence[Name | None], *, began_for_them: bool = False
) -> tuple[int, int, int, int]:
    """Return what each seat won or lost in a finished match.

    `names` are those of the seats; None stands for a stand-in, who may have any name. Raises
    TournamentRefusedError for a match that runs, or one of other people unless it began for these
    four.
    """
    if not match.ended:
        raise TournamentRefusedError("match-on")
    if not began_for_them and not _fit(match.game.players, names):
        raise TournamentRefusedError("match-of-others")
    return gains_of(match, names)


def gains_of(match: Match, names: Sequence[Name | None]) -> tuple[int, int, int, int]:
    """Return what each seat has won or lost so far in a match of four.

    If players were renamed since, they are taken in the order in which the match began.
    """
    gains = {
        folded(player): total - match.game.first_tallies
        for player, total in match.course.totals.items()
    }
    if _fit(match.game.players, names):
        known = {folded(name) for name in names if name is not None}
        others = iter([gain for player, gain in gains.items() if player not in known])
        in_order = [next(others) if name is None else gains[folded(name)] for name in names]
    else:
        in_order = [gains[folded(player)] for player in match.game.players]
    east, south, west, north = in_order
    return east, south, west, north


def _fit(players: Sequence[str], names: Sequence[Name | None]) -> bool:
    known = {folded(name) for name in names if name is not None}
    return len(players) == len(names) and known <= set(map(folded, players))
