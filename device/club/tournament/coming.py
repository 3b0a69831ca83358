"""Seat the remaining rounds after somebody joined or left."""

from __future__ import annotations

from collections.abc import Mapping

from device.club.tournament.meetings import faults, meetings
from device.club.tournament.seating import seated
from device.club.tournament.tournament import Tournament
from device.store.events import RoundSeats


def seats_to_come(now: Tournament) -> tuple[RoundSeats, ...]:
    """Return the seating of all rounds that are not drawn yet.

    With stand-ins, the existing plan is adapted where possible. A stand-in replaces a player who
    left, and a new player replaces a stand-in. The adapted plan is used if it causes no more
    repeated meetings.
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
    """Return the plan with absent players replaced; empty if it does not fit those present."""
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
