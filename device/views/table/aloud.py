"""Sentences that a phone reads aloud about the deal settled last."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say
from device.matches.match import Match
from device.store.events import DealSettled
from scorer.match.entries import WonDeal


@dataclass(frozen=True, slots=True)
class Aloud:
    """A settled deal as sentences to read aloud."""

    seq: int
    """Number of the event that settled it; 0 before the first deal."""
    sentences: tuple[str, ...]
    limit: bool
    """The winning hand reached the limit."""


def aloud(match: Match) -> Aloud:
    """Return what to read aloud about the last settled deal; no sentences before the first."""
    seq = max((each.seq for each in match.doings if each.kind == DealSettled.kind), default=0)
    row = match.row(match.past[-1].number) if match.past else None
    if row is None or row.deal is None:
        return Aloud(seq, (), limit=False)
    if not isinstance(row.event, WonDeal):
        return Aloud(seq, (say("history.nobody"),), limit=False)
    winner, scores = row.event.winner, row.event.scores
    ending = match.past[-1].state.ending
    how = say(f"how.{ending.won_by}") if ending and ending.winner == winner else ""
    went_out = say("history.won", player=winner, how=how) if how else ""
    scored = (say("everybody.scored", player=each, score=scores[each]) for each in scores)
    paid = (
        say(
            "everybody.pays",
            payer=row.deal.seats[each.payer],
            payee=row.deal.seats[each.payee],
            amount=each.amount,
        )
        for each in (row.settlement.payments if row.settlement else ())
    )
    most = match.agreement.limit
    limit = most is not None and scores[winner] >= most
    return Aloud(seq, tuple(each for each in (went_out, *scored, *paid) if each), limit)
