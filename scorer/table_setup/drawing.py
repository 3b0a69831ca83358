"""Throw dice and draw winds for the table, in place of real dice and discs.

>>> from random import Random
>>> sorted(draw_winds(("Ann", "Bob", "Cy"), Random(1)))
['Ann', 'Bob', 'Cy']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

Dice = tuple[int, int]
"""A throw of two dice, 1 to 6 each."""


def throw_dice(chance: Random) -> Dice:
    """Return a throw of two dice."""
    return chance.randint(1, 6), chance.randint(1, 6)


def draw_winds(players: Sequence[str], chance: Random) -> tuple[str, ...]:
    """Return the players in seat order from East (BMJA-P02); a fifth sits out (BMJA-N03)."""
    return tuple(chance.sample(players, len(players)))


def throw_for_east(players: int, chance: Random) -> tuple[tuple[Dice, ...], ...]:
    """Return each player's throws for East; those with the highest throw repeat (SAF-S01).

    The player with most throws is East.
    """
    throws: list[list[Dice]] = [[] for _ in range(players)]
    highest = list(range(players))
    while len(highest) > 1:
        for player in highest:
            throws[player].append(throw_dice(chance))
        most = max(sum(throws[player][-1]) for player in highest)
        highest = [player for player in highest if sum(throws[player][-1]) == most]
    return tuple(map(tuple, throws))


@dataclass(frozen=True, slots=True)
class Seated:
    """The players in their seats before the first deal."""

    players: tuple[str, ...]
    """In order of play from East."""
    throws: tuple[tuple[Dice, ...], ...] = ()
    """Each player's throws for East; empty when winds were drawn."""


def seat(players: Sequence[str], ruleset: str, chance: Random) -> Seated:
    """Seat the players by drawn winds (BMJA-P02), or choose East by throws (SAF-S01).

    Players who throw for East keep their order.
    """
    if ruleset == "bmja":
        return Seated(draw_winds(players, chance))
    throws = throw_for_east(len(players), chance)
    east = east_by_throws(throws)
    return Seated((*players[east:], *players[:east]), throws[east:] + throws[:east])


def east_by_throws(throws: Sequence[Sequence[Dice]]) -> int:
    """Return the index of the player whom these throws make East (SAF-S01)."""
    most = max(map(len, throws))
    still = [player for player, thrown in enumerate(throws) if len(thrown) == most]
    return max(still, key=lambda player: sum(throws[player][-1]))
