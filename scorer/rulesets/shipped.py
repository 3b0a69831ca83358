"""The rulesets that the package brings.

What reads their files is imported when the first is read: it would double the time to import.

>>> shipped("safalra").title
"Safalra's Mah Jong"
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from scorer.hand import RULESETS
from scorer.ruleset import Ruleset


@lru_cache(maxsize=len(RULESETS))
def shipped(name: str) -> Ruleset:
    """Return the ruleset of this name; raise KeyError when the package has none."""
    if name not in RULESETS:
        raise KeyError(name)
    from scorer.rulesets.file import read_ruleset

    return read_ruleset(shipped_text(name))


def shipped_text(name: str) -> str:
    """Return the file of a ruleset that the package brings, for a table to copy and edit."""
    return Path(__file__).with_name(f"{name}.toml").read_text("utf-8")
