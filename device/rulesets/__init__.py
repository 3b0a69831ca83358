"""Custom rulesets: the rules that a box's players made or brought, in all their versions.

A key names a ruleset in the log, in a form or on the command line: `bmja` is a shipped ruleset,
`ours-1` the newest version of a custom one, `ours-1@3` its version 3.
"""

from __future__ import annotations

import re

from scorer.hand import RULESETS

_CUSTOM_KEY = re.compile(r"(ours-[0-9]{1,6})(?:@([0-9]{1,6}))?")


def is_ruleset_key(key: str) -> bool:
    """Whether a key has the form of a ruleset's; there need not be such a ruleset.

    >>> is_ruleset_key("bmja"), is_ruleset_key("ours-12@3"), is_ruleset_key("riichi")
    (True, True, False)
    """
    return key in RULESETS or parse_custom_key(key) is not None


def parse_custom_key(key: str) -> tuple[str, int] | None:
    """Return the id and the version in the key of a custom ruleset; None for any other.

    The version is 0 where the key means the newest.

    >>> parse_custom_key("ours-1@3"), parse_custom_key("ours-2"), parse_custom_key("bmja")
    (('ours-1', 3), ('ours-2', 0), None)
    """
    key_match = _CUSTOM_KEY.fullmatch(key)
    return (key_match[1], int(key_match[2] or 0)) if key_match else None
