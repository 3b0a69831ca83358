"""Tournaments that were played, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from device.club.tournament.repository import TournamentRepository
from device.store.events import ResultGiven, RoundClosed, TournamentBegun

NAMES = (
    "Ann", "Bob", "Cy", "Di", "Eve", "Fay", "Gus", "Hal",
    "Ida", "Jo", "Kit", "Lou", "Max", "Nan", "Oz", "Pat",
)  # fmt: skip

EIGHT = TournamentBegun(name="Autumn", players=NAMES[:8], rounds=3, minutes=90)

POINTS = (120, 30, -50, -100)


def result_form(points: Sequence[int] = POINTS) -> dict[str, str]:
    """Return the form that gives a table's result, with its signs in the figures."""
    return {f"points{seat}": str(made) for seat, made in enumerate(points)}


def add_tournament(tournaments: TournamentRepository, **other: Any) -> str:  # noqa: ANN401
    return tournaments.begin(structs.replace(EIGHT, **other))


def play_round(
    tournaments: TournamentRepository,
    tournament: str,
    points: Sequence[tuple[int, int, int, int]] = (POINTS, POINTS),
) -> None:
    """Draw the next round, give all its results and close it."""
    number = tournaments.get(tournament).next_round
    tournaments.draw(tournament, number)
    for table, made in enumerate(points, 1):
        tournaments.change(tournament, ResultGiven(number, table, made))
    tournaments.change(tournament, RoundClosed(number))
