"""What is different in a goulash: the rules that change, and who swaps with whom."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say
from device.matches.match import Match
from device.views.tutor.table_setup import StepSentence, name_exchanges
from scorer.table_setup.east import EXCHANGE_PAIRS, EXCHANGED_TILES
from scorer.tiles import WINDS

_RULES = ("BMJA-G01", "BMJA-G04", "BMJA-G05")
_NO_CHOWS_RULE = "BMJA-G04"


@dataclass(frozen=True, slots=True)
class GoulashView:
    """What a table is told before a goulash."""

    swaps: tuple[tuple[str, ...], ...]
    """Who swaps with whom, exchange by exchange; none unless four play."""
    swap_sentence: str
    rules: tuple[StepSentence, ...]


def goulash_view(match: Match) -> GoulashView | None:
    """Return what is different in the next deal; None unless it is a goulash."""
    deal = match.course.next_deal
    if not deal.goulash:
        return None
    may_have_chows = match.agreement.rules.chows.get("goulash", 0) > 0
    return GoulashView(
        name_exchanges(deal.seats) if len(deal.seats) == len(WINDS) else (),
        say("walls.bmja.goulash", times=len(EXCHANGE_PAIRS), tiles=EXCHANGED_TILES),
        tuple(
            StepSentence(say(f"rulebook.{rule}"), rule)
            for rule in _RULES
            if not (may_have_chows and rule == _NO_CHOWS_RULE)
        ),
    )
