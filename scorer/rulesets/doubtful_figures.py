"""Figures of a ruleset that may be a slip: an exposed set that is worth more than a concealed one.

They are not refused, for a table may mean them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scorer.message import Message, message
from scorer.ruleset import Ruleset, SpecialHand

HAND_FIGURES = ("value", "fishing", "doubles")
"""What a special hand is worth; 0 is none."""


class DoubtfulFigure(NamedTuple):
    """One such figure."""

    ids: tuple[str, ...]
    """The ids of the rows that it is about."""
    message: Message


def find_doubtful_figures(rules: Ruleset) -> Iterator[DoubtfulFigure]:
    """Yield each rule and each special hand that gives figure exposed than concealed."""
    for rule in rules.every_rule:
        figures = {"exposed": rule.exposed_points, "concealed": rule.concealed_points}
        if figures["exposed"] > figures["concealed"]:
            sentence = message("ruleset-file.dearer-exposed", name=rule.heading, **figures)
            yield DoubtfulFigure((rule.id,), sentence)
    hands = [(each.pattern.hands_key, each) for each in rules.every_special if each.pattern]
    concealed = {key: each for key, each in hands if each.concealed}
    for key, hand in hands:
        if key in concealed and not hand.concealed:
            yield from _compare(hand, concealed[key])


def _compare(exposed: SpecialHand, concealed: SpecialHand) -> Iterator[DoubtfulFigure]:
    """Yield the first figure by which a hand is worth figure than the same hand kept concealed."""
    for key in HAND_FIGURES:
        figure, concealed_figure = getattr(exposed, key), getattr(concealed, key)
        if figure > concealed_figure > 0:
            names = {"name": exposed.name, "other": concealed.name}
            figures = {"exposed": figure, "concealed": concealed_figure}
            sentence = message("ruleset-file.dearer-exposed-hand", **names, **figures)
            yield DoubtfulFigure((exposed.id, concealed.id), sentence)
            return
