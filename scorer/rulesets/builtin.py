"""Load the built-in rulesets.

The reader is imported only when the first ruleset is loaded: it doubles the import time.

>>> from scorer.message import to_english
>>> to_english(load_builtin("safalra").title)
"Safalra's Mah Jong"
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from scorer.hand import RULESETS
from scorer.ruleset import Ruleset

SAMPLES = ("western", "classical", "thirty-hands")
"""Rules of others as files, for a table to copy and edit; no hand may name them."""


@lru_cache(maxsize=len(RULESETS))
def load_builtin(name: str) -> Ruleset:
    """Return the built-in ruleset of this name; raise KeyError for an unknown name."""
    if name not in RULESETS:
        raise KeyError(name)
    from scorer.rulesets.reader import read_ruleset

    return read_ruleset(load_builtin_text(name))


def load_builtin_text(name: str) -> str:
    """Return the text of a built-in ruleset's file, for a table to copy and edit."""
    return Path(__file__).with_name(f"{name}.toml").read_text("utf-8")


def load_sample_text(name: str) -> str:
    """Return the text of a sample ruleset's file, for a table to copy and edit."""
    return (Path(__file__).parent / "samples" / f"{name}.toml").read_text("utf-8")
