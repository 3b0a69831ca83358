"""The `mahjong` package (MIT) as the peer: it scores fourteen tiles by the Japanese rules."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable

from scorer.hand import Hand

FAMILIES = {"C": 0, "O": 9, "B": 18}
"""Where the package's 34 faces begin for each suit: its man, pin and sou."""

HONOURS = {"WE": 27, "WS": 28, "WW": 29, "WN": 30, "DW": 31, "DG": 32, "DR": 33}


def peer_scorer() -> Callable[[Hand], object] | None:
    """Return what scores a concealed hand by the package; None when it is not installed."""
    if importlib.util.find_spec("mahjong") is None:
        return None
    calculator = importlib.import_module("mahjong.hand_calculating.hand").HandCalculator
    config = importlib.import_module("mahjong.hand_calculating.hand_config").HandConfig

    def scored(hand: Hand) -> object:
        tiles = tiles_of(hand)
        return calculator().estimate_hand_value(tiles, tiles[0], config=config(is_tsumo=True))

    return scored


def tiles_of(hand: Hand) -> list[int]:
    """Return the tiles by the package's numbers: four for each face."""
    counts: dict[int, int] = {}
    tiles = []
    for code in hand.concealed:
        face = HONOURS[code] if code in HONOURS else FAMILIES[code[0]] + int(code[1]) - 1
        tiles.append(face * 4 + counts.get(face, 0))
        counts[face] = counts.get(face, 0) + 1
    return tiles
