"""Rules of British Mah-Jong: tiles, hand text, scoring. Pure: the standard library alone.

Programs score hands by the names below (docs/library.md).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorer.breakdown import Breakdown as Breakdown
    from scorer.breakdown import Line as Line
    from scorer.errors import HandError as HandError
    from scorer.errors import HandProblem as HandProblem
    from scorer.errors import NotationError as NotationError
    from scorer.hand import Hand as Hand
    from scorer.message import to_english as to_english
    from scorer.notation import format_hand as format_hand
    from scorer.notation import parse_hand as parse_hand
    from scorer.ruleset import Ruleset as Ruleset
    from scorer.rulesets.builtin import load_builtin as load_builtin
    from scorer.score import score as _score

    score_hand = _score

if not TYPE_CHECKING:
    _HOMES = {
        "Breakdown": "scorer.breakdown",
        "Hand": "scorer.hand",
        "HandError": "scorer.errors",
        "HandProblem": "scorer.errors",
        "Line": "scorer.breakdown",
        "NotationError": "scorer.errors",
        "Ruleset": "scorer.ruleset",
        "format_hand": "scorer.notation",
        "load_builtin": "scorer.rulesets.builtin",
        "parse_hand": "scorer.notation",
        "score_hand": "scorer.score:score",
        "to_english": "scorer.message",
    }
    """Where each public name is; one under another name stands after a colon."""

    __all__ = list(_HOMES)

    def __getattr__(name: str) -> object:
        """Load a public name at its first use: a command loads no more than it needs."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = _HOMES[name].partition(":")
        return getattr(import_module(module), attribute or name)
