"""The rulebook: the ids of all rules by section, and the options that affect each.

The rows of a ruleset say what a rule gives. This adds the rules without a row, and how special
hands are related.

>>> section_of("SAF-R07"), book_of("SAF-R07")
('SAF-R', 'safalra')
>>> "BMJA-S41" in RULE_IDS, "BMJA-S42" in RULE_IDS
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from scorer.hand import RULESETS
from scorer.ruleset import Option, Rule, Ruleset
from scorer.rulesets.builtin import load_builtin

SECTION_COUNTS = MappingProxyType(
    {
        "BMJA-T": 5, "BMJA-H": 6, "BMJA-B": 14, "BMJA-D": 18, "BMJA-L": 3, "BMJA-S": 41,
        "BMJA-F": 5, "BMJA-K": 9, "BMJA-V": 13, "BMJA-P": 19, "BMJA-G": 7, "BMJA-N": 3,
        "BMJA-W": 3, "BMJA-M": 5, "BMJA-C": 0, "BMJA-I": 10,
        "SAF-T": 3, "SAF-H": 5, "SAF-S": 6, "SAF-P": 9, "SAF-V": 6, "SAF-N": 3, "SAF-R": 0,
    }
)  # fmt: skip
"""The sections, in the order of the book, and the number of the last rule that no row gives.

Rules are numbered from 1. The rows and options of a ruleset's file may go on from there.
"""


def rules_in_file(rules: Ruleset) -> frozenset[str]:
    """Return the ids of all rules, special hands and options of a ruleset's file."""
    ids = {row.id for row in rules.every_rule} | {special.id for special in rules.specials}
    return frozenset(ids | {option.rule for option in rules.options})


CITATION_PATTERN = re.compile(r"\b(?:BMJA|SAF)-[A-Z]\d\d\b")
"""A rule id cited in a text."""

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


def _list_rules() -> Iterator[str]:
    file_rules = {rule for name in RULESETS for rule in rules_in_file(load_builtin(name))}
    for section, count in SECTION_COUNTS.items():
        last = max([count, *(int(rule[-2:]) for rule in file_rules if section_of(rule) == section)])
        yield from (f"{section}{number:02}" for number in range(1, last + 1))


RULE_IDS = tuple(_list_rules())
"""Every rule, in the order of the book."""


def book_of(rule: str) -> str:
    """Return the name of a rule's ruleset."""
    return "bmja" if rule.startswith("BMJA-") else "safalra"


def rows_of(rule: str, rules: Ruleset) -> tuple[Rule, ...]:
    """Return the rows of a rule, including those whose option is off."""
    return tuple(row for row in rules.every_rule if row.id == rule)


def options_about(rule: str, rules: Ruleset) -> tuple[Option, ...]:
    """Return the options that affect a rule."""
    option_names = {row.option for row in rows_of(rule, rules)}
    return tuple(
        option
        for option in rules.options
        if option.rule == rule or option.name in option_names or rule in option.affects
    )


def switch_rule_on(rule: str, rules: Ruleset) -> Ruleset:
    """Return the ruleset with every option on that rows of this rule need."""
    return rules.with_choices(
        tuple(f"{row.option}:on" for row in rows_of(rule, rules) if row.option)
    )
