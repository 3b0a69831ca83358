"""Why a winner's tiles are no ordinary Mah-Jong, when no reading of them is."""

from __future__ import annotations

from scorer.checks import chow_rule, in_a_kong
from scorer.errors import HandProblem, error
from scorer.hand import Hand
from scorer.readings import arrangements
from scorer.special import of_tiles


def why_no_mah_jong(hand: Hand) -> HandProblem:
    """Return the reason why a winner's hand has no legal reading."""
    special = of_tiles(hand)
    if special:
        return error(
            "special-hand",
            f"This is {special.name} ({special.id}), a special hand worth {special.worth}. "
            "Special hands are not scored yet.",
        )
    chows = [sum(each.kind == "chow" for each in sets) for sets in arrangements(hand)]
    if not chows:
        return error("not-mah-jong", "These tiles do not make four sets and a pair.")
    if hand.winning_tile and min(chows) <= hand.chows_allowed:
        return in_a_kong(hand.winning_tile)
    return error("too-many-chows", f"{chow_rule(hand)} These tiles need more.")
