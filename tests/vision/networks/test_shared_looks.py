"""Tiles that look alike get one name and one doubt; unlike ones do not share a name for sure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.tiles import CODES
from vision.networks.classifier import to_classification
from vision.networks.locator import Detection
from vision.networks.shared_looks import share_looks
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import LABELS, NO_TILE, Float32s

GATE = 0.95
QUAD = np.array([[10, 10], [40, 10], [40, 50], [10, 50]], np.float32)
CROP = np.zeros((80, 64, 3), np.uint8)
Chances = Mapping[str, float]


def look(first: float, second: float = 0.0) -> Float32s:
    """Return an embedding with these cosines to the first two axes."""
    rest = np.sqrt(max(1 - first**2 - second**2, 0.0))
    return np.array([first, second, rest, *[0.0] * 125], np.float32)


RINGS, LOOKS_LIKE_RINGS, STICKS = look(1.0), look(0.9), look(0.1)


def sight(chances: Chances, embedding: Float32s, turn: int = 0) -> NamedDetection:
    """Return a tile with these chances; the rest is spread over all other answers."""
    other_labels = [label for label in LABELS if label not in chances]
    rest = max(1 - sum(chances.values()), 0.0) / len(other_labels)
    of_all = np.array([chances.get(label, rest) for label in LABELS], np.float32)
    turns = np.eye(4, dtype=np.float32)[turn]
    classification = to_classification(of_all, turns, embedding, np.zeros((), np.float32))
    return NamedDetection(Detection(QUAD, 0.9), classification, CROP)


def names(*sights: NamedDetection) -> list[tuple[str, bool]]:
    """Return the codes of the tiles once they share looks, and whether each is doubtful."""
    return [
        (s.classification.code, s.classification.confidence < GATE)
        for s in share_looks(sights, GATE)
    ]


SURE = {"O6": 0.9999}
DOUBTED_CHANCES = {"O6": 0.7, "O8": 0.29}
WRONG = {"O8": 0.6, "O6": 0.39}

CASES: dict[str, tuple[list[NamedDetection], list[tuple[str, bool]]]] = {
    "one tile stays as it is": ([sight(DOUBTED_CHANCES, RINGS)], [("O6", True)]),
    "a tile without one like it stays as it is": (
        [sight(DOUBTED_CHANCES, RINGS), sight({"B2": 0.9999}, STICKS)],
        [("O6", True), ("B2", False)],
    ),
    "sure ones settle a doubt": (
        [sight({"O6": 0.9, "O8": 0.09}, LOOKS_LIKE_RINGS), *[sight(SURE, RINGS)] * 3],
        [("O6", False)] * 4,
    ),
    "a sure one names one misread": (
        [sight(WRONG, RINGS), sight(SURE, LOOKS_LIKE_RINGS)],
        [("O6", False), ("O6", False)],
    ),
    "doubt is shared": (
        [sight({"O6": 0.96, "O8": 0.03}, RINGS), sight({"O6": 0.6, "O8": 0.39}, RINGS)],
        [("O6", True), ("O6", True)],
    ),
    "both are sure of two names, and so neither is": (
        [sight({"O6": 0.9999}, RINGS), sight({"O8": 0.999}, RINGS)],
        [("O6", True), ("O6", True)],
    ),
    "unlike tiles have no name in common for sure": (
        [sight(SURE, RINGS), sight(SURE, STICKS)],
        [("O6", True), ("O6", True)],
    ),
    "the less sure of two unlike tiles with one name is asked about": (
        [sight({"O6": 0.99}, RINGS), sight(SURE, STICKS)],
        [("O6", True), ("O6", False)],
    ),
    "a sure unlike tile leaves the other face, in doubt": (
        [sight({"O8": 0.94, "O6": 0.05}, STICKS), sight({"O8": 0.9999}, RINGS)],
        [("O6", True), ("O8", False)],
    ),
    "an unlike tile makes no other surer": (
        [sight({"O6": 0.94, "O8": 0.05}, STICKS), sight({"O8": 0.9999}, RINGS)],
        [("O6", True), ("O8", False)],
    ),
    "a tile upside down may well look unlike": (
        [sight(SURE, RINGS), sight(SURE, STICKS, turn=2)],
        [("O6", False), ("O6", False)],
    ),
    "flowers share nothing": (
        [sight({"F1": 0.7}, RINGS), sight({"F1": 0.9999}, RINGS)],
        [("F1", True), ("F1", False)],
    ),
}


@pytest.mark.parametrize("reason", CASES)
def test_looks_are_shared(reason: str) -> None:
    sights, expected = CASES[reason]
    assert names(*sights) == expected, reason


def test_tiles_that_look_alike_have_one_number() -> None:
    sights = [sight(SURE, RINGS), sight({"B2": 0.99}, STICKS), sight(SURE, LOOKS_LIKE_RINGS)]
    first_group, no_group, other = (s.look_group for s in share_looks(sights, GATE))
    assert first_group == other != 0
    assert no_group == 0


def test_a_chain_of_looks_is_one_group() -> None:
    far_look = look(0.55, 0.8)
    middle_look = look(0.88, 0.45)
    sights_after = share_looks([sight(SURE, each) for each in (RINGS, far_look, middle_look)], GATE)
    assert len({s.look_group for s in sights_after}) == 1


SOME_CODES = ("O6", "O8", "B2", "DW", "F1", "??")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(SOME_CODES),
            st.floats(0.3, 0.9999),
            st.floats(-1, 1),
            st.integers(0, 3),
        ),
        max_size=12,
    )
)
def test_nothing_but_names_and_doubts_changes(tiles: list[tuple[str, float, float, int]]) -> None:
    sights = [sight({code: sure}, look(x), turn) for code, sure, x, turn in tiles]
    sights_after = share_looks(sights, GATE)
    assert [s.detection for s in sights_after] == [s.detection for s in sights]
    assert [s.classification.quarter_turns for s in sights_after] == [turn for *_, turn in tiles]
    for before, after in zip(sights, sights_after, strict=True):
        assert after.classification.code in (*CODES, "??")
        assert after.classification.code != NO_TILE
        assert 0 <= after.classification.confidence <= 1
        if before.classification.code in ("DW", "F1", "??"):
            assert after is before
