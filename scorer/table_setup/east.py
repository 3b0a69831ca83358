"""Choose the first East, explain who is East and why, and say what the next deal brings.

The box can throw dice and draw winds. Later Easts follow from the course of the game.

>>> from scorer.match.entries import WonDeal
>>> from scorer.match.game import Game
>>> game = Game(("Ann", "Bob", "Cy", "Di"))
>>> game = game.with_entry(WonDeal("Bob", {"Ann": 40, "Bob": 128, "Cy": 0, "Di": 0}))
>>> explain_east(game).text
'Ann was East and did not win, so the winds passed on: Bob, who was South, is East.'
>>> [make_step.text for make_step in explain_next_deal(game)][:2]
['If Bob wins: Bob stays East.', 'If somebody else wins: the winds pass on, and Cy becomes East.']
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from scorer.match.entries import GameEvent, WashOut, WonDeal
from scorer.match.game import Deal, Game, following_deal, is_over
from scorer.table_setup.steps import Step, make_step
from scorer.tile_names import name_wind

EXCHANGE_PAIRS = (("EW", "NS"), ("ES", "WN"), ("EN", "WS"))
"""The pairs of seats that exchange tiles in a goulash, round by round (BMJA-G02)."""

EXCHANGED_TILES = 3
"""Tiles that each player gives in one exchange (BMJA-G02)."""


def list_exchanges(seats: Container[str]) -> tuple[tuple[str, ...], ...]:
    """Return the pairs of seats that swap in each exchange of a goulash (BMJA-G02).

    A pair with a seat that nobody takes is left out.
    """
    return tuple(
        tuple(pair for pair in exchange if all(seat in seats for seat in pair))
        for exchange in EXCHANGE_PAIRS
    )


def explain_east(game: Game) -> Step:
    """Explain who is East in the next deal, and why."""
    east = game.course.next_deal.seats["E"]
    last = game.course.last_deal
    if last and last.deal:
        return _explain_after(game, last.event, last.deal, east)
    if game.ruleset == "safalra":
        return make_step("SAF-S01", "east-threw", player=east)
    return make_step("BMJA-P02", "east-drawn", player=east)


def _explain_after(game: Game, event: GameEvent, last: Deal, east: str) -> Step:
    winner = event.winner if isinstance(event, WonDeal) else None
    if game.ruleset == "safalra":
        if winner is None:
            return make_step("SAF-P06", "east-dead", player=east)
        return make_step("SAF-P07", "east-winner", player=east)
    if winner is None:
        return make_step("BMJA-P18", "east-washed", player=east)
    before = last.seats
    if winner == before["E"]:
        return make_step("BMJA-W01", "east-won", player=east)
    was = next(seat for seat, player in before.items() if player == east)
    return make_step(
        "BMJA-W01", "east-passed", before=before["E"], player=east, wind=name_wind(was)
    )


def explain_next_deal(game: Game) -> tuple[Step, ...]:
    """Explain what follows the next deal, for each possible result."""
    return tuple(_explain_next(game, game.course.next_deal))


def _explain_next(game: Game, deal: Deal) -> Iterator[Step]:
    east, other = deal.seats["E"], next(p for seat, p in deal.seats.items() if seat != "E")
    if game.ruleset == "safalra":
        yield make_step("SAF-P07", "if-east-wins", east=east)
        yield make_step("SAF-P07", "if-winner")
        yield make_step("SAF-P06", "if-dead", east=east)
        return
    after = following_deal(WonDeal(other, {}), game, deal)
    new = after.seats["E"]
    yield make_step("BMJA-W01", "if-east-wins", east=east)
    yield make_step("BMJA-W01", "if-other-wins", new=new)
    if after.dreamer is not None:
        new_seat = next(seat for seat, player in after.seats.items() if player == deal.dreamer)
        dreamer = deal.dreamer or ""
        yield make_step(
            "BMJA-N03", "then-dreamer", east=east, dreamer=dreamer, wind=name_wind(new_seat)
        )
    if after.round != deal.round and after.prevailing_wind:
        key = "then-over" if is_over(game, after) else "then-prevailing"
        yield make_step("BMJA-W02", key, new=new, wind=name_wind(after.prevailing_wind))
    after_washout = following_deal(WashOut(), game, deal)
    says = "if-nobody" if after_washout.goulash else "if-nobody-plain"
    yield make_step("BMJA-P18", says, east=after_washout.seats["E"])


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
        highest_sum = max(sum(throws[player][-1]) for player in highest)
        highest = [player for player in highest if sum(throws[player][-1]) == highest_sum]
    return tuple(map(tuple, throws))


@dataclass(frozen=True, slots=True)
class SeatedPlayers:
    """The players in their seats before the first deal."""

    players: tuple[str, ...]
    """In order of play from East."""
    throws: tuple[tuple[Dice, ...], ...] = ()
    """Each player's throws for East; empty when winds were drawn."""


def seat_players(players: Sequence[str], ruleset: str, chance: Random) -> SeatedPlayers:
    """Seat the players by drawn winds (BMJA-P02), or choose East by throws (SAF-S01).

    Players who throw for East keep their order.
    """
    if ruleset == "bmja":
        return SeatedPlayers(draw_winds(players, chance))
    throws = throw_for_east(len(players), chance)
    east = find_east(throws)
    return SeatedPlayers((*players[east:], *players[:east]), throws[east:] + throws[:east])


def find_east(throws: Sequence[Sequence[Dice]]) -> int:
    """Return the index of the player whom these throws make East (SAF-S01)."""
    throw_count = max(map(len, throws))
    tied_players = [player for player, thrown in enumerate(throws) if len(thrown) == throw_count]
    return max(tied_players, key=lambda player: sum(throws[player][-1]))
