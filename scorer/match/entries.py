"""The entries in the log of a game: deals, wash-outs, charges and corrections.

Entries are never changed. A later `Correction` replaces an entry that was wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorer.errors import HandProblem, error
from scorer.match.settlement import MAX_SCORE_POINTS
from scorer.message import Words, message


@dataclass(frozen=True, slots=True)
class WonDeal:
    """A deal that was won, with the score of every player at the table by name."""

    winner: str
    scores: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WashOut:
    """A deal that nobody won (BMJA-P18), or Safalra's dead game (SAF-P06)."""


@dataclass(frozen=True, slots=True)
class Charge:
    """A payment from one player to others: a penalty (BMJA-P19), or any other that they agree on.

    There is no bank: the others receive what one pays. So every entry sums to 0.
    """

    payer: str
    amounts: Mapping[str, int]
    """What each payee receives, by name: from 1 to `MAX_SCORE_POINTS`."""
    why: Words
    """The reason, for the score sheet: the name of a penalty, or what the table wrote."""
    rule: str | None = None
    """The rule's id, where there is one."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A replacement for an earlier entry, which counts in the place of that entry.

    The last correction of an entry counts. So another correction can undo one.
    """

    number: int
    """The number of the wrong entry in the log, counted from 1."""
    entry: WonDeal | WashOut | Charge | None
    """The right entry; None when the wrong one should not exist."""


GameEvent = WonDeal | WashOut | Charge
"""An entry that records what happened in the game."""

Entry = GameEvent | Correction
"""One entry of the log."""


def apply_corrections(log: Sequence[Entry]) -> list[tuple[int, GameEvent]]:
    """Return the entries that count, as last corrected, with their numbers."""
    events: dict[int, GameEvent | None] = {}
    for number, entry in enumerate(log, 1):
        if isinstance(entry, Correction):
            events[entry.number] = entry.entry
        else:
            events[number] = entry
    return [(number, event) for number, event in events.items() if event is not None]


def log_problems(log: Sequence[Entry]) -> Iterator[HandProblem]:
    """Yield a problem for each correction of a missing entry or of a correction."""
    for number, entry in enumerate(log, 1):
        if isinstance(entry, Correction) and not 1 <= entry.number < number:
            text = message("game.correction-before", entry=number, other=entry.number)
            yield error("correction", text)
        elif isinstance(entry, Correction) and isinstance(log[entry.number - 1], Correction):
            text = message("game.correction-of-one", entry=number, other=entry.number)
            yield error("correction", text)


def charge_problems(charge: Charge, players: Collection[str]) -> Iterator[HandProblem]:
    """Yield the problems that keep a charge from being paid."""
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
        elif amount > MAX_SCORE_POINTS:
            yield error(
                "charge", message("game.charge-too-high", player=name, most=MAX_SCORE_POINTS)
            )
    if isinstance(charge.why, str) and not charge.why.strip():
        yield error("charge", message("game.charge-why"))
