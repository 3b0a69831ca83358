"""Load the built-in rulesets.

What builds them is imported only when the first one is loaded. Their files are not checked again:
the tests find no fault in them.

>>> from scorer.message import to_english
>>> to_english(load_builtin("safalra").title)
"Safalra's Mah Jong"
"""

from __future__ import annotations

from functools import lru_cache

from scorer.hand import RULESETS
from scorer.ruleset import Ruleset


@lru_cache(maxsize=len(RULESETS))
def load_builtin(name: str) -> Ruleset:
    """Return the built-in ruleset of this name; raise KeyError for an unknown name."""
    if name not in RULESETS:
        raise KeyError(name)
    from scorer.rulesets.builder import build_ruleset
    from scorer.rulesets.files import load_builtin_data

    return build_ruleset(load_builtin_data(name))
