"""The table's own set beside the network: what is known of it helps, and nothing else changes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.tiles import JOKER
from vision.networks.prototypes import (
    CLASS_NAMES,
    VIEWS_PER_CROP,
    PrototypeMix,
    Prototypes,
    first_of_each,
    mix_chances,
)
from vision.preprocess import LABELS, NO_TILE

Array = npt.NDArray[np.float32]

F1, F2, B1 = (LABELS.index(code) for code in ("F1", "F2", "B1"))


def look(number: int, lean: float = 0.0) -> Array:
    """Return one of 128 looks that have nothing in common, leaning a little to the next one."""
    vector = np.zeros(128, np.float32)
    vector[number], vector[number + 1] = 1, lean
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def known(*examples: tuple[str, Array]) -> Prototypes:
    views = np.array([[vector] * VIEWS_PER_CROP for _, vector in examples], np.float32)
    return Prototypes(tuple(code for code, _ in examples), views.reshape(-1, VIEWS_PER_CROP, 128))


def chances(*likeliest: int) -> Array:
    """Return the network's chances when it hesitates between these, the first a little ahead."""
    said = np.full((1, len(LABELS)), 2e-3, np.float32)
    said[0, list(likeliest)] = 1 / len(likeliest)
    said[0, likeliest[0]] += 0.05
    return np.asarray(said / said.sum(), np.float32)


@pytest.mark.parametrize(
    ("own", "seen", "named", "why"),
    [
        (known(("F1", look(0)), ("F2", look(5))), look(5, 0.05), "F2", "it looks like that one"),
        (known(("F2", look(5))), look(5, 0.05), "F2", "one of the two is known, and it is that"),
        (known(("F2", look(5))), look(40), "F1", "it looks like nothing known"),
        (known(("F2", look(5)), (JOKER, look(9))), look(9), JOKER, "only the set knows its joker"),
        (known((NO_TILE, look(9))), look(9), NO_TILE, "struck out before, it is no tile now"),
        (known(), look(5), "F1", "nothing is known"),
    ],
)
def test_what_is_known_of_the_set_decides_where_the_network_hesitates(
    own: Prototypes, seen: Array, named: str, why: str
) -> None:
    said = mix_chances(chances(F1, F2), seen[None], own, PrototypeMix())
    assert CLASS_NAMES[int(said.argmax())] == named, why


def test_more_crops_of_a_face_say_more() -> None:
    said = [
        mix_chances(
            chances(F1, F2), look(5)[None], known(*[("F2", look(5))] * crops), PrototypeMix()
        )[0, F2]
        for crops in (1, 2, 5)
    ]
    assert said == sorted(set(said))


def test_a_sure_network_is_not_talked_out_of_it_by_one_wrong_correction_of_another_tile() -> None:
    said = mix_chances(chances(B1), look(40)[None], known(("F2", look(5))), PrototypeMix())
    assert said[0, B1] == pytest.approx(chances(B1)[0, B1], abs=0.01)


vectors = st.integers(0, 126).flatmap(
    lambda number: st.floats(0, 3).map(lambda lean: look(number, lean))
)


@given(
    examples=st.lists(st.tuples(st.sampled_from(CLASS_NAMES), vectors), max_size=8),
    seen=vectors,
    likeliest=st.integers(0, len(LABELS) - 1),
)
def test_chances_stay_chances_and_an_unknown_joker_has_none(
    examples: list[tuple[str, Array]], seen: Array, likeliest: int
) -> None:
    own = known(*examples)
    said = mix_chances(chances(likeliest), seen[None], own, PrototypeMix())
    assert np.isfinite(said).all()
    assert said.sum() == pytest.approx(1, abs=1e-4)
    if JOKER not in own.codes:
        assert said[0, CLASS_NAMES.index(JOKER)] == 0
    if not examples:
        assert said[0, :-1] == pytest.approx(chances(likeliest)[0], abs=1e-6)


def test_the_mix_comes_back_from_a_card_and_a_card_without_it_will_do() -> None:
    mix = PrototypeMix(sharpness=123.4, joker=-2.5)
    assert PrototypeMix.from_settings({"gate": 0.9, **mix.to_settings()}) == mix
    assert PrototypeMix.from_settings({"gate": 0.9}) == PrototypeMix()


@given(codes=st.lists(st.sampled_from(["B1", "F1", "F2"])), most=st.integers(1, 4))
def test_of_each_face_the_first_few_are_kept(codes: list[str], most: int) -> None:
    kept = [codes[place] for place in first_of_each(codes, most)]
    for code in set(codes):
        assert kept.count(code) == min(codes.count(code), most)
