"""The contents of a ruleset's reference card, in the order in which a score is counted.

>>> from scorer.message import to_english
>>> from scorer.rulesets.builtin import load_builtin
>>> [to_english(row.label) for row in make_reference_card(load_builtin("safalra")).pairs_and_bonus]
['Pair of honours']
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

from scorer.message import Message
from scorer.ruleset import Option, Rule, Ruleset, SpecialHand

SETTLING_RULES = MappingProxyType(
    {"bmja": ("BMJA-M01", "BMJA-M02", "BMJA-M03"), "safalra": ("SAF-P08", "SAF-P07")}
)
"""The rules that say who pays whom, by ruleset."""

LAYING_RULES = MappingProxyType(
    {"bmja": ("BMJA-V03", "BMJA-V04", "BMJA-V05"), "safalra": ("SAF-V02", "SAF-V03")}
)
"""The rules that say how kongs and pungs are laid, by ruleset."""


@dataclass(frozen=True, slots=True)
class ReferenceCard:
    """The rows of a ruleset that are in force, each in one section."""

    sets: tuple[Rule, ...]
    """Points that depend on whether a set is exposed."""
    pairs_and_bonus: tuple[Rule, ...]
    """Other points for all players."""
    winner: tuple[Rule, ...]
    doubles: tuple[Rule, ...]
    winner_doubles: tuple[Rule, ...]
    specials: tuple[SpecialHand, ...]
    """Dearest first."""
    beside_specials: tuple[Rule, ...]
    """Rules that count only with special hands."""
    choices: tuple[tuple[Option, bool], ...]
    """The options that differ from their defaults, and whether they are on."""
    settling: tuple[str, ...]
    laying: tuple[str, ...]


def make_reference_card(rules: Ruleset) -> ReferenceCard:
    """Return the reference card of a ruleset with the table's choices."""
    counting_rows = [row for row in rules.rules if row.gives]
    ordinary = _drop_repeats(row for row in counting_rows if row.of not in ("special", "apart"))
    points = [row for row in ordinary if not row.doubles]
    doubles = [row for row in ordinary if row.doubles]
    everyone = [row for row in points if not row.winner_only]
    sets = [row for row in everyone if row.exposed_points != row.concealed_points]
    return ReferenceCard(
        sets=tuple(sets),
        pairs_and_bonus=tuple(row for row in everyone if row not in sets),
        winner=tuple(row for row in points if row.winner_only),
        doubles=tuple(row for row in doubles if not row.winner_only),
        winner_doubles=tuple(row for row in doubles if row.winner_only),
        specials=tuple(sorted(rules.specials, key=lambda special: -special.value)),
        beside_specials=tuple(row for row in counting_rows if row.of in ("special", "apart")),
        choices=tuple(
            (option, rules.is_on(option.name))
            for option in rules.options
            if rules.is_on(option.name) != option.default
        ),
        settling=SETTLING_RULES[rules.name],
        laying=LAYING_RULES[rules.name],
    )


def _drop_repeats(rows: Iterable[Rule]) -> list[Rule]:
    """Return the rows, of those that a player reads as one and the same only the first."""
    rows_by_key: dict[tuple[str, Message, int, int], Rule] = {}
    for row in rows:
        rows_by_key.setdefault((row.id, row.label, row.concealed_points, row.doubles), row)
    return list(rows_by_key.values())
