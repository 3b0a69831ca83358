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


def find_differences(local: Reading, remote: Reading) -> list[str]:
    """Return the differences of two readings that a player would see."""
    differences = [
        f"{name}: {local[name]} and {remote[name]}"
        for name in COMPARED_FIELDS
        if local[name] != remote[name]
    ]
    if len(local["tiles"]) != len(remote["tiles"]):
        return [*differences, f"{len(local['tiles'])} tiles and {len(remote['tiles'])}"]
    for place, (local_tile, other) in enumerate(
        zip(local["tiles"], remote["tiles"], strict=True), start=1
    ):
        differences += [
            f"tile {place}, {name}: {local_tile[name]} and {other[name]}"
            for name in ("code", "turn", "doubtful")
            if local_tile[name] != other[name]
        ]
        if abs(local_tile["confidence"] - other["confidence"]) > MAX_CONFIDENCE_DIFFERENCE:
            differences.append(
                f"tile {place}, confidence: {local_tile['confidence']} and {other['confidence']}"
            )
    return differences


def confidence_gap(local: Reading, remote: Reading) -> float:
    """Return the largest difference in confidence of any tile."""
    pairs = zip(local["tiles"], remote["tiles"], strict=False)
    return max((abs(a["confidence"] - b["confidence"]) for a, b in pairs), default=0.0)
