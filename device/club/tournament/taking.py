"""A table's result from the match that was played at it: by the names of its players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from device.club.tournament.replay import TournamentRefusedError
from device.i18n.names import Name, folded
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import MatchBegun

NEWEST = 200
"""Matches among which a table's is looked for: those of sixty tables and three rounds."""


def matches_of(
    store: Store, matches: MatchRepository, names: Sequence[Name | None]
) -> Iterator[Match]:
    """Yield the matches that these four may have played, the newest first."""
    for each in store.newest_of_kinds(MatchBegun, limit=NEWEST):
        begun = each.event
        if isinstance(begun, MatchBegun) and _fit(begun.players, names):
            match = matches.get_if_whole(each.stream)
            if match:
                yield match


def points_from(
    match: Match, names: Sequence[Name | None], *, began_for_them: bool = False
) -> tuple[int, int, int, int]:
    """Return what each seat's player won and lost in a match that is over.

    `names` are those of the seats, None for a stand-in, who may be called anything. Raises
    TournamentRefusedError for a match that goes on, or of others, unless it began for these four.
    """
    if not match.ended:
        raise TournamentRefusedError("match-on")
    if not began_for_them and not _fit(match.game.players, names):
        raise TournamentRefusedError("match-of-others")
    return gains_of(match, names)


def gains_of(match: Match, names: Sequence[Name | None]) -> tuple[int, int, int, int]:
    """Return what each seat's player has won and lost so far, in a match that four play.

    Where they are called otherwise by now, they sit in the order in which the match began.
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
