"""The pipeline with its two networks replaced by ones that say what the test wants."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from vision.networks.classifier import Classification
from vision.networks.locator import Detection, LocatedTiles
from vision.networks.print_reader import PrintReader, TilePart, TilePrint
from vision.networks.print_signs import SIGNS
from vision.networks.prototypes import VIEWS_PER_CROP, Prototypes
from vision.networks.zoom_out import NamedDetection
from vision.photo import Photo
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB
from vision.reader import Reader

PHOTO = Photo("hand.jpg", np.full((400, 800, 3), 90, np.uint8))


@dataclass
class SaysWhere:
    """A locator that finds tiles side by side, from x = 50, 30 by 40 pixels."""

    scores: list[float]
    order: list[int] | None = None
    """In which the tiles are handed over; left to right by default."""
    strewn_places: tuple[int, ...] = ()
    """Tiles that lie by themselves, far above the others."""

    def locate(self, photo: Photo) -> LocatedTiles:
        box = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
        tiles = [
            Detection(box + self._corner(i), self.scores[i])
            for i in self.order or range(len(self.scores))
        ]
        return LocatedTiles(tiles, [])

    def _corner(self, i: int) -> npt.NDArray[np.float32]:
        return np.array([50 + 30 * i, 10 if i in self.strewn_places else 200], np.float32)

    def locate_larger(self, photo: Photo) -> list[Detection]:
        return []


@dataclass
class SaysWhat:
    """A classifier that names crops in order: code, confidence, quarter turns."""

    names: list[tuple[str, float, int]]
    gate: float = 0.9
    floor: float = 0.1
    has_looks: bool = True
    tile_chance: float = 0.99
    alternatives: tuple[tuple[str, float], ...] = (("S1", 0.01),)
    second_looks: int = 0
    crops_seen_again: int = 0
    looked_at: int = 0
    """How many crops of the table's own set."""
    knows: tuple[str, ...] = ()

    def classify(
        self, crops: list[RGB], prototypes: Prototypes | None = None
    ) -> list[Classification]:
        self.knows = () if prototypes is None else prototypes.codes
        assert len(crops) <= len(self.names)
        return self._all()[: len(crops)]

    def _all(self) -> list[Classification]:
        return [
            Classification(code, sure, self.tile_chance, self.alternatives, turn, 0.0)
            for code, sure, turn in self.names
        ]

    def look(self, crops: list[RGB]) -> npt.NDArray[np.float32]:
        self.looked_at += len(crops)
        return np.zeros((len(crops), VIEWS_PER_CROP, 128), np.float32)

    def agree(
        self,
        first: list[Classification],
        looks: list[list[RGB]],
        prototypes: Prototypes | None = None,
    ) -> list[Classification]:
        self.crops_seen_again += len(looks)
        assert all(len(crops) == 2 for crops in looks), "the first look is not taken again"
        return [self._all()[self.second_looks] for _ in looks]


def reader(*names: tuple[str, float, int], scores: list[float] | None = None) -> Reader:
    locator = SaysWhere(scores or [0.95] * len(names))
    return Reader(locator, SaysWhat(list(names)))  # type: ignore[arg-type]


def test_a_row_becomes_a_hand() -> None:
    stages: list[str] = []
    names = [(code, 0.99, 0) for code in ("B1", "B2", "B3", "WE", "WE", "F2")]
    reading = reader(*names).read(PHOTO, progress=stages.append)
    assert stages == ["locate", "classify", "arrange"]
    assert reading.hand_text == "| B123 WEE | F2 seat=E round=E"
    assert [(s.row, s.kind) for s in reading.sets] == [
        ("concealed", "chow"),
        ("concealed", "pair"),
        ("bonus", "loose"),
    ]
    assert reading.problems == ()
    assert reading.ms.total >= reading.ms.locate >= 0


def test_a_table_and_a_set_tell_their_stages_too() -> None:
    stages: list[str] = []
    names = [(code, 0.99, 0) for code in ("B1", "B2", "B3")]
    reader(*names).read_table(PHOTO, progress=stages.append)
    assert stages == ["locate", "classify", "arrange"]
    stages.clear()
    reader(*names).read_set(PHOTO, progress=stages.append)
    assert stages == ["locate", "classify"]


def test_tiles_are_numbered_as_one_reads() -> None:
    """However sure the locator is of each: it gives the surest first."""
    locator = SaysWhere([0.5, 0.9, 0.7])
    names = [(code, 0.99, 0) for code in ("C3", "C1", "C2")]
    by_score = [1, 2, 0]
    locator.order = by_score
    reading = Reader(locator, SaysWhat([names[i] for i in by_score])).read(PHOTO)  # type: ignore[arg-type]
    assert [tile.code for tile in reading.tiles] == ["C3", "C1", "C2"]


@pytest.mark.parametrize(
    ("turn", "top_left", "degrees", "reason"),
    [
        (0, (50.0, 200.0), 0, "upright"),
        (1, (80.0, 200.0), 90, "turned clockwise: its top left is at the top right"),
        (2, (80.0, 240.0), 180, "upside down"),
        (3, (50.0, 240.0), 270, "turned the other way"),
    ],
)
def test_the_quad_starts_at_the_tiles_own_top_left(
    turn: int, top_left: tuple[float, float], degrees: int, reason: str
) -> None:
    (tile,) = reader(("C5", 0.99, turn)).read(PHOTO).tiles
    assert tile.quad[0] == top_left, reason
    assert tile.turn == degrees, reason


@pytest.mark.parametrize(
    ("confidence", "tile_chance", "score", "is_kept", "doubtful", "reason"),
    [
        (0.99, 0.99, 0.9, True, False, "sure of both"),
        (0.6, 0.99, 0.9, True, True, "sure that it is a tile, not of which"),
        (0.05, 0.99, 0.9, True, True, "a tile without one of the names: a joker"),
        (0.12, 0.15, 0.5, False, False, "neither: a die, a scrap of paper"),
        (0.3, 0.4, 0.2, False, False, "both networks rather think that it is none"),
    ],
)
def test_doubt(
    confidence: float, tile_chance: float, score: float, is_kept: bool, doubtful: bool, reason: str
) -> None:
    says = SaysWhat([("C5", confidence, 0)], tile_chance=tile_chance)
    tiles = Reader(SaysWhere([score]), says).read(PHOTO).tiles  # type: ignore[arg-type]
    assert len(tiles) == is_kept, reason
    assert any(tile.doubtful for tile in tiles) == doubtful, reason


@pytest.mark.parametrize(
    ("score", "is_strewn", "is_kept", "reason"),
    [
        (0.25, False, True, "in the hand's row: a strange set's flower may be as faint"),
        (0.25, True, False, "far from it: a figure on a score sheet"),
        (0.5, True, True, "far from it, and rather a tile than none"),
        (0.08, False, False, "hardly anything at all"),
    ],
)  # fmt: skip
def test_what_is_hardly_a_tile_is_kept_with_the_hand_alone(
    score: float, is_strewn: bool, is_kept: bool, reason: str
) -> None:
    locator = SaysWhere([0.95] * 5 + [score], strewn_places=(5,) if is_strewn else ())
    says = SaysWhat(
        [(code, 0.99, 0) for code in ("B1", "B2", "B3", "WE", "WE")] + [("C9", 0.5, 0)] * 2
    )
    reading = Reader(locator, says).read(PHOTO)  # type: ignore[arg-type]
    assert len(reading.tiles) == 5 + is_kept, reason


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ([], "no-tiles"),
        ([("B5", 0.99, 0)] * 5, "too-many-of-a-tile"),
        ([("F1", 0.99, 0)] * 2, "too-many-of-a-tile"),
    ],
)
def test_what_the_player_should_know(names: list[tuple[str, float, int]], problem: str) -> None:
    sure = SaysWhat(names, alternatives=())
    problems = Reader(SaysWhere([0.95] * len(names)), sure).read(PHOTO).problems  # type: ignore[arg-type]
    assert problems[0].code == problem
    assert problems[0].text.endswith(".")


def test_five_of_a_face_are_asked_about() -> None:
    """One of them at least is misread, and none is likelier than another."""
    names = [("O6", 0.995, 0)] * 5
    tiles = reader(*names).read(PHOTO).tiles
    assert any(tile.doubtful for tile in tiles)
    sure = Reader(SaysWhere([0.95] * 5), SaysWhat(names, alternatives=()))  # type: ignore[arg-type]
    assert all(tile.doubtful for tile in sure.read(PHOTO).tiles)


def test_tiles_are_weighed_together() -> None:
    """A set of tiles holds one of each flower: of two alike neither is taken for sure."""
    tiles = reader(("F1", 0.99, 0), ("F1", 0.99, 0)).read(PHOTO).tiles
    assert {tile.code for tile in tiles} == {"F1", "S1"}
    assert all(tile.doubtful for tile in tiles)
    assert sorted(tile.seen for tile in tiles) == ["", "F1"]


def test_a_crop_is_one_tile() -> None:
    reading = reader(("DG", 0.97, 0)).read_crop(Photo("tile.jpg", np.zeros((90, 60, 3), np.uint8)))
    assert [tile.code for tile in reading.tiles] == ["DG"]
    assert list(reading.tiles[0].quad) == [(0, 0), (60, 0), (60, 90), (0, 90)]
    assert reading.sets == ()


@pytest.mark.parametrize(
    ("confidence", "looks", "reason"),
    [(0.95, 0, "sure at the first look"), (0.6, 1, "in doubt: seen once more")],
)
def test_a_doubtful_tile_is_looked_at_again(confidence: float, looks: int, reason: str) -> None:
    says = SaysWhat([("C5", confidence, 0)])
    Reader(SaysWhere([0.9]), says).read(PHOTO)  # type: ignore[arg-type]
    assert says.crops_seen_again == looks, reason


@pytest.mark.parametrize(
    ("sure", "is_strewn", "alternatives", "looks", "reason"),
    [
        (9, False, ("S1", 0.01), 1, "it is one of the hand's"),
        (9, True, ("WE", 0.01), 0, "a discard: nobody asks what it is"),
        (9, True, ("S1", 0.3), 0, "hardly a season, so far off"),
        (9, True, ("S1", 0.55), 1, "perhaps a season thrown down, and so the hand's"),
        (7, True, ("WE", 0.01), 1, "so few are sure that all may be parts of a larger tile"),
    ],
)
def test_only_what_may_be_the_hands_is_looked_at_again(
    sure: int, is_strewn: bool, alternatives: tuple[str, float], looks: int, reason: str
) -> None:
    names = [*((f"B{k + 1}", 0.99, 0) for k in range(sure)), ("C5", 0.6, 0)]
    says = SaysWhat(names, alternatives=(alternatives,), second_looks=sure)
    locator = SaysWhere([0.9] * len(names), strewn_places=(sure,) if is_strewn else ())
    reading = Reader(locator, says).read(PHOTO)  # type: ignore[arg-type]
    assert says.crops_seen_again == looks, reason
    assert [tile.doubtful for tile in reading.tiles if tile.code == "C5"] == [True], reason


def test_the_tables_own_set_is_looked_at_once_and_forgotten_on_request() -> None:
    classifier = SaysWhat([("B2", 0.99, 0)])
    reading = Reader(SaysWhere([0.95]), classifier)  # type: ignore[arg-type]

    def crop(name: str) -> RGB:
        return np.zeros((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), np.uint8)

    for codes, looked_at, reason in (
        ({"a": "B2", "b": "F1"}, 2, "both are new"),
        ({"a": "B3", "b": "F1"}, 2, "the same crops, one corrected since"),
        ({"b": "F1", "c": "JK"}, 3, "one more; what is no longer told is forgotten"),
        ({}, 3, "nothing is known any more"),
    ):
        reading.use_tile_set(codes, crop)
        reading.read(PHOTO)
        assert classifier.knows == tuple(codes.values()), reason
        assert classifier.looked_at == looked_at, reason


@pytest.mark.parametrize(
    ("known_crops", "expected", "reason"),
    [
        ({}, {"B9"}, "its pips are a 6's, and those of the 6 as well"),
        ({"a": "B9"}, set(), "the table's own set shows how its 9 looks"),
        ({"a": "B5"}, {"B9"}, "no crop of its 9 is known"),
    ],
)
def test_a_sure_bamboo_whose_pips_are_anothers_is_asked_about(
    known_crops: dict[str, str], expected: set[str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.networks.print_review.read_pips", lambda _: frozenset({"B6"}))
    reading = reader(*((code, 0.999, 0) for code in ("B6", "B9", "C2", "WE", "WE")))
    reading.use_tile_set(
        known_crops, lambda _: np.zeros((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), np.uint8)
    )
    tiles = reading.read(PHOTO).tiles
    assert {tile.code for tile in tiles if tile.doubtful} == expected, reason


def test_the_print_of_an_unfamiliar_set_is_read_though_no_tile_is_in_doubt() -> None:
    """The look of each wind is sure, but all are less so than those of a known set."""
    names = [*((f"B{n}", 0.99, 0) for n in range(1, 9)), *[("WW", 0.99, 0)] * 2]
    locator, classifier = (
        SaysWhere([0.95] * len(names)),
        SaysWhat(names, alternatives=(("WE", 0.009),)),
    )
    hand = Reader(locator, classifier, print_reader=_ReadsEast())  # type: ignore[arg-type]
    assert [each.code for each in hand.read(PHOTO).tiles[-2:]] == ["WE", "WE"]


@pytest.mark.parametrize("has_looks", [True, False])
def test_looks_of_a_head_that_was_not_trained_name_nothing(
    monkeypatch: pytest.MonkeyPatch, has_looks: bool
) -> None:
    crop_counts: list[int] = []

    def share(sights: list[NamedDetection], gate: float) -> list[NamedDetection]:
        crop_counts.append(len(sights))
        return sights

    monkeypatch.setattr("vision.networks.finder.share_looks", share)
    classifier = SaysWhat([(f"B{n}", 0.999, 0) for n in range(1, 6)], has_looks=has_looks)
    Reader(SaysWhere([0.95] * 5), classifier, print_reader=_ReadsNoPrint()).read(PHOTO)  # type: ignore[arg-type]
    assert crop_counts == [5] * has_looks


def test_a_joker_that_the_set_taught_is_read_as_one() -> None:
    names = [("JK", 0.99, 0)] * 5
    reading = reader(*names).read(PHOTO)
    assert [tile.code for tile in reading.tiles] == ["JK"] * 5
    assert [problem.code for problem in reading.problems] == []


class _Says(PrintReader):
    """Says the same of all tiles, at a glance and in full."""

    def say(self) -> TilePrint:
        raise NotImplementedError

    def glance(
        self,
        rgb: RGB,
        quads: Sequence[npt.NDArray[np.float32]],
        orders: Sequence[Sequence[TilePart]],
        is_enough: Callable[[int, TilePrint], bool],
        with_pips: Collection[int] = (),
    ) -> list[TilePrint]:
        return self.read(rgb, quads, orders, with_pips)

    def read(
        self,
        rgb: RGB,
        quads: Sequence[npt.NDArray[np.float32]],
        parts: Sequence[Collection[TilePart]],
        with_pips: Collection[int] = (),
    ) -> list[TilePrint]:
        return [self.say() for _ in quads]


class _ReadsNoPrint(_Says):
    """What is printed is not there to be read: asking for it fails the test."""

    def say(self) -> TilePrint:
        raise AssertionError("a usual hand was read a second time")


class _ReadsEast(_Says):
    def say(self) -> TilePrint:
        return TilePrint(middle=np.array([sign == "東" for sign in SIGNS], np.float32))


@pytest.mark.parametrize("is_table", [False, True])
def test_print_is_read_before_the_player_is_asked(is_table: bool) -> None:
    """The look of a strange set is doubted as a whole, here of bamboos that are guesses."""
    names = [*((f"B{n}", 0.7, 0) for n in range(1, 9)), *[("WE", 0.95, 0)] * 2]
    locator, classifier = (
        SaysWhere([0.95] * len(names)),
        SaysWhat(names, alternatives=(("C9", 0.01),)),
    )
    classifier.agree = lambda first, looks, prototypes=None: first  # type: ignore[method-assign]
    hand = Reader(locator, classifier, print_reader=_ReadsEast())  # type: ignore[arg-type]
    reading = hand.read_table(PHOTO)["bottom"] if is_table else hand.read(PHOTO)
    *bamboos, east, last_tile = reading.tiles
    assert all(each.doubtful for each in bamboos)
    assert [(each.code, each.doubtful) for each in (east, last_tile)] == [("WE", False)] * 2


def test_the_print_of_a_usual_hand_is_not_read() -> None:
    """With a flower it is: a glance at one costs up to a third of what reading the hand does."""
    names = [(code, 0.999, 0) for code in ("B1", "B2", "B3", "WE", "WE", "F2")]
    for count in (5, 6):
        locator, classifier = (
            SaysWhere([0.95] * count),
            SaysWhat(names[:count], alternatives=(("C1", 0.01),)),
        )
        hand = Reader(locator, classifier, print_reader=_ReadsNoPrint())  # type: ignore[arg-type]
        if count == 5:
            assert hand.read(PHOTO).hand_text.startswith("| B123 WEE |")
            continue
        with pytest.raises(AssertionError, match="a second time"):
            hand.read(PHOTO)
