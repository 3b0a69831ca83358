"""What is different in a goulash: the rules that change, and who swaps with whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from device.i18n.words import say, say_count
from device.views.tutor.table_setup import StepSentence, name_exchanges
from scorer.ruleset import Ruleset
from scorer.table_setup.east import EXCHANGED_TILES
from scorer.tiles import WINDS

_RULES = ("BMJA-G01", "BMJA-G04", "BMJA-G05")
_NO_CHOWS_RULE = "BMJA-G04"


@dataclass(frozen=True, slots=True)
class GoulashView:
    """What a table is told before a goulash."""

    swaps: tuple[tuple[str, ...], ...]
    """Who swaps with whom, exchange by exchange."""
    swap_sentence: str
    rules: tuple[StepSentence, ...]


def goulash_view(rules: Ruleset, seats: Mapping[str, str]) -> GoulashView:
    """Return what is different in a goulash.

    `seats` has the players' names by wind; without them nobody is told to swap.
    """
    swaps = name_exchanges(seats)
    if len(seats) == len(WINDS):
        sentence = say("walls.bmja.goulash", times=len(swaps), tiles=EXCHANGED_TILES)
    else:
        sentence = say_count("goulash.few-swaps", len(swaps), tiles=EXCHANGED_TILES)
    may_have_chows = rules.chows.get("goulash", 0) > 0
    return GoulashView(
        swaps,
        sentence,
        tuple(
            StepSentence(say(f"rulebook.{rule}"), rule)
            for rule in _RULES
            if not (may_have_chows and rule == _NO_CHOWS_RULE)
        ),
    )
