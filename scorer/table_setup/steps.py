"""Steps of setting the table: messages with the rules that they follow.

>>> from scorer.tile_names import name_wind
>>> make_step("BMJA-P05", "which", throw=8, wall=name_wind("N")).text
"East throws 8: counted anti-clockwise from East, this is North's wall."
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.message import Message, Value, message, to_english


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do or to know at the table, and its rule."""

    rule: str
    says: Message

    @property
    def text(self) -> str:
        """The message in English."""
        return to_english(self.says)


def make_step(rule: str, sentence: str, **values: Value) -> Step:
    """Return the step with the sentence `step.SENTENCE` of `words.toml`."""
    return Step(rule, message(f"step.{sentence}", **values))
