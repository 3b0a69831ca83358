"""What a player should know before a score is settled."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.errors import HandError, HandProblem, error, warning
from scorer.hand import Hand
from scorer.ruleset import Ruleset
from scorer.tiles import SUITS
from scorer.way import Way, best_way
from scorer.wording import describe, listed


def second_looks(hand: Hand, best: Way, ways: list[Way], rules: Ruleset) -> Iterator[HandProblem]:
    """Yield what the score hangs on that is not known, and what tables see differently."""
    claim = best.reading.claim
    if claim and _depends_on_claim(ways):
        completed = describe(best.reading.sets[claim.place])
        advice = "lay that set with the exposed ones" if hand.winning_tile else "say which tile won"
        yield warning(
            "winning-tile",
            f"The winning tile is taken to have completed the {completed}. "
            f"If it completed another set the score differs: {advice}.",
        )
    if best.special and best.special.when == "knitting" and not rules.is_on("knitting_two_suits"):
        suits = [name for suit, name in SUITS.items() if any(c[0] == suit for c in hand.tiles)]
        if len(suits) == 3:
            yield warning(
                "knitting-suits",
                f"This Knitting uses {listed(suits)} tiles. Some tables want the same two suits "
                "throughout (BMJA-C08).",
            )
    if hand.winner and rules.is_on("fishing_must_be_declared"):
        yield warning(
            "declare-fishing",
            "At this table fishing must be declared before going Mah-Jong: make sure that it was "
            "(BMJA-C11).",
        )


def _depends_on_claim(ways: list[Way]) -> bool:
    """Return whether the score hangs on what is not known: the tile claimed, or its side.

    Among the concealed tiles the player may choose the set that it completed (BMJA-H06).
    """
    best_for: dict[tuple[str, bool] | None, int] = {}
    for each in ways:
        claim = each.reading.claim
        facts = claim and (claim.tile, claim.lay_exposed)
        best_for[facts] = max(each.worth, best_for.get(facts, 0))
    return len(set(best_for.values())) > 1


def enough_for_two(hand: Hand, ways: list[Way], rules: Ruleset) -> list[Way]:
    """Return the ways that are enough to go Mah-Jong; with two players not all are (BMJA-N02)."""
    needed = rules.two_players
    if hand.players != 2 or not needed or not rules.is_on("two_player_minimum"):
        return ways
    return [way for way in ways if way.doubles >= needed.doubles or way.worth >= needed.points]


def refuse_too_little(hand: Hand, ways: list[Way], rules: Ruleset) -> list[Way]:
    """Return the ways that are enough to go Mah-Jong; raise HandError when none is."""
    enough = enough_for_two(hand, ways, rules)
    if not enough and rules.two_players:
        best = best_way(ways, None)
        needed = rules.two_players
        raise HandError(
            (
                error(
                    "two-players",
                    f"With two players a hand may go Mah-Jong only with {needed.doubles} doubles "
                    f"or {needed.points} points; this one has {best.doubles} "
                    f"{'double' if best.doubles == 1 else 'doubles'} and {best.worth} points.",
                ),
            )
        )
    return enough
