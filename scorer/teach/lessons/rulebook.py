"""The rulebook: the ids of all rules by section, and the options that affect each.

The ruleset's rows say what a rule gives. This adds which rules exist and how they are related.

>>> section_of("SAF-R07"), book_of("SAF-R07")
('SAF-R', 'safalra')
>>> "BMJA-S41" in RULE_IDS, "BMJA-S42" in RULE_IDS
(True, False)
"""

from __future__ import annotations

import re
from types import MappingProxyType

from scorer.ruleset import Option, Rule, Ruleset

RULE_COUNTS = MappingProxyType(
    {
        "BMJA-T": 5, "BMJA-H": 6, "BMJA-B": 14, "BMJA-D": 18, "BMJA-L": 3, "BMJA-S": 41,
        "BMJA-F": 5, "BMJA-K": 9, "BMJA-V": 13, "BMJA-P": 19, "BMJA-G": 7, "BMJA-N": 3,
        "BMJA-W": 3, "BMJA-M": 5, "BMJA-C": 18, "BMJA-I": 10,
        "SAF-T": 3, "SAF-H": 5, "SAF-S": 6, "SAF-P": 9, "SAF-V": 6, "SAF-N": 3, "SAF-R": 9,
    }
)  # fmt: skip
"""The number of rules in each section; rules are numbered from 1."""

RULE_IDS = tuple(
    f"{section}{number:02}"
    for section, count in RULE_COUNTS.items()
    for number in range(1, count + 1)
)
"""Every rule, in the order of the book."""

CITATION_PATTERN = re.compile(r"\b(?:BMJA|SAF)-[A-Z]\d\d\b")
"""A rule id cited in a text."""

RULES_BY_OPTION = MappingProxyType(
    {
        "fishing_intrinsic_includes_bonus": ("BMJA-S02", "BMJA-S08", "BMJA-F03"),
        "purity_loose_tile_scores": ("BMJA-S11", "BMJA-S30"),
        "purity_final_discard_doubles": ("BMJA-S11", "BMJA-S31"),
        "original_call_winner_extra": ("BMJA-D17",),
        "bouquet_includes_own": ("BMJA-D04", "BMJA-D05", "BMJA-D06", "BMJA-D07"),
        "concealed_needs_sets": ("BMJA-D16",),
        "purity_intrinsic_concealed": ("BMJA-S11", "BMJA-S32"),
        "knitting_two_suits": ("BMJA-S13", "BMJA-S35"),
        "buried_treasure_last_pung_claimable": ("BMJA-S15", "BMJA-S36", "BMJA-K02"),
        "loose_tiles_spread": ("BMJA-P07",),
        "fishing_must_be_declared": ("BMJA-F01",),
        "last_tile_from_live_wall": ("BMJA-B12", "BMJA-D12"),
        "gates_only_terminal_claimable": ("BMJA-S23", "BMJA-S37"),
        "jade_chows": ("BMJA-S18",),
        "prevailing_wind_doubles": ("BMJA-M03", "BMJA-W03"),
        "only_possible_tile": ("BMJA-B13",),
        "pair_completed": ("BMJA-B13",),
        "clean_hand": ("BMJA-D10",),
        "one_suit_with_chow": ("BMJA-C18",),
        "heaven_after_bonus_tiles": ("BMJA-S25",),
        "two_player_minimum": ("BMJA-N02",),
    }
)
"""Option to the rules that it changes, besides its own rule."""


RELATED_RULES = MappingProxyType(
    {
        "BMJA-S11": ("BMJA-S30", "BMJA-S31", "BMJA-S32", "BMJA-S33"),
        "BMJA-S12": ("BMJA-S07", "BMJA-S34"),
        "BMJA-S13": ("BMJA-S35",),
        "BMJA-S15": ("BMJA-S36",),
        "BMJA-S17": ("BMJA-S10",),
        "BMJA-S19": ("BMJA-S38",),
        "BMJA-S20": ("BMJA-S38",),
        "BMJA-S21": ("BMJA-S38",),
        "BMJA-S23": ("BMJA-S37", "BMJA-S10"),
        "BMJA-S25": ("BMJA-S39", "BMJA-S41"),
        "BMJA-S26": ("BMJA-S41",),
        "BMJA-S27": ("BMJA-S41",),
        "BMJA-S28": ("BMJA-S41",),
        "BMJA-S29": ("BMJA-S41",),
    }
)
"""Special hand to the rules that say more about it."""


def section_of(rule: str) -> str:
    """Return the section of a rule, such as `BMJA-B`."""
    return rule[:-2]


def book_of(rule: str) -> str:
    """Return the name of a rule's ruleset."""
    return "bmja" if rule.startswith("BMJA-") else "safalra"


def rows_of(rule: str, rules: Ruleset) -> tuple[Rule, ...]:
    """Return the rows of a rule, including those whose option is off."""
    return tuple(row for row in rules.every_rule if row.id == rule)


def options_about(rule: str, rules: Ruleset) -> tuple[Option, ...]:
    """Return the options that affect a rule."""
    named = {row.option for row in rows_of(rule, rules)}
    return tuple(
        option
        for option in rules.options
        if option.rule == rule
        or option.name in named
        or rule in RULES_BY_OPTION.get(option.name, ())
    )


def switch_rule_on(rule: str, rules: Ruleset) -> Ruleset:
    """Return the ruleset with every option on that rows of this rule need."""
    return rules.with_choices(
        tuple(f"{row.option}:on" for row in rows_of(rule, rules) if row.option)
    )
