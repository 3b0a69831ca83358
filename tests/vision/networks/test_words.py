"""Words out of what the network reads along a line: each way of spelling them is counted."""

from __future__ import annotations

from itertools import groupby, product

import numpy as np
import pytest

from vision.networks.print_signs import (
    CODE_BY_WORD,
    NO_SIGN,
    OTHER_SIGN,
    SIGNS,
    find_words,
    word_chances,
)
from vision.preprocess import Float32s

STEPS = 6
SHORT = "AULM"


def spelling(text: str, sure: float = 1.0) -> Float32s:
    """Return a line of steps (1, steps, SIGNS), as sure of each sign; `-` is nothing."""
    line = np.full((len(text), len(SIGNS)), (1 - sure) / (len(SIGNS) - 1), np.float32)
    for step, sign in enumerate(text):
        line[step, SIGNS.index(NO_SIGN if sign == "-" else sign)] = sure
    return line[None]


def by_every_path(line: Float32s, word: str) -> float:
    """Return how often a word is to be expected in a line, over all that its steps may be.

    All signs but the word's letters and nothing count as one: it is a product of few.
    """
    sign_places = [SIGNS.index(sign) for sign in (*dict.fromkeys(word), NO_SIGN)]
    sign_chances = np.column_stack([line[:, sign_places], 1 - line[:, sign_places].sum(1)])
    signs = [*dict.fromkeys(word), "", "·"]
    expected_count = 0.0
    for path in product(range(len(signs)), repeat=len(line)):
        read = "".join(signs[sign] for sign, _ in groupby(path))
        times = sum(read.startswith(word, place) for place in range(len(read)))
        expected_count += times * float(
            np.prod([sign_chances[step, sign] for step, sign in enumerate(path)])
        )
    return expected_count


@pytest.mark.parametrize("word", ["MUM", "ALL", "AU"])
def test_the_chance_of_a_word_counts_all_ways_to_spell_it(word: str) -> None:
    """Twice in a line, as MUM in MUMUM, it is counted twice: that is rare enough."""
    lines = np.random.default_rng(5).dirichlet(np.full(len(SIGNS), 0.1), (8, STEPS))
    sign_places = [SIGNS.index(sign) for sign in (*SHORT, NO_SIGN)]
    lines[..., sign_places] += np.random.default_rng(6).random((8, STEPS, len(sign_places)))
    shares = (lines / lines.sum(-1, keepdims=True)).astype(np.float32)
    expected = [by_every_path(line, word) for line in shares]
    assert max(expected) > 0.002
    assert word_chances(shares, word) == pytest.approx(expected, rel=1e-3)


CASES = {
    "PLUM": ("F1", "each letter in a step of its own"),
    "--PP-LLU-MM-": ("F1", "letters that last, nothing between"),
    "ORCHID": ("F2", "longer than it need be"),
    "CHRYSANTHEMUM": ("F3", "spelt in full, also ends in MUM"),
    "MUM": ("F3", ""),
    "SPRING": ("S1", ""),
    "SUM-MER": ("S2", "the same letter twice"),
    "AUTUMN": ("S3", ""),
    "FAL-L": ("S3", "another word for it"),
    "··WINTER1": ("S4", "bits of a picture before it, a numeral behind"),
    "BAMBOO": ("F4", ""),
    "FALL": ("", "the same letter in two steps is one letter"),
    "ORB": ("", "another letter"),
    "PL·UM": ("", "something else within"),
    "EAST": ("", "no flower's or season's name"),
}


@pytest.mark.parametrize("text", CASES)
def test_words_name_flowers_and_seasons(text: str) -> None:
    code, reason = CASES[text]
    words = find_words(spelling(text))
    assert {each for each, chance in words.items() if chance > 0.5} == ({code} - {""}), reason


@pytest.mark.parametrize("word", CODE_BY_WORD)
def test_a_word_in_one_line_counts_no_less_for_what_the_others_hold(word: str) -> None:
    spelt_word = "-".join(word)
    plain = OTHER_SIGN * len(spelt_word)
    lines = np.concatenate([spelling(plain), spelling(spelt_word, 0.9), spelling(plain)])
    assert find_words(lines)[CODE_BY_WORD[word]] == pytest.approx(
        find_words(spelling(spelt_word, 0.9))[CODE_BY_WORD[word]]
    )
    assert set(find_words(lines)) == set(CODE_BY_WORD.values())


def test_no_lines_hold_no_words() -> None:
    assert max(find_words(np.zeros((0, 4, len(SIGNS)), np.float32)).values()) == 0
