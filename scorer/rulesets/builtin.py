"""Load the built-in rulesets.

The reader is imported only when the first ruleset is loaded: it doubles the import time.

>>> from scorer.message import to_english
>>> to_english(load_builtin("safalra").title)
"Safalra's Mah Jong"
"""

from __future__ import annotations

from functools import lru_cache

from scorer.hand import RULESETS
from scorer.ruleset import Ruleset
from scorer.rulesets.files import load_builtin_text


@lru_cache(maxsize=len(RULESETS))
def load_builtin(name: str) -> Ruleset:
    """Return the built-in ruleset of this name; raise KeyError for an unknown name."""
    if name not in RULESETS:
        raise KeyError(name)
    from scorer.rulesets.reader import read_ruleset

    return read_ruleset(load_builtin_text(name))
