"""What a ruleset's file from outside may not hold, though files that a box kept before may.

A match carries its file for ever (`docs/decisions.md`, 23), so this is looked for only where a file
comes in.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scorer.hand import RULESETS
from scorer.message import message
from scorer.rulesets.checks import Fault, Faults, find_rows, quote, quote_name
from scorer.rulesets.files import load_builtin_data
from scorer.rulesets.line_numbers import KeyPath
from scorer.unseen_signs import find_unseen


def find_outside_faults(data: Mapping[str, Any]) -> Faults:
    """Yield signs that nobody sees, numbers of players said twice, and rules of one id or name."""
    for path, text in _find_texts((), data):
        if sign := find_unseen(text):
            sentence = message("ruleset-file.unseen-sign", sign=sign)
            yield Fault(path, "wrong-value", sentence)
    yield from _find_players_twice(data)
    yield from _find_ids_twice(data)
    yield from _find_names_twice(data)


def _find_texts(path: KeyPath, value: object) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield (*path, key), key
            yield from _find_texts((*path, key), each)
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from _find_texts((*path, place), each)


def _find_players_twice(data: Mapping[str, Any]) -> Faults:
    players = data.get("players")
    counts = Counter(map(repr, players if isinstance(players, list) else ()))
    for number in (each for each, times in counts.items() if times > 1):
        text = message("ruleset-file.twice", key="players", value=number)
        yield Fault(("players",), "declared-twice", text)


def _find_ids_twice(data: Mapping[str, Any]) -> Faults:
    """Refuse a second rule of one id, except where the shipped rules of the game have it, too."""
    shipped_counts = Counter(
        str(row.get("id")) for _, row in find_rows(_load_shipped(data), "rule")
    )
    counts = Counter[str]()
    for block in ("rule", "special"):
        block_counts = Counter[str]()
        for path, row in find_rows(data, block):
            row_id = str(row.get("id"))
            block_counts[row_id] += 1
            # A second special hand of one id is refused in any file.
            known_count = counts[row_id] + (block_counts[row_id] if block == "rule" else 1)
            if known_count > max(1, shipped_counts[row_id]):
                text = message("ruleset-file.twice", key="id", value=quote(row_id))
                yield Fault((*path, "id"), "declared-twice", text)
        counts += block_counts


def fold_name(name: object) -> str:
    """Return a name for comparison: without case, width of letters and more than one space."""
    return " ".join(unicodedata.normalize("NFKC", str(name)).casefold().split())


def _find_names_twice(data: Mapping[str, Any]) -> Faults:
    """Refuse a hand or a rule that reads like another, unless the shipped rules have two, too."""
    shipped_counts = Counter(fold_name(name) for _, name in _find_names(_load_shipped(data)))
    counts, hands = Counter[str](), set[str]()
    for path, name in _find_names(data):
        counts[fold_name(name)] += 1
        is_taken = counts[fold_name(name)] > max(1, shipped_counts[fold_name(name)])
        if is_taken and name not in hands:  # two hands of the very same name: in any file
            sentence = message("ruleset-file.name-taken", key=str(path[-1]), value=quote_name(name))
            yield Fault(path, "declared-twice", sentence)
        hands |= {name} if path[0] == "special" else set()


def _find_names(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield the name of each rule and each special hand that has one."""
    for block, key in (("rule", "label"), ("special", "name")):
        for at, row in find_rows(data, block):
            if key in row:
                yield (*at, key), str(row[key])


def _load_shipped(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of the shipped rules of the same game; empty for no such game."""
    name = str(data.get("name"))
    return load_builtin_data(name) if name in RULESETS else {}
