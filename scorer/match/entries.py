"""What is written into the log of a game: deals, wash-outs, charges and corrections.

Nothing in the log is changed. An entry that was wrong is put right by a `Correction` behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorer.errors import HandProblem, error
from scorer.match.settle import MOST
from scorer.message import Words, message


@dataclass(frozen=True, slots=True)
class Won:
    """A deal that somebody won, with the score of every player at the table, by name."""

    winner: str
    scores: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WashOut:
    """A deal that nobody won (BMJA-P18), or Safalra's dead game (SAF-P06)."""


@dataclass(frozen=True, slots=True)
class Charge:
    """One player pays others because the table says so: a penalty (BMJA-P19) or anything else.

    There is no bank: what one pays others receive, so a charge sums to 0 like every entry.
    """

    payer: str
    amounts: Mapping[str, int]
    """What each payee receives, by name; each above 0, and `MOST` at most."""
    why: Words
    """In a few words, for the score sheet: a customary penalty, or what the table wrote."""
    rule: str | None = None
    """The rule's id, where there is one."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Another entry was wrong: it counts as `entry`, in its old place, from now on.

    The last correction of an entry counts, so a correction is taken back by another one.
    """

    number: int
    """Which entry: its number in the log, counted from 1."""
    entry: Won | WashOut | Charge | None
    """What it should have been; None when it should not be there at all."""


GameEvent = Won | WashOut | Charge
"""An entry that happens in the game."""

Entry = GameEvent | Correction
"""One entry of the log."""


def corrected(log: Sequence[Entry]) -> list[tuple[int, GameEvent]]:
    """Return the entries that count, each as last corrected, with their numbers."""
    events: dict[int, GameEvent | None] = {}
    for number, entry in enumerate(log, 1):
        if isinstance(entry, Correction):
            events[entry.number] = entry.entry
        else:
            events[number] = entry
    return [(number, event) for number, event in events.items() if event is not None]


def log_problems(log: Sequence[Entry]) -> Iterator[HandProblem]:
    """Yield corrections of what is not there, and of corrections."""
    for number, entry in enumerate(log, 1):
        if isinstance(entry, Correction) and not 1 <= entry.number < number:
            what = message("game.correction-before", entry=number, other=entry.number)
            yield error("correction", what)
        elif isinstance(entry, Correction) and isinstance(log[entry.number - 1], Correction):
            what = message("game.correction-of-one", entry=number, other=entry.number)
            yield error("correction", what)


def charge_problems(charge: Charge, players: Collection[str]) -> Iterator[HandProblem]:
    """Yield what keeps a charge from being paid."""
    for name in (charge.payer, *charge.amounts):
        if name not in players:
            yield error("unknown-player", message("game.unknown-player", player=name))
    if charge.payer in charge.amounts:
        yield error("charge", message("game.charge-to-self", player=charge.payer))
    if not charge.amounts:
        yield error("charge", message("game.charge-to-nobody"))
    for name, amount in charge.amounts.items():
        if amount <= 0:
            yield error("charge", message("game.charge-amount", player=name, amount=amount))
        elif amount > MOST:
            yield error("charge", message("game.charge-too-high", player=name, most=MOST))
    if isinstance(charge.why, str) and not charge.why.strip():
        yield error("charge", message("game.charge-why"))
