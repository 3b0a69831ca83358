"""The rule of each thing that happens in a deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scorer.hand import RULESETS, Codes


class Happening(NamedTuple):
    """One thing that happened."""

    rule: str
    """The rule's id, such as `BMJA-P12`; empty where the game's rules say nothing of it."""
    kind: str
    """A key of `RULE_IDS["bmja"]`."""
    seat: str
    tiles: Codes = ()
    """The tiles of it; which of them others see is for `view` to say."""


RULE_IDS: Mapping[str, Mapping[str, str]] = {
    "bmja": {
        "deal": "BMJA-P09",
        "bonus": "BMJA-P10",
        "bonus-in-play": "BMJA-T05",
        "loose": "BMJA-P16",
        "draw": "BMJA-P12",
        "discard": "BMJA-P12",
        "chow": "BMJA-P13",
        "pung": "BMJA-P13",
        "kong": "BMJA-P13",
        "concealed-kong": "BMJA-K05",
        "added-kong": "BMJA-K07",
        "robbing": "BMJA-K08",
        "mah-jong": "BMJA-P17",
        "fishing": "BMJA-F01",
        "original-call": "BMJA-D08",
        "swap": "BMJA-G02",
        "stand": "BMJA-G03",
        "stop": "BMJA-G03",
        "wash-out": "BMJA-P18",
    },
    "safalra": {
        "deal": "SAF-S06",
        "loose": "SAF-P01",
        "draw": "SAF-P01",
        "discard": "SAF-P01",
        "chow": "SAF-H05",
        "pung": "SAF-P02",
        "kong": "SAF-P02",
        "concealed-kong": "SAF-P01",
        "added-kong": "SAF-P03",
        "mah-jong": "SAF-P04",
        "wash-out": "SAF-P06",
    },
}
"""The rule ids by the shipped game, and by what happens."""


def rule_of(ruleset: str, kind: str) -> str:
    """Return the rule's id; a table's own rules are played as the British ones."""
    game = ruleset if ruleset in RULE_IDS else RULESETS[0]
    return RULE_IDS[game].get(kind, "")
