"""The results of a match: the final ranking, and the last deal to be read aloud."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.names import Name
from device.i18n.words import say, say_count, signed
from device.matches.match import Match
from device.matches.summary import BestHand, FinalResult, final_result


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
        headline=_headline(final),
        lines=tuple(
            PlacingLine(p.place, p.shared, p.player, p.won, _gain(p.gain), p.total)
            for p in final.placings
        ),
        best=tuple(map(_best, final.best)),
        deals=say_count("final.deals", final.deals),
    )


def _headline(final: FinalResult) -> str:
    if not final.deals:
        return say("final.none")
    total = final.placings[0].total
    if len(final.first) == len(final.placings):
        return say("final.level", total=total)
    players = Name(say("matches.and").join(final.first))
    key = "final.wins" if len(final.first) == 1 else "final.share"
    return say(key, player=players, total=total)


def _best(best: BestHand) -> BestLine:
    says = say_count("final.best", best.score, player=best.player, deal=best.deal)
    return BestLine(says, best.hand)


def _gain(gain: int) -> str:
    return signed(gain) if gain else "0"
