"""Seats and winds of the players, and how the winds pass on between deals.

Places are fixed and winds move. East is at one of four places, and the other winds follow from it.
A place without a player leaves out its wind (BMJA-N01).

>>> seating = first_seating(("Ann", "Bob", "Cy"), "ESN")
>>> seating.seats
{'E': 'Ann', 'S': 'Bob', 'N': 'Cy'}
>>> seating.pass_winds().seats
{'E': 'Bob', 'W': 'Cy', 'N': 'Ann'}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorer.tiles import WINDS

FIRST_SEATS = {2: "EW", 3: "ESW", 4: "ESWN", 5: "ESWN"}
"""The seats at the first deal by number of players. Two sit opposite each other (BMJA-N02). Three
may choose other seats, if East is among them (BMJA-N01)."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The places of the players during one deal."""

    places: tuple[str | None, ...]
    """The players at the four places in order of play, anti-clockwise; None for an empty place."""
    east: int
    """The place of East."""
    dreamer: str | None = None
    """The fifth player, who sits this deal out (BMJA-N03)."""

    @property
    def seats(self) -> dict[str, str]:
        """Wind to player, in playing order from East."""
        players_from_east = self.places[self.east :] + self.places[: self.east]
        return {
            wind: player for wind, player in zip(WINDS, players_from_east, strict=True) if player
        }

    @property
    def winds(self) -> dict[str, str]:
        """Player to wind; the dreamer has none."""
        return {player: wind for wind, player in self.seats.items()}

    def pass_winds(self) -> Seating:
        """Return the seating after East has lost: South becomes East, and so on (BMJA-W01).

        East skips empty places (BMJA-N01). Of five players, East retires and the dreamer takes that
        place, which is North's after the winds have moved (BMJA-N03).
        """
        places, dreamer = list(self.places), self.dreamer
        if dreamer is not None:
            places[self.east], dreamer = dreamer, places[self.east]
        east = (self.east + 1) % 4
        while not places[east]:
            east = (east + 1) % 4
        return Seating(tuple(places), east, dreamer)

    def with_east(self, player: str) -> Seating:
        """Return the seating with this player as East: Safalra's winner (SAF-P07)."""
        return replace(self, east=self.places.index(player))


def first_seating(players: Sequence[str], seats: str) -> Seating:
    """Return the seating of the first deal: the players in the order of these seats.

    A player beyond the seats is the dreamer.
    """
    player_by_seat = dict(zip(seats, players, strict=False))
    dreamer = players[len(seats)] if len(players) > len(seats) else None
    return Seating(tuple(player_by_seat.get(wind) for wind in WINDS), 0, dreamer)
