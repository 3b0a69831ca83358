"""The table's own set beside the network: what is known of it helps, and nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.train.drawing.faces.brush import Hand
from models.train.drawing.faces.face import draw_face
from models.train.drawing.faces.raster import rasterise
from models.train.drawing.faces.style import Style
from scorer.tiles import CODES, JOKER
from tests.vision.laid_set import HEIGHT, PRINTED_ROWS, WIDTH, house, photograph
from vision.geometry.plane import quads_of
from vision.networks import set_embeddings
from vision.networks.classifier import Classifier
from vision.networks.prototypes import (
    CLASS_NAMES,
    MIN_SHARED_FACES,
    OTHER_SET_MIN_LEAD,
    VIEWS_PER_CROP,
    PrototypeMix,
    Prototypes,
    first_of_each,
    measure_leads,
    mix_chances,
    pick_other_set,
)
from vision.networks.set_embeddings import SetEmbeddings
from vision.photo import Photo
from vision.preprocess import (
    CROP_HEIGHT_PX,
    CROP_WIDTH_PX,
    LABELS,
    NO_TILE,
    RGB,
    Float32s,
    straighten,
)
from vision.reader import Reader

Array = npt.NDArray[np.float32]

F1, F2, B1 = (LABELS.index(code) for code in ("F1", "F2", "B1"))


def look(number: int, lean: float = 0.0) -> Array:
    """Return one of 128 looks that have nothing in common, leaning a little to the next one."""
    vector = np.zeros(128, np.float32)
    vector[number], vector[number + 1] = 1, lean
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def prototypes_of(*examples: tuple[str, Array]) -> Prototypes:
    views = np.array([[vector] * VIEWS_PER_CROP for _, vector in examples], np.float32)
    return Prototypes(tuple(code for code, _ in examples), views.reshape(-1, VIEWS_PER_CROP, 128))


def chances(*likeliest: int) -> Array:
    """Return the network's chances when it hesitates between these, the first a little ahead."""
    values = np.full((1, len(LABELS)), 2e-3, np.float32)
    values[0, list(likeliest)] = 1 / len(likeliest)
    values[0, likeliest[0]] += 0.05
    return np.asarray(values / values.sum(), np.float32)


@pytest.mark.parametrize(
    ("prototypes", "embedding", "expected", "reason"),
    [
        (prototypes_of(("F1", look(0)), ("F2", look(5))), look(5, 0.05), "F2",
         "it looks like that one"),
        (prototypes_of(("F2", look(5))), look(5, 0.05), "F2",
         "one of the two is known, and it is that"),
        (prototypes_of(("F2", look(5))), look(40), "F1", "it looks like nothing known"),
        (prototypes_of(("F2", look(5)), (JOKER, look(9))), look(9), JOKER,
         "only the set knows its joker"),
        (prototypes_of((NO_TILE, look(9))), look(9), NO_TILE,
         "struck out before, it is no tile now"),
        (prototypes_of(), look(5), "F1", "nothing is known"),
    ],
)  # fmt: skip
def test_what_is_known_of_the_set_decides_where_the_network_hesitates(
    prototypes: Prototypes, embedding: Array, expected: str, reason: str
) -> None:
    mixed_chances = mix_chances(chances(F1, F2), embedding[None], prototypes, PrototypeMix())
    assert CLASS_NAMES[int(mixed_chances.argmax())] == expected, reason


def test_more_crops_of_a_face_say_more() -> None:
    mixed_chances = [
        mix_chances(
            chances(F1, F2),
            look(5)[None],
            prototypes_of(*[("F2", look(5))] * crops),
            PrototypeMix(),
        )[0, F2]
        for crops in (1, 2, 5)
    ]
    assert mixed_chances == sorted(set(mixed_chances))


def test_a_sure_network_is_not_talked_out_of_it_by_one_wrong_correction_of_another_tile() -> None:
    mixed_chances = mix_chances(
        chances(B1), look(40)[None], prototypes_of(("F2", look(5))), PrototypeMix()
    )
    assert mixed_chances[0, B1] == pytest.approx(chances(B1)[0, B1], abs=0.01)


vectors = st.integers(0, 126).flatmap(
    lambda number: st.floats(0, 3).map(lambda lean: look(number, lean))
)


@given(
    examples=st.lists(st.tuples(st.sampled_from(CLASS_NAMES), vectors), max_size=8),
    embedding=vectors,
    likeliest=st.integers(0, len(LABELS) - 1),
)
def test_chances_stay_chances_and_an_unknown_joker_has_none(
    examples: list[tuple[str, Array]], embedding: Array, likeliest: int
) -> None:
    prototypes = prototypes_of(*examples)
    mixed_chances = mix_chances(chances(likeliest), embedding[None], prototypes, PrototypeMix())
    assert np.isfinite(mixed_chances).all()
    assert mixed_chances.sum() == pytest.approx(1, abs=1e-4)
    if JOKER not in prototypes.codes:
        assert mixed_chances[0, CLASS_NAMES.index(JOKER)] == 0
    if not examples:
        assert mixed_chances[0, :-1] == pytest.approx(chances(likeliest)[0], abs=1e-6)


def test_the_mix_comes_back_from_a_card_and_a_card_without_it_will_do() -> None:
    mix = PrototypeMix(sharpness=123.4, joker=-2.5)
    assert PrototypeMix.from_settings({"gate": 0.9, **mix.to_settings()}) == mix
    assert PrototypeMix.from_settings({"gate": 0.9}) == PrototypeMix()


@given(codes=st.lists(st.sampled_from(["B1", "F1", "F2"])), limit=st.integers(1, 4))
def test_of_each_face_the_first_few_are_kept(codes: list[str], limit: int) -> None:
    kept_codes = [codes[place] for place in first_of_each(codes, limit)]
    for code in set(codes):
        assert kept_codes.count(code) == min(codes.count(code), limit)


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


def drawn_prototypes(first: int, faces: tuple[str, ...] = FACES) -> Prototypes:
    """Return a set whose faces look like nothing of a set that begins elsewhere."""
    return prototypes_of(*[(code, look(first + 2 * k)) for k, code in enumerate(faces)])


def hand(first: int, lean: float = 0.05) -> Float32s:
    return np.stack([look(first + 2 * k, lean) for k in range(len(FACES))])


@pytest.mark.parametrize(
    ("embeddings", "own_set", "other_set", "answer", "reason"),
    [
        (hand(0), drawn_prototypes(0), drawn_prototypes(40), None, "it is the set on the table"),
        (hand(40), drawn_prototypes(0), drawn_prototypes(40), "theirs", "it is the other one"),
        (hand(80), drawn_prototypes(0), drawn_prototypes(40), None, "it is neither"),
        (
            hand(40),
            drawn_prototypes(0),
            drawn_prototypes(40, FACES[: MIN_SHARED_FACES - 1]),
            None,
            "too little is known",
        ),
        (hand(40), drawn_prototypes(40), drawn_prototypes(40), None, "both alike"),
    ],
)
def test_another_set_is_named_only_where_it_clearly_fits_better(
    embeddings: Float32s,
    own_set: Prototypes,
    other_set: Prototypes,
    answer: str | None,
    reason: str,
) -> None:
    leads = measure_leads(
        FACES, embeddings, {"ours": own_set, "theirs": other_set}, "ours", PrototypeMix()
    )
    assert pick_other_set(leads, OTHER_SET_MIN_LEAD) == answer, reason


def test_of_several_sets_the_one_that_fits_best() -> None:
    sets = {"ours": drawn_prototypes(0), "near": drawn_prototypes(40), "far": drawn_prototypes(60)}
    mixed_hand = np.concatenate([hand(40)[:4], hand(60)[4:]])
    assert (
        pick_other_set(
            measure_leads(FACES, mixed_hand, sets, "ours", PrototypeMix()), OTHER_SET_MIN_LEAD
        )
        == "near"
    )


@given(first=st.integers(0, 50), lean=st.floats(0, 2))
def test_what_one_set_leads_another_by_the_other_trails(first: int, lean: float) -> None:
    sets = {"one": drawn_prototypes(0), "two": drawn_prototypes(40)}
    embeddings = hand(first, lean)
    (first_lead,) = measure_leads(FACES, embeddings, sets, "one", PrototypeMix()).values()
    (second_lead,) = measure_leads(FACES, embeddings, sets, "two", PrototypeMix()).values()
    assert first_lead == pytest.approx(-second_lead, abs=1e-5)


def test_the_reader_tells_two_sets_apart_in_photographs() -> None:
    other = {code: rasterise(draw_face(code, OTHER_STYLE), WIDTH, HEIGHT) for code in CODES}
    drawings = {"ours": house(), "theirs": other}
    reader = Reader.load()
    crops: dict[str, RGB] = {}
    sets: dict[str, dict[str, str]] = {}
    for name, faces in drawings.items():
        photo = Photo(name, photograph(PRINTED_ROWS, faces))
        tiles = reader.read_set(photo).tiles
        crops |= {f"{name} {k}": straighten(photo.rgb, q) for k, q in enumerate(quads_of(tiles))}
        sets[name] = {f"{name} {k}": tile.code for k, tile in enumerate(tiles)}
    for name, faces in drawings.items():
        hand = Photo(
            name, photograph([PRINTED_ROWS[1][:5], PRINTED_ROWS[2][2:7], PRINTED_ROWS[3]], faces, 2)
        )
        for own_set in sets:
            answers = reader.find_other_set(
                hand, reader.read_set(hand).tiles, sets, own_set, crops.__getitem__
            )
            assert answers == (None if own_set == name else name)


BLANK: RGB = np.zeros((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), np.uint8)


class CountingClassifier:
    """A classifier that counts what it is shown."""

    def __init__(self) -> None:
        self.crops_seen = 0

    def look(self, crops: Sequence[RGB]) -> npt.NDArray[np.float32]:
        """Say that every crop looks alike."""
        self.crops_seen += len(crops)
        return np.zeros((len(crops), VIEWS_PER_CROP, 128), np.float32)


def codes(tile_set: str, count: int) -> dict[str, str]:
    """Return names of a set's crops, and what they show."""
    return {f"{tile_set}-{n}": CLASS_NAMES[n % len(CLASS_NAMES)] for n in range(count)}


def test_sets_that_are_asked_for_in_turns_are_looked_at_once() -> None:
    """It was 1,600 for these: each set drove the other's out."""
    classifier = CountingClassifier()
    sets = SetEmbeddings(cast(Classifier, classifier))
    for _ in range(4):
        for tile_set in "ab":
            assert sets.load_prototypes(codes(tile_set, 200), lambda _: BLANK)
    assert classifier.crops_seen == 400


@pytest.mark.parametrize(
    ("room", "crops_seen"),
    [(400, (400, 1000)), (300, (500, 1200)), (10, (600, 1400))],
)
def test_no_more_is_remembered_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, room: int, crops_seen: tuple[int, int]
) -> None:
    """But for the set in use, which is whole: what was forgotten is looked at again."""
    monkeypatch.setattr(set_embeddings, "MAX_CACHED_CROPS", room)
    classifier = CountingClassifier()
    sets = SetEmbeddings(cast(Classifier, classifier))
    for tile_sets, count in zip(("aba", "cabc"), crops_seen, strict=True):
        for tile_set in tile_sets:
            prototypes = sets.load_prototypes(codes(tile_set, 200), lambda _: BLANK)
            assert prototypes
            assert len(prototypes.codes) == 200
        assert classifier.crops_seen == count
