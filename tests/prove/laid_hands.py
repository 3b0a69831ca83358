"""Draw random hands as players lay them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from scorer.tiles import CODES, SUITS, Tile, copies_in_set
from vision.hand.joint_decoding import TileGroup

Rng = np.random.Generator

_BASE = [code for code in CODES if code[0] not in "FS"]
_BONUS = [code for code in CODES if code[0] in "FS"]
_STARTS = [f"{suit}{rank}" for suit in SUITS for rank in range(1, 8)]

CHOW_SHARE, KONG_SHARE = 0.4, 0.1
"""Shares of the sets; the rest are pungs."""

EXPOSED_SHARE, GAPLESS_SHARE = 0.4, 0.35
"""Shares of the sets that are exposed, and of the rows that lie without gaps."""


@dataclass(frozen=True, slots=True)
class LaidHand:
    """A hand's true codes as its tiles lie."""

    codes: tuple[str, ...]
    groups: tuple[TileGroup, ...]


def random_winner(rng: Rng) -> LaidHand:
    """Return four sets and a pair, some of them exposed."""
    while True:
        sets = [_random_set(rng) for _ in range(4)]
        pair = [str(rng.choice(_BASE))] * 2
        if _possible([*sets, pair]):
            exposed = [s for s in sets if rng.random() < EXPOSED_SHARE]
            concealed = [s for s in sets if s not in exposed]
            return _lay(rng, exposed, [*concealed, pair])


def random_loser(rng: Rng) -> LaidHand:
    """Return some sets, and as many loose tiles, sorted, as make thirteen."""
    while True:
        sets = [_random_set(rng) for _ in range(int(rng.integers(0, 4)))]
        exposed = [s for s in sets if rng.random() < 2 * EXPOSED_SHARE]
        concealed = [s for s in sets if s not in exposed]
        suits = rng.permutation([*SUITS])[: rng.integers(1, 4)]
        codes = [code for code in _BASE if code[0] in suits or code[0] in "WD"]
        loose = sorted((str(c) for c in rng.choice(codes, 13 - 3 * len(sets))), key=CODES.index)
        if _possible([*sets, loose]):
            return _lay(rng, exposed, [*concealed, loose])


def _random_set(rng: Rng) -> list[str]:
    kind = rng.random()
    if kind < CHOW_SHARE:
        start = Tile.parse(str(rng.choice(_STARTS)))
        return [f"{start.family}{int(start.rank) + step}" for step in range(3)]
    return [str(rng.choice(_BASE))] * (4 if kind < CHOW_SHARE + KONG_SHARE else 3)


def _possible(sets: list[list[str]]) -> bool:
    counts = Counter(code for s in sets for code in s)
    return all(count <= copies_in_set(Tile.parse(code)) for code, count in counts.items())


def _lay(rng: Rng, exposed: list[list[str]], concealed: list[list[str]]) -> LaidHand:
    """Lay the rows, with or without gaps, and the flowers, apart."""
    codes: list[str] = []
    groups: list[TileGroup] = []
    for row, is_exposed in ((exposed, True), (concealed, False)):
        if rng.random() < GAPLESS_SHARE:
            row = [[code for s in row for code in s]]
        for tiles in row:
            groups.append(TileGroup(tuple(range(len(codes), len(codes) + len(tiles))), is_exposed))
            codes += tiles
    bonus = rng.choice(_BONUS, int(rng.integers(0, 4)), replace=False)
    return LaidHand((*codes, *(str(code) for code in bonus)), tuple(groups))
