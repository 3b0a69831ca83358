"""The practice levels: what each teaches, how its hands are drawn, what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.ruleset import Ruleset
from scorer.teach.practice.random_hands import Recipe

Asks = Literal["points", "doubles", "limit", "special", "both", "payments"]
"""What is asked: points; also doubles; also the limit; a special hand; an ordinary and a special
sum; or four hands and their payments."""


@dataclass(frozen=True, slots=True)
class PracticeLevel:
    """One practice level."""

    key: str
    """Stable: it is part of addresses and of a player's stored progress."""
    teaches: frozenset[str]
    """The new rules: each hand uses at least one of them, and none of a later level."""
    recipes: tuple[Recipe, ...]
    """The recipes; one is chosen for each hand."""
    asks: Asks


def _rule_ids(text: str) -> frozenset[str]:
    """Return full rule ids: `B02` means BMJA-B02, `R02` means SAF-R02."""
    return frozenset(f"{'SAF' if word[0] == 'R' else 'BMJA'}-{word}" for word in text.split())


PLAIN_WINS = ("wall", "discard")
RARE_WINS = ("loose", "last-tile", "last-discard", "robbed-kong")
VALUED_SPECIALS = (
    "buried-treasure", "heads-and-tails", "wriggling-snake", "imperial-jade",
    "three-great-scholars", "four-blessings", "all-winds-and-dragons", "fourfold-plenty",
    "gates-of-heaven", "thirteen-unique-wonders", "all-pair-honours", "knitting",
    "triple-knitting",
)  # fmt: skip
"""The special hands of tiles with a fixed value."""

DEAR_FISHING_SPECIALS = (
    "three-great-scholars", "four-blessings", "all-winds-and-dragons", "fourfold-plenty",
)  # fmt: skip
"""Special hands that may score more as ordinary hands than for fishing."""

LEVELS: tuple[PracticeLevel, ...] = (
    PracticeLevel("pung", _rule_ids("B02 B03 R02 R03"), (Recipe(sets=(1,)),), "points"),
    PracticeLevel(
        "sets",
        _rule_ids("B04 B05 R04 R05"),
        (Recipe(kinds=("pung", "kong"), sets=(2, 3, 3, 4), pools=("plain", "any", "major")),),
        "points",
    ),
    PracticeLevel(
        "pairs",
        _rule_ids("B06 B07 B08 B09 B10 R06"),
        (
            Recipe(
                kinds=("pung", "pung", "kong"),
                sets=(1, 2, 3),
                pairs=(1, 2, 2),
                pools=("honours-often",),
                bonus=(0, 1, 1, 2),
            ),
        ),
        "points",
    ),
    PracticeLevel(
        "doubles",
        _rule_ids("D01 D02 D03 D04 D05 D06 D07 R07"),
        (
            Recipe(
                kinds=("pung", "pung", "kong"),
                sets=(2, 3),
                pairs=(0, 1, 1),
                pools=("honours-often",),
                bonus=(0, 1, 2, 2, 5),
            ),
        ),
        "doubles",
    ),
    PracticeLevel(
        "mah-jong",
        _rule_ids("B01 B11 B12 C16 R01 R08"),
        (
            Recipe(kinds=("chow", "pung"), ways=PLAIN_WINS, exposed=0.6, bonus=(0, 1, 2)),
            Recipe(kinds=("chow", "pung", "pung", "kong"), ways=PLAIN_WINS, exposed=0.6),
        ),
        "doubles",
    ),
    PracticeLevel(
        "winner",
        _rule_ids("D09 D10 D15 D16 C18 R09"),
        (
            Recipe(kinds=("pung", "kong", "pung"), pools=("any", "clean"), ways=PLAIN_WINS),
            Recipe(kinds=("pung", "pung", "chow"), pools=("clean",), ways=PLAIN_WINS, bonus=(0, 1)),
            Recipe(kinds=("pung", "pung", "kong"), pools=("major",), ways=PLAIN_WINS, exposed=0.6),
            Recipe(
                kinds=("pung", "pung", "chow"),
                pools=("honours-often", "clean"),
                ways=PLAIN_WINS,
                exposed=0.0,
                bonus=(0, 0, 1),
            ),
            Recipe(kinds=("pung", "pung", "chow"), pools=("one-suit",), ways=PLAIN_WINS),
        ),
        "doubles",
    ),
    PracticeLevel(
        "how-won",
        _rule_ids("D08 D11 D12 D13 D14 D17 K02 K03 K04"),
        (
            Recipe(
                kinds=("pung", "pung", "pung", "kong", "chow"),
                pools=("any", "clean", "honours-often"),
                ways=RARE_WINS,
                exposed=0.4,
                bonus=(0, 1),
                lies_open=False,
            ),
            Recipe(
                kinds=("chow", "pung", "pung"),
                pools=("any", "clean"),
                ways=("robbed-kong", *PLAIN_WINS),
                exposed=0.0,  # after an original call nothing is claimed (BMJA-D08)
                calls=0.7,
                lies_open=False,
            ),
        ),
        "doubles",
    ),
    PracticeLevel(
        "limit",
        _rule_ids("L01"),
        (
            Recipe(
                kinds=("pung", "kong"),
                pools=("dear",),
                ways=(*PLAIN_WINS, "loose", "last-tile"),
                exposed=0.4,
                bonus=(0, 1, 2),
                lies_open=False,
            ),
            Recipe(
                kinds=("pung", "pung", "kong"),
                pools=("dear", "clean"),
                ways=PLAIN_WINS,
                exposed=0.7,
                lies_open=False,
            ),
        ),
        "limit",
    ),
    PracticeLevel(
        "special",
        _rule_ids("S01 S02 S04 S12 S13 S14 S15 S16 S17 S18 S19 S20 S21 S22 S23 S24"),
        (
            Recipe(
                shapes=VALUED_SPECIALS,
                ways=PLAIN_WINS,
                exposed=0.3,
                bonus=(0, 1, 2, 3),
                fishing=0.5,
            ),
        ),
        "special",
    ),
    PracticeLevel(
        "intrinsic",
        _rule_ids("S08 S11 S30 S32 C03"),
        (
            Recipe(
                shapes=("purity",),
                ways=(*PLAIN_WINS, "loose", "last-tile"),
                bonus=(0, 1, 2, 3),
                exposed=0.4,
                lies_open=False,
            ),
            Recipe(shapes=DEAR_FISHING_SPECIALS, ways=PLAIN_WINS, fishing=1.0, bonus=(0, 0, 1, 2)),
        ),
        "both",
    ),
    PracticeLevel("settlement", _rule_ids("M01 M02 M03"), (), "payments"),
)
"""The levels from the easiest to the hardest."""

DEAL_LEVEL = PracticeLevel("deal", frozenset(), (), "payments")
"""Stands for the hands of a practice deal, which nobody draws."""

WINNER_RECIPE = Recipe(
    kinds=("pung", "pung", "chow"), pools=("any", "clean"), ways=PLAIN_WINS, bonus=(0, 1)
)
LOSER_RECIPE = Recipe(kinds=("pung", "pung", "kong"), sets=(1, 2, 3), pairs=(0, 1), bonus=(0, 0, 1))
"""The recipes for the four hands of a settlement."""


def rule_ids(rules: Ruleset) -> frozenset[str]:
    """Return the ids of the rules in force that a level may teach."""
    ids = {rule.id for rule in rules.rules} | {special.id for special in rules.specials}
    if rules.limit is not None:
        ids.add("BMJA-L01")
    if rules.specials:  # Safalra's players pay nobody (SAF-P08)
        ids |= {"BMJA-M01", "BMJA-M02", "BMJA-M03"}
    return frozenset(ids)


def levels_for(rules: Ruleset) -> tuple[PracticeLevel, ...]:
    """Return the levels that teach something under these rules."""
    ids = rule_ids(rules)
    return tuple(level for level in LEVELS if level.teaches & ids)


def rules_known_at(key: str) -> frozenset[str]:
    """Return the rules taught up to and including a level."""
    place = [level.key for level in LEVELS].index(key)
    return frozenset().union(*(level.teaches for level in LEVELS[: place + 1]))
