"""A hand of the table laid again by other hands: other tiles, another set, room and view."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

Entry = dict[str, Any]

SETTINGS = ("kitchen-table", "sitting-room", "evening-lamp", "club-table", "late-night")
ALIKE = (("B", "C", "O"), ("WE", "WS", "WW", "WN"), ("DR", "DG", "DW"))
"""Suits, winds and dragons may change places: what is laid stays a set."""


def varied(entry: Entry, seed: int) -> Entry:
    """Return the same layout with other tiles, seen otherwise; the same for the same seed."""
    rng = np.random.default_rng([seed, *entry["name"].encode()])
    other: dict[str, str] = {}
    for group in ALIKE:
        other |= dict(zip(group, rng.permutation(group).tolist(), strict=True))
    names = {code: _named(code, other) for code in _codes(entry)}
    view = {
        "setting": str(rng.choice(SETTINGS)),
        "elevation": rng.uniform(40.0, 88.0),
        "bearing": rng.normal(0.0, 12.0),
        "roll": rng.normal(0.0, 4.0),
        "wobble": abs(rng.normal(0.0, 0.02)),
        "seed": seed,
    }
    rows = [[_marked(group, names) for group in sets] for sets in entry["rows"]]
    said = {
        rules: re.sub(r"([A-Z])([\dA-Z]+)", lambda m: _word(m[1], m[2], names), entry[rules])
        for rules in ("bmja", "safalra")
        if rules in entry
    }
    won = {"won": names[entry["won"]]} if "won" in entry else {}
    return entry | view | {"rows": rows} | said | won


def _codes(entry: Entry) -> set[str]:
    return {m.lstrip("_>^") for sets in entry["rows"] for group in sets for m in group.split()}


def _named(code: str, other: dict[str, str]) -> str:
    return other.get(code, other.get(code[0], code[0]) + code[1])


def _marked(group: str, names: dict[str, str]) -> str:
    marks = (re.fullmatch(r"([_>^]?)(\w\w)", mark) for mark in group.split())
    return " ".join(m[1] + names[m[2]] for m in marks if m)


def _word(letter: str, ranks: str, names: dict[str, str]) -> str:
    codes = [names.get(letter + rank, letter + rank) for rank in ranks]
    return codes[0][0] + "".join(code[1] for code in codes)
