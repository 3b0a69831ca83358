"""Read a ruleset from its file, or report every fault in it by line.

The keys of such a file are English words, so messages about them are English in every language.

>>> read_ruleset("= 4")
Traceback (most recent call last):
scorer.rulesets.file.RulesetError: Line 1: This is not written as TOML must be: Invalid statement.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from scorer.errors import ScorerError, error
from scorer.message import plain
from scorer.ruleset import Laying, Option, Rule, Ruleset, SpecialHand, TwoPlayers, with_options
from scorer.rulesets.checks import faults
from scorer.rulesets.line_numbers import Lines
from scorer.rulesets.syntax import syntax_fault
from scorer.rulesets.values import Fault

BYTE_ORDER_MARK = "\ufeff"
"""Some editors write it at the start of a file."""


class RulesetError(ScorerError):
    """Raised for a file that is no ruleset; every message begins with its line number."""


def read_ruleset(text: str) -> Ruleset:
    """Return the ruleset in a text; raise RulesetError with every fault."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as failure:  # all that tomllib raises
        line, message = syntax_fault(text, failure)
        raise RulesetError((error("syntax", plain(f"Line {line}: {message}")),)) from failure
    found = list(faults(data))
    if found:
        raise _refusal(text, found)
    return _ruleset(data)


def _refusal(text: str, found: Iterable[Fault]) -> RulesetError:
    lines = Lines(text)
    placed = sorted(((lines.of(each.at), each) for each in found), key=lambda pair: pair[0])
    return RulesetError(
        tuple(error(each.code, plain(f"Line {line}: {each.message}")) for line, each in placed)
    )


def _ruleset(data: dict[str, Any]) -> Ruleset:
    rules = tuple(_rule(row) for row in data["rule"])
    options = tuple(Option(**row) for row in data.get("option", ()))
    specials = [SpecialHand(**row) for row in data.get("special", ())]
    two = data.get("two_players")
    ruleset = Ruleset(
        name=data["name"],
        title=data["title"],
        chows=MappingProxyType(data["chows"]),
        rules=rules,
        every_rule=rules,
        players=tuple(data["players"]),
        limit=data.get("limit"),
        notice=data.get("notice", ""),
        specials=tuple(sorted(specials, key=lambda each: -each.value)),
        options=options,
        layings=tuple(Laying(**row) for row in data.get("laying", ())),
        two_players=TwoPlayers(**two) if two else None,
        goulash=data.get("goulash", False),
        bonus_tiles=data.get("bonus_tiles", False),
        prevailing_wind=data.get("prevailing_wind", False),
        one_suit=data.get("one_suit", False),
        chow_claims=data.get("chow_claims", True),
    )
    return with_options(ruleset, frozenset(each.name for each in options if each.default))


def _rule(row: dict[str, Any]) -> Rule:
    points = row.get("points", 0)
    return Rule(
        id=row["id"],
        of=row["of"],
        label=row["label"],
        sentence=row["sentence"],
        winner_only=row["who"] == "winner",
        when=row.get("when", ""),
        kinds=tuple(row.get("kinds", ())),
        ways=tuple(row.get("ways", ())),
        exposed_points=row.get("exposed", points),
        concealed_points=row.get("concealed", points),
        doubles=row.get("doubles", 0),
        option=row.get("option", ""),
        special=row.get("special", ""),
        below=row.get("below", 0),
    )
