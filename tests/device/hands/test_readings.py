"""A reading out of the log is one that a photograph could have, or its hand is torn there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from device.hands.replay import HANDS
from device.hands.repository import HandRepository
from device.store import Store, TornEventError
from device.store.projection import replay_all
from tests.device.events import write_raw

Path = tuple[str | int, ...]

ODD: list[tuple[Path, Any, str]] = [
    (("tiles", 0, "code"), "Os", "no such tile"),
    (("tiles", 0, "alternatives", 0, 0), "Os", "nor among the next guesses"),
    (("tiles", 0, "seen"), "X1", "nor as what it looks like"),
    (("tiles", 0, "confidence"), 2, "surer than sure"),
    (("tiles", 0, "confidence"), -0.1, "less than never"),
    (("tiles", 0, "alternatives", 0, 1), 7, "the same of a guess"),
    (("tiles", 0, "quad", 0, 0), 1e999, "a corner without end"),
    (("sets", 0, "tiles", 0), 99, "a set of a tile that was not found"),
    (("sets", 0, "tiles", 0), -1, "or of one counted from the end"),
    (("sets", 0, "row"), "hidden", "a row that there is not"),
    (("winning_tile",), 99, "a winning tile that was not found"),
    (("left_out",), [{"tile": 99, "why": "far"}], "left out, and never found"),
    (("left_out",), [{"tile": 0, "why": "blue"}], "for no reason"),
    (("width",), 0, "a photograph of nothing"),
    (("tiles",), [], "sets of no tiles"),
]


@pytest.mark.parametrize(("path", "value", "why"), ODD)
def test_an_odd_reading_is_torn(
    store: Store, hands: HandRepository, read_hand: str, path: Path, value: object, why: str
) -> None:
    taken, reading = store.raw_rows(read_hand)[:2]
    said = json.loads(reading[3])
    at = said
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    write_raw(store, "odd", taken[2], taken[3])
    seq = write_raw(store, "odd", reading[2], said)
    with pytest.raises(TornEventError) as torn:
        hands.get("odd")
    assert torn.value.seq == seq, why


def test_a_reading_as_it_was_kept_is_whole(store: Store, read_hand: str) -> None:
    assert replay_all(HANDS, store.stream(read_hand)).reading is not None


def test_hands_share_the_guesses_that_all_have(store: Store, read_hand: str) -> None:
    one, other = (replay_all(HANDS, store.stream(read_hand)).reading for _ in range(2))
    assert one
    assert other
    assert one.tiles[0].alternatives == other.tiles[0].alternatives
    assert one.tiles[0].alternatives[0] is other.tiles[0].alternatives[0]
    assert one.tiles[0].code is other.tiles[0].code
