"""Reasons why a rule was not counted.

A reason is a message, `not-counted.KEY` of `words.toml`. It names the one thing that keeps the rule
from counting. When two things do, the hand is too far from the rule, and there is no reason.
"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.breakdown import TileSet
from scorer.message import Message, Value, message
from scorer.naming import the_set

Reason = Message | None


def because(key: str, **values: Value) -> Message:
    """Return the reason with this key."""
    return message(f"not-counted.{key}", **values)


def only(faults: Iterable[Reason]) -> Reason:
    """Return the fault if there is exactly one; else None."""
    found = [fault for fault in faults if fault]
    return found[0] if len(found) == 1 else None


def about(key: str, tile_set: TileSet) -> Message:
    """Return the reason that blames a set."""
    return because(key, set=the_set(tile_set))
