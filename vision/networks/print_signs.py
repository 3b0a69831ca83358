"""Signs and words printed on tiles, and the tiles that they name."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from vision.preprocess import Float32s

NO_SIGN, OTHER_SIGN = "", "·"
"""Classes of the network for no sign, and for any sign that is not listed here."""

NUMERALS = tuple("123456789")
CHINESE_NUMERALS = tuple("一二三四五六七八九")

CODE_BY_CHARACTER: dict[str, str] = {
    "梅": "F1", "蘭": "F2", "菊": "F3", "竹": "F4",
    "春": "S1", "夏": "S2", "秋": "S3", "冬": "S4",
    "東": "WE", "南": "WS", "西": "WW", "北": "WN",
    "中": "DR", "發": "DG",
}  # fmt: skip
"""Characters that name a tile. Winds and dragons have theirs in the middle."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Letters of words; small letters are read as capitals."""

_FORMS = {"五": "五伍", "蘭": "蘭兰", "東": "東东", "發": "發発发", "O": "Oo0"} | {
    letter: letter + letter.lower() for letter in LETTERS if letter != "O"
}

WRITTEN_FORMS: dict[str, str] = {
    sign: _FORMS.get(sign, sign)
    for sign in (*NUMERALS, *CHINESE_NUMERALS, *CODE_BY_CHARACTER, *LETTERS)
}
"""Every sign with its written forms."""

SIGNS: tuple[str, ...] = (*WRITTEN_FORMS, OTHER_SIGN, NO_SIGN)
"""The network's classes in order."""


CODE_BY_WORD: dict[str, str] = {
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

WORD_TRUST = {"BAM": 0.9}
"""Trust in a word that some American sets also print on their bamboos."""

_NO_SIGN_INDEX = SIGNS.index(NO_SIGN)


def find_words(lines: Float32s) -> dict[str, float]:
    """Return the tiles that words in these lines (N, steps, SIGNS) name, with their chances.

    A word counts only in the line where it is most likely.
    """
    chance_by_code: dict[str, float] = {}
    for word, code in CODE_BY_WORD.items():
        chance = WORD_TRUST.get(word, 1.0) * float(word_chances(lines, word).max(initial=0.0))
        chance_by_code[code] = max(chance_by_code.get(code, 0.0), chance)
    return chance_by_code


def likeliest_words(lines: Float32s) -> Float32s:
    """Return for each line (N, steps, SIGNS) the chance (N,) of the likeliest word that counts."""
    return np.asarray(np.max([word_chances(lines, word) for word in CODE_BY_WORD], axis=0))


def word_chances(lines: Float32s, word: str) -> Float32s:
    """Return the chance (N,) that a word stands anywhere in each line.

    This sums over every way in which the steps may spell it (CTC). A sign may last several steps,
    no-sign may stand between two, and a repeated sign needs a no-sign between. Anything may stand
    before and after.
    """
    letters = [lines[..., SIGNS.index(letter)] for letter in word]
    is_double = [one == two for one, two in pairwise(word)]
    in_letter = np.zeros((len(word), len(lines)), np.float32)
    """How likely the line so far ends in the word's beginning, up to each of its letters."""
    after_letter = np.zeros_like(in_letter)
    """The same, with nothing behind it."""
    complete = np.zeros(len(lines), np.float32)
    for step in range(lines.shape[1]):
        current = np.stack([letter[:, step] for letter in letters])
        start = 1 - letters[0][:, step - 1] if step else np.ones(len(lines), np.float32)
        complete += in_letter[-1] * (1 - current[-1])
        previous = np.concatenate([start[None], after_letter[:-1]])
        for place, same in enumerate(is_double, 1):
            previous[place] += 0 if same else in_letter[place - 1]
        after_letter = (after_letter + in_letter) * lines[:, step, _NO_SIGN_INDEX]
        in_letter = (in_letter + previous) * current
    return np.asarray(np.minimum(complete + in_letter[-1], 1), np.float32)
