"""Compare how two computers read a photograph, by the output of `tongbox read --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Reading = Mapping[str, Any]

MAX_CONFIDENCE_DIFFERENCE = 0.02
"""What a tile's confidence may differ by, whose name and question are the same. Both see the same
picture, but two processors round differently, and an unsure tile is weighed with its company: by
0.0122 at most on bookworm and 0.0046 on trixie, on three samples and two real photographs."""

COMPARED_FIELDS = ("width", "height", "sets", "hand_text", "problems")


def find_differences(here: Reading, there: Reading) -> list[str]:
    """Return the differences of two readings that a player would see."""
    found = [
        f"{name}: {here[name]} and {there[name]}"
        for name in COMPARED_FIELDS
        if here[name] != there[name]
    ]
    if len(here["tiles"]) != len(there["tiles"]):
        return [*found, f"{len(here['tiles'])} tiles and {len(there['tiles'])}"]
    for place, (one, other) in enumerate(zip(here["tiles"], there["tiles"], strict=True), start=1):
        found += [
            f"tile {place}, {name}: {one[name]} and {other[name]}"
            for name in ("code", "turn", "doubtful")
            if one[name] != other[name]
        ]
        if abs(one["confidence"] - other["confidence"]) > MAX_CONFIDENCE_DIFFERENCE:
            found.append(f"tile {place}, confidence: {one['confidence']} and {other['confidence']}")
    return found


def confidence_gap(here: Reading, there: Reading) -> float:
    """Return the largest difference in confidence of any tile."""
    pairs = zip(here["tiles"], there["tiles"], strict=False)
    return max((abs(a["confidence"] - b["confidence"]) for a, b in pairs), default=0.0)
