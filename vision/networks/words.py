"""Words on tiles, PLUM or SPR, out of what the network reads along a line."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from vision.networks.signs import BLANK, SIGNS
from vision.preprocess import Float32s

WORDS: dict[str, str] = {
    "PLUM": "F1",
    "ORC": "F2",  # also ORCH, ORCHID
    "MUM": "F3",
    "CHRYS": "F3",  # also CHRYSANTHEMUM
    "BAM": "F4",  # also BAMBOO
    "SPR": "S1",  # also SPRING
    "SUM": "S2",  # also SUMMER
    "AUT": "S3",  # also AUTUMN
    "FALL": "S3",
    "WIN": "S4",  # also WINT, WINTER
}
"""The words of Western sets, as short as they stand on any, and the tiles that they name."""

SHARED = {"BAM": 0.9}
"""A word that some American sets have on their bamboos, too, is trusted so far."""

_BLANK = SIGNS.index(BLANK)


def spelt(lines: Float32s) -> dict[str, float]:
    """Return the tiles that words in any of these lines (N, steps, SIGNS) name, with the chances.

    A word counts as no likelier in many lines than in the one where it stands best.
    """
    found: dict[str, float] = {}
    for word, code in WORDS.items():
        chance = SHARED.get(word, 1.0) * float(chances(lines, word).max(initial=0.0))
        found[code] = max(found.get(code, 0.0), chance)
    return found


def chances(lines: Float32s, word: str) -> Float32s:
    """Return how likely a word stands anywhere in each line, (N,).

    It is the sum over every way in which the steps may spell it, as the network was taught: a sign
    may last many steps, nothing may stand between two, and the same sign twice needs that nothing.
    What stands before and behind is left open.
    """
    letters = [lines[..., SIGNS.index(letter)] for letter in word]
    doubled = [one == two for one, two in pairwise(word)]
    inside = np.zeros((len(word), len(lines)), np.float32)
    """How likely the line so far ends in the word's beginning, up to each of its letters."""
    between = np.zeros_like(inside)
    """The same, with nothing behind it."""
    whole = np.zeros(len(lines), np.float32)
    for step in range(lines.shape[1]):
        now = np.stack([letter[:, step] for letter in letters])
        begins = 1 - letters[0][:, step - 1] if step else np.ones(len(lines), np.float32)
        whole += inside[-1] * (1 - now[-1])
        before = np.concatenate([begins[None], between[:-1]])
        for place, same in enumerate(doubled, 1):
            before[place] += 0 if same else inside[place - 1]
        between = (between + inside) * lines[:, step, _BLANK]
        inside = (inside + before) * now
    return np.asarray(np.minimum(whole + inside[-1], 1), np.float32)
