"""The results of a match: the final ranking, and the last deal to be read aloud."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say, say_count, signed
from device.matches.match import Match
from device.matches.summary import BestHand, FinalResult, final_result
from device.store.events import DealSettled
from scorer.match.entries import WonDeal


@dataclass(frozen=True, slots=True)
class PlacingLine:
    """One player in the final ranking."""

    place: int
    shared: bool
    player: str
    won: int
    gain: str
    total: int


@dataclass(frozen=True, slots=True)
class BestLine:
    """The best hand, or one of the best."""

    says: str
    hand: str
    """Id of the hand; empty for a score that was typed."""


@dataclass(frozen=True, slots=True)
class FinalView:
    """The result of a match."""

    headline: str
    lines: tuple[PlacingLine, ...]
    best: tuple[BestLine, ...]
    deals: str


def final_view(match: Match) -> FinalView:
    """Return the final ranking of a match, or the current one."""
    final = final_result(match)
    return FinalView(
        headline=_describe_winners(final),
        lines=tuple(
            PlacingLine(p.place, p.shared, p.player, p.won, _format_gain(p.gain), p.total)
            for p in final.placings
        ),
        best=tuple(map(_best_line, final.best)),
        deals=say_count("final.deals", final.deals),
    )


def _describe_winners(final: FinalResult) -> str:
    if not final.deals:
        return say("final.none")
    total = final.placings[0].total
    if len(final.first) == len(final.placings):
        return say("final.level", total=total)
    players = say("matches.and").join(final.first)
    key = "final.wins" if len(final.first) == 1 else "final.share"
    return say(key, player=players, total=total)


def _best_line(best: BestHand) -> BestLine:
    says = say_count("final.best", best.score, player=best.player, deal=best.deal)
    return BestLine(says, best.hand)


def _format_gain(gain: int) -> str:
    return signed(gain) if gain else "0"


@dataclass(frozen=True, slots=True)
class SpokenResult:
    """A settled deal as sentences to read aloud."""

    seq: int
    """Number of the event that settled it; 0 before the first deal."""
    sentences: tuple[str, ...]
    limit: bool
    """The winning hand reached the limit."""


def spoken_result(match: Match) -> SpokenResult:
    """Return what to read aloud about the last settled deal; no sentences before the first."""
    seq = max((each.seq for each in match.doings if each.kind == DealSettled.kind), default=0)
    row = match.row(match.past[-1].number) if match.past else None
    if row is None or row.deal is None:
        return SpokenResult(seq, (), limit=False)
    if not isinstance(row.event, WonDeal):
        return SpokenResult(seq, (say("history.nobody"),), limit=False)
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
    return SpokenResult(seq, tuple(each for each in (went_out, *scored, *paid) if each), limit)
