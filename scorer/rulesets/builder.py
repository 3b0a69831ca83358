"""Build a ruleset of the data of a file in which no fault was found.

>>> build_ruleset(load_builtin_data("safalra")).name
'safalra'
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scorer.hand import RULESETS
from scorer.message import rule_text
from scorer.patterns.frames import compile_pattern
from scorer.patterns.wording import describe_pattern
from scorer.ruleset import (
    ForeignRule,
    Laying,
    Option,
    PaymentFigures,
    Rule,
    Ruleset,
    SpecialHand,
    SpecialVariant,
    TwoPlayers,
    with_options,
)
from scorer.rulesets.example_hands import write_example
from scorer.rulesets.files import load_builtin_data
from scorer.rulesets.sentences import mend_sentence

HAND_KEYS = ("pattern", "concealed", "claim")
"""The keys of a foreign rule that make its hand."""

PLAIN_KEYS = (
    "limit", "ordinary_limit", "author", "version", "goulash", "bonus_tiles", "prevailing_wind",
    "one_suit", "chow_claims",
)  # fmt: skip
"""The keys of a file whose values a ruleset has as they stand, under the same names."""

PRICED_KEYS = ("who", "points", "exposed", "concealed")
"""The keys of a rule that say who gets what: its fields for these have other names."""


def build_ruleset(data: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset that the data of a file without faults describes."""
    # Of a built-in game, files may leave blocks out, and change figures of which a sentence speaks.
    game = load_builtin_data(data["name"] if data["name"] in RULESETS else RULESETS[0])
    rules = tuple(_build_rule(row, game["rule"]) for row in data["rule"])
    options = tuple(Option(**_convert_texts(row, "sentence")) for row in data.get("option", ()))
    rows = (row for row in data.get("special", ()) if row.get("played", True))
    specials = sorted(map(_build_special, rows), key=lambda special: -special.value)
    two = data.get("two_players")
    ruleset = Ruleset(
        name=data["name"],
        title=rule_text(data["title"]),
        chows=MappingProxyType(data["chows"]),
        rules=rules,
        every_rule=rules,
        players=tuple(data["players"]),
        notice=rule_text(data["notice"]) if data.get("notice") else "",
        kong_box=MappingProxyType(data.get("kong_box", game["kong_box"])),
        payments=PaymentFigures(**data.get("payments", game["payments"])),
        every_special=tuple(specials),
        options=options,
        layings=tuple(Laying(**row) for row in data.get("laying", ())),
        every_foreign_rule=tuple(map(_build_foreign_rule, data.get("elsewhere", ()))),
        two_players=TwoPlayers(**two) if two else None,
        **{key: data[key] for key in PLAIN_KEYS if key in data},
    )
    return with_options(ruleset, frozenset(special.name for special in options if special.default))


def _convert_texts(row: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return a row in which the texts of these keys are messages, and lists are tuples."""
    lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
    return {**row, **lists, **{key: rule_text(row[key]) for key in keys}}


def _build_special(row: dict[str, Any]) -> SpecialHand:
    patterns = {"pattern": compile_pattern(row["pattern"])} if "pattern" in row else {}
    variants = tuple(
        SpecialVariant(
            each["option"],
            compile_pattern(each["pattern"]) if "pattern" in each else None,
            each.get("claim"),
        )
        for each in row.get("variants", ())
    )
    fields = {key: row[key] for key in row if key not in ("played", "sentence")}
    if "pattern" in row and "examples" not in row:
        fields["examples"] = [write_example(row["pattern"], concealed=row.get("concealed", False))]
    sentence = rule_text(row["sentence"]) if "sentence" in row else describe_pattern(row["pattern"])
    values = _convert_texts(fields, "name")
    return SpecialHand(**{**values, **patterns, "sentence": sentence, "variants": variants})


def _build_foreign_rule(row: dict[str, Any]) -> ForeignRule:
    fields = {
        key: value for key, value in _convert_texts(row, "label").items() if key not in HAND_KEYS
    }
    winner_only = fields.pop("who", "winner") == "winner"
    hand = None
    if "pattern" in row:
        hand = SpecialHand(
            id=row["label"],
            name=fields["label"],
            sentence=fields["label"],
            pattern=compile_pattern(row["pattern"]),
            concealed=row.get("concealed", False),
            claim=row.get("claim", "any"),
        )
    return ForeignRule(**fields, winner_only=winner_only, hand=hand)


def _build_rule(row: dict[str, Any], shipped_rows: list[dict[str, Any]]) -> Rule:
    values = _convert_texts(row, "label").items()
    fields = {key: value for key, value in values if key not in PRICED_KEYS}
    points = row.get("points", 0)
    return Rule(
        **{**fields, "sentence": rule_text(mend_sentence(row, shipped_rows))},
        winner_only=row["who"] == "winner",
        exposed_points=row.get("exposed", points),
        concealed_points=row.get("concealed", points),
    )
