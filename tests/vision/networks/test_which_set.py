"""Whose tiles these look like: asked about only where another set clearly fits better."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.train.faces.brush import Hand
from models.train.faces.face import draw_face
from models.train.faces.raster import rasterise
from models.train.faces.style import Style
from scorer.tiles import CODES
from tests.vision.laid_set import HEIGHT, PRINTED, WIDTH, house, photograph
from tests.vision.networks.test_prototypes import known, look
from vision.geometry.plane import quads_of
from vision.networks.prototypes import (
    MIN_SHARED_FACES,
    OTHER_SET_MIN_LEAD,
    PrototypeMix,
    Prototypes,
    measure_leads,
    pick_other_set,
)
from vision.photo import Photo
from vision.preprocess import RGB, Float32s, straighten
from vision.reader import Reader

pytestmark = pytest.mark.slow

OTHER_STYLE = Style(
    index="none",
    circle="rings",
    great_circle="sunflower",
    circle_plan="two-colour",
    numeral_ink="dark",
    wan_ink="dark",
    wind_ink="blue",
    white="bars",
    wan="万",
    hand=Hand(weight=6.0),
    fill=1.15,
)
"""Unlike the house's faces; one that differs in its indices alone is not told apart."""

FACES = ("F1", "F2", "F3", "F4", "S1", "S2")


def drawn(first: int, faces: tuple[str, ...] = FACES) -> Prototypes:
    """Return a set whose faces look like nothing of a set that begins elsewhere."""
    return known(*[(code, look(first + 2 * k)) for k, code in enumerate(faces)])


def hand(first: int, lean: float = 0.05) -> Float32s:
    return np.stack([look(first + 2 * k, lean) for k in range(len(FACES))])


@pytest.mark.parametrize(
    ("seen", "ours", "theirs", "answer", "why"),
    [
        (hand(0), drawn(0), drawn(40), None, "it is the set on the table"),
        (hand(40), drawn(0), drawn(40), "theirs", "it is the other one"),
        (hand(80), drawn(0), drawn(40), None, "it is neither"),
        (hand(40), drawn(0), drawn(40, FACES[: MIN_SHARED_FACES - 1]), None, "too little is known"),
        (hand(40), drawn(40), drawn(40), None, "both alike"),
    ],
)
def test_another_set_is_named_only_where_it_clearly_fits_better(
    seen: Float32s, ours: Prototypes, theirs: Prototypes, answer: str | None, why: str
) -> None:
    found = measure_leads(FACES, seen, {"ours": ours, "theirs": theirs}, "ours", PrototypeMix())
    assert pick_other_set(found, OTHER_SET_MIN_LEAD) == answer, why


def test_of_several_sets_the_one_that_fits_best() -> None:
    sets = {"ours": drawn(0), "near": drawn(40), "far": drawn(60)}
    mixed = np.concatenate([hand(40)[:4], hand(60)[4:]])
    assert (
        pick_other_set(
            measure_leads(FACES, mixed, sets, "ours", PrototypeMix()), OTHER_SET_MIN_LEAD
        )
        == "near"
    )


@given(first=st.integers(0, 50), lean=st.floats(0, 2))
def test_what_one_set_leads_another_by_the_other_trails(first: int, lean: float) -> None:
    sets = {"one": drawn(0), "two": drawn(40)}
    seen = hand(first, lean)
    (ahead,) = measure_leads(FACES, seen, sets, "one", PrototypeMix()).values()
    (behind,) = measure_leads(FACES, seen, sets, "two", PrototypeMix()).values()
    assert ahead == pytest.approx(-behind, abs=1e-5)


def test_the_reader_tells_two_sets_apart_in_photographs() -> None:
    other = {code: rasterise(draw_face(code, OTHER_STYLE), WIDTH, HEIGHT) for code in CODES}
    drawings = {"ours": house(), "theirs": other}
    reader = Reader.load()
    crops: dict[str, RGB] = {}
    sets: dict[str, dict[str, str]] = {}
    for name, faces in drawings.items():
        photo = Photo(name, photograph(PRINTED, faces))
        tiles = reader.read_set(photo).tiles
        crops |= {f"{name} {k}": straighten(photo.rgb, q) for k, q in enumerate(quads_of(tiles))}
        sets[name] = {f"{name} {k}": tile.code for k, tile in enumerate(tiles)}
    for name, faces in drawings.items():
        hand = Photo(name, photograph([PRINTED[1][:5], PRINTED[2][2:7], PRINTED[3]], faces, 2))
        for chosen in sets:
            said = reader.find_other_set(
                hand, reader.read_set(hand).tiles, sets, chosen, crops.__getitem__
            )
            assert said == (None if chosen == name else name)
