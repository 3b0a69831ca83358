"""Two readings of a photograph differ where a player would see it."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.real.compare import (
    MAX_CONFIDENCE_DIFFERENCE,
    confidence_gap,
    find_differences,
)

REPO = Path(__file__).parents[2]

TILE = {"code": "B1", "confidence": 0.9, "turn": 0, "doubtful": False, "quad": [[0, 0]] * 4}
READING: dict[str, Any] = {
    "photo": "a.jpg", "width": 8, "height": 6, "tiles": [TILE, TILE | {"code": "B2"}],
    "sets": [{"tiles": [0, 1], "row": "concealed", "kind": "loose"}], "hand_text": "| B12 |",
    "problems": [], "ms": {"total": 5},
}  # fmt: skip


def changed_reading(**tile: object) -> dict[str, Any]:
    other = copy.deepcopy(READING)
    other["tiles"][1] |= tile
    return other


@pytest.mark.parametrize(
    ("other", "expected", "reason"),
    [
        (READING | {"ms": {"total": 900}, "photo": "/b/a.jpg"}, 0, "slower, elsewhere: no matter"),
        (changed_reading(confidence=0.9 - MAX_CONFIDENCE_DIFFERENCE / 2), 0, "rounded differently"),
        (changed_reading(quad=[[1, 0]] * 4), 0, "a pixel beside: nobody sees that"),
        (changed_reading(confidence=0.9 - MAX_CONFIDENCE_DIFFERENCE * 2), 1, "too far"),
        (changed_reading(code="B3"), 1, "another tile"),
        (changed_reading(doubtful=True), 1, "a question that the other does not ask"),
        (changed_reading(turn=180), 1, "the other way up"),
        (READING | {"sets": []}, 1, "other sets"),
        (READING | {"hand_text": "B12 ||"}, 1, "another hand"),
        (READING | {"problems": [{"code": "too-dark", "message": "..."}]}, 1, "another note"),
        (READING | {"tiles": [TILE]}, 1, "a tile less"),
    ],
)
def test_what_a_player_would_see_is_found(
    other: dict[str, Any], expected: int, reason: str
) -> None:
    assert len(find_differences(READING, other)) == expected, reason


def test_the_furthest_confidence_is_told() -> None:
    assert confidence_gap(READING, changed_reading(confidence=0.4)) == pytest.approx(0.5)
    assert confidence_gap(READING, READING | {"tiles": []}) == 0


def test_the_guest_needs_nothing_but_python() -> None:
    """The virtual machine's own Python has no packages."""
    load = f"import sys; sys.path.insert(0, {str(REPO)!r}); import tests.real.guest"
    subprocess.run([sys.executable, "-I", "-S", "-c", load], check=True)
