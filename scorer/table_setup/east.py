"""Choose the first East, explain who is East and why, and say what the next deal brings.

The box can throw dice and draw winds. Later Easts follow from the course of the game.

>>> from scorer.match.entries import Won
>>> from scorer.match.game import Game
>>> game = Game(("Ann", "Bob", "Cy", "Di"))
>>> game = game.with_entry(Won("Bob", {"Ann": 40, "Bob": 128, "Cy": 0, "Di": 0}))
>>> why_east(game).text
'Ann was East and did not win, so the winds passed on: Bob, who was South, is East.'
>>> [step.text for step in what_follows(game)][:2]
['If Bob wins: Bob stays East.', 'If somebody else wins: the winds pass on, and Cy becomes East.']
"""

from __future__ import annotations

from collections.abc import Iterator

from scorer.match.entries import GameEvent, WashOut, Won
from scorer.match.game import Deal, Game, following_deal, is_over
from scorer.naming import wind
from scorer.table_setup.steps import Step, step

EXCHANGES = (("EW", "NS"), ("ES", "WN"), ("EN", "WS"))
"""The pairs of seats that exchange tiles in a goulash, round by round (BMJA-G02)."""

EXCHANGED = 3
"""Tiles that each player gives in one exchange (BMJA-G02)."""


def why_east(game: Game) -> Step:
    """Explain who is East in the next deal, and why."""
    east = game.course.next_deal.seats["E"]
    last = game.course.last_deal
    if last and last.deal:
        return _why_now(game, last.event, last.deal, east)
    if game.ruleset == "safalra":
        return step("SAF-S01", "east-threw", player=east)
    return step("BMJA-P02", "east-drawn", player=east)


def _why_now(game: Game, event: GameEvent, last: Deal, east: str) -> Step:
    won = event.winner if isinstance(event, Won) else None
    if game.ruleset == "safalra":
        if won is None:
            return step("SAF-P06", "east-dead", player=east)
        return step("SAF-P07", "east-winner", player=east)
    if won is None:
        return step("BMJA-P18", "east-washed", player=east)
    before = last.seats
    if won == before["E"]:
        return step("BMJA-W01", "east-won", player=east)
    was = next(seat for seat, player in before.items() if player == east)
    return step("BMJA-W01", "east-passed", before=before["E"], player=east, wind=wind(was))


def what_follows(game: Game) -> tuple[Step, ...]:
    """Explain what follows the next deal, for each possible result."""
    return tuple(_what_follows(game, game.course.next_deal))


def _what_follows(game: Game, deal: Deal) -> Iterator[Step]:
    east, other = deal.seats["E"], next(p for seat, p in deal.seats.items() if seat != "E")
    if game.ruleset == "safalra":
        yield step("SAF-P07", "if-east-wins", east=east)
        yield step("SAF-P07", "if-winner")
        yield step("SAF-P06", "if-dead", east=east)
        return
    after = following_deal(Won(other, {}), game, deal)
    new = after.seats["E"]
    yield step("BMJA-W01", "if-east-wins", east=east)
    yield step("BMJA-W01", "if-other-wins", new=new)
    if after.dreamer is not None:
        came = next(seat for seat, player in after.seats.items() if player == deal.dreamer)
        dreamer = deal.dreamer or ""
        yield step("BMJA-N03", "then-dreamer", east=east, dreamer=dreamer, wind=wind(came))
    if after.round != deal.round and after.prevailing_wind:
        over = "then-over" if is_over(game, after) else "then-prevailing"
        yield step("BMJA-W02", over, new=new, wind=wind(after.prevailing_wind))
    yield step("BMJA-P18", "if-nobody", east=following_deal(WashOut(), game, deal).seats["E"])
