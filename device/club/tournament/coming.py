"""The seats of the rounds to come, when somebody has come or gone: kept where that can be."""

from __future__ import annotations

from collections.abc import Mapping

from device.club.tournament.meetings import faults, meetings
from device.club.tournament.seating import seated
from device.club.tournament.tournament import Tournament
from device.store.events import RoundSeats


def seats_to_come(now: Tournament) -> tuple[RoundSeats, ...]:
    """Return who sits where in all rounds that are not drawn yet.

    Where tables are filled with stand-ins, one takes the place of who has gone, and who comes takes
    that of a stand-in, as long as no more meet again by it: nobody else need look anew.
    """
    kept = _kept(now) if now.stand_ins and len(now.plan) == now.rounds - len(now.drawn) else ()
    if kept and _again(now, kept) <= _again(now, now.plan):
        return kept
    return seated(
        now.present,
        now.rounds - len(now.drawn),
        stand_ins=now.stand_ins,
        seed=f"{now.id} {len(now.drawn)}",
        before=now.seats,
    )


def _again(now: Tournament, plan: tuple[RoundSeats, ...]) -> int:
    return meetings((*now.seats, *plan)).again


def _kept(now: Tournament) -> tuple[RoundSeats, ...]:
    """Return the plan with others in the places of who has gone; none if it is one for others."""
    planned = {player for each in now.plan for table in each.tables for player in table}
    here = set(now.present)
    free = [*sorted(planned - here, key=lambda player: (player < 0, player))]
    come = [*sorted(here - planned)]
    if len(come) > len(free):
        return ()
    for_them = dict(zip(free, come, strict=False))
    gone = [player for player in free[len(come) :] if player >= 0]
    stand_ins = [player for player in free[len(come) :] if player < 0]
    fresh = (number for number in range(-1, -len(planned), -1) if number not in stand_ins)
    for_them |= dict(zip(gone, fresh, strict=False))
    plan = tuple(_with_others(each, for_them) for each in now.plan)
    return () if list(faults(plan, here, stand_ins=True)) else plan


def _with_others(seats: RoundSeats, for_them: Mapping[int, int]) -> RoundSeats:
    def at(player: int) -> int:
        return for_them.get(player, player)

    return RoundSeats(tuple((at(e), at(s), at(w), at(n)) for e, s, w, n in seats.tables))
