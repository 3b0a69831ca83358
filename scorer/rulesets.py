"""The rulesets that the package brings.

>>> shipped("safalra").title
"Safalra's Mah Jong"
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from scorer.hand import RULESETS
from scorer.ruleset import Ruleset
from scorer.ruleset_file import read_ruleset


@lru_cache(maxsize=len(RULESETS))
def shipped(name: str) -> Ruleset:
    """Return the ruleset of this name; raise KeyError when the package has none."""
    if name not in RULESETS:
        raise KeyError(name)
    return read_ruleset(shipped_text(name))


def shipped_text(name: str) -> str:
    """Return the file of a ruleset that the package brings, for a table to copy and edit."""
    return resources.files("scorer").joinpath(f"{name}.toml").read_text("utf-8")
