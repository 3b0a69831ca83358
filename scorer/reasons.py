"""Reasons why a rule was not counted.

A reason is a message, `not-counted.KEY` of `words.toml`. It names the one thing that keeps the rule
from counting. When two things do, the hand is too far from the rule, and there is no reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from scorer.breakdown import TileSet
from scorer.message import Message, Value, message
from scorer.tile_names import name_the_set

Reason = Message | None


def make_reason(key: str, **values: Value) -> Message:
    """Return the reason with this key."""
    return message(f"not-counted.{key}", **values)


def sole_reason(faults: Iterable[Reason]) -> Reason:
    """Return the fault if there is exactly one; else None."""
    reasons = [*islice(filter(None, faults), 2)]
    return reasons[0] if len(reasons) == 1 else None


def make_set_reason(key: str, tile_set: TileSet) -> Message:
    """Return the reason that blames a set."""
    return make_reason(key, set=name_the_set(tile_set))
