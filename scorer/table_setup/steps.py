"""What is to be done or to be known at the table: a message with the rule that says so.

>>> from scorer.naming import wind
>>> step("BMJA-P05", "which", throw=8, wall=wind("N")).text
"East throws 8: counted anti-clockwise from East, this is North's wall."
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.message import Message, Value, english, message


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do or to know at the table, with its rule."""

    rule: str
    says: Message

    @property
    def text(self) -> str:
        """What it says, in English."""
        return english(self.says)


def step(rule: str, sentence: str, **values: Value) -> Step:
    """Return the step that this sentence of `words.toml` says."""
    return Step(rule, message(f"step.{sentence}", **values))
