"""Find words such as PLUM or SPR in what the network reads along a line."""

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
"""Words of Western sets, in their shortest form, and the tiles that they name."""

SHARED = {"BAM": 0.9}
"""Trust in a word that some American sets also print on their bamboos."""

_BLANK = SIGNS.index(BLANK)


def spelt(lines: Float32s) -> dict[str, float]:
    """Return the tiles that words in these lines (N, steps, SIGNS) name, with their chances.

    A word counts only in the line where it is most likely.
    """
    found: dict[str, float] = {}
    for word, code in WORDS.items():
        chance = SHARED.get(word, 1.0) * float(chances(lines, word).max(initial=0.0))
        found[code] = max(found.get(code, 0.0), chance)
    return found


def chances(lines: Float32s, word: str) -> Float32s:
    """Return the chance (N,) that a word stands anywhere in each line.

    This sums over every way in which the steps may spell it (CTC). A sign may last several steps,
    no-sign may stand between two, and a repeated sign needs a no-sign between. Anything may stand
    before and after.
    """
    letters = [lines[..., SIGNS.index(letter)] for letter in word]
    doubled = [one == two for one, two in pairwise(word)]
    inside = np.zeros((len(word), len(lines)), np.float32)
    """How likely the line so far ends in the word's beginning, up to each of its letters."""
    between = np.zeros_like(inside)
    """The same, with nothing behind it."""
    complete = np.zeros(len(lines), np.float32)
    for step in range(lines.shape[1]):
        current = np.stack([letter[:, step] for letter in letters])
        start = 1 - letters[0][:, step - 1] if step else np.ones(len(lines), np.float32)
        complete += inside[-1] * (1 - current[-1])
        previous = np.concatenate([start[None], between[:-1]])
        for place, same in enumerate(doubled, 1):
            previous[place] += 0 if same else inside[place - 1]
        between = (between + inside) * lines[:, step, _BLANK]
        inside = (inside + previous) * current
    return np.asarray(np.minimum(complete + inside[-1], 1), np.float32)
