"""The pipeline: locate the tiles in a photograph, classify, decode and arrange them.

`StageTimer` measures each stage and reports progress.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scorer.message import message
from scorer.tile_names import name_tile
from scorer.tiles import FACE_DOWN
from vision.geometry.mat import find_mat
from vision.geometry.rows import Layout
from vision.hand.assembly import AssembledHand
from vision.hand.false_detections import find_false_detections
from vision.hand.hand_doubts import count_excess_faces
from vision.hand.laid_hand import LaidHand, lay_hand, lay_hands_by_side, possible_hand_tiles
from vision.hand.missed_kong_tile import possible_fourth_tiles
from vision.hand.questions import ask, questions
from vision.networks.classifier import Classifier, look_mirrored
from vision.networks.finder import Finder
from vision.networks.locator import Locator, is_centre_inside
from vision.networks.print_reader import PrintReader
from vision.networks.set_embeddings import SetEmbeddings
from vision.networks.zoom_out import NamedDetection
from vision.photo import Photo
from vision.preprocess import RGB, straighten
from vision.quality import NO_TILES, UNSURE_LIMITS, USUAL_LIMITS, find_faults
from vision.reading import (
    LooseTiles,
    Problem,
    Reading,
    Side,
    TileReading,
    Timings,
    make_problem,
    turn_of,
)
from vision.stored_form import newest_form

MIRRORED_PHOTO = make_problem("mirrored", message("seen.mirrored"))


class Reader:
    """Reads photographs with one set of networks; for one thread at a time."""

    def __init__(
        self,
        locator: Locator,
        classifier: Classifier,
        load_ms: float = 0.0,
        print_reader: PrintReader | None = None,
    ) -> None:
        self._finder = Finder(locator, classifier, print_reader)
        self._sets = SetEmbeddings(classifier)
        self._load_ms = load_ms

    @classmethod
    def load(cls, folder: Path | None = None) -> Reader:
        """Load the networks, the built-in ones or those in `folder`; raise ModelError."""
        start = time.perf_counter()
        locator, classifier = Locator.load(folder), Classifier.load(folder)
        print_reader = PrintReader.load_verified()
        return cls(locator, classifier, (time.perf_counter() - start) * 1000, print_reader)

    def use_tile_set(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Use these crops of the table's own tile set in all further readings.

        `codes` maps the name of each crop to its code, one of
        `vision.networks.prototypes.CLASS_NAMES`. `crop` returns the straightened tile of a name; it
        is called for new names only. Empty `codes` forget the set.
        """
        self._finder.prototypes = self._sets.load_prototypes(codes, crop)

    def find_other_set(
        self,
        photo: Photo,
        tiles: Sequence[TileReading],
        sets: Mapping[str, Mapping[str, str]],
        chosen_set: str,
        crop: Callable[[str], RGB],
    ) -> str | None:
        """Return the set that a photograph's tiles belong to, if it is clearly not `chosen_set`.

        `sets` maps the name of each set to its codes, as `know` takes them.
        """
        crops = [straighten(photo.rgb, np.array(each.quad, np.float32)) for each in tiles]
        seen_tiles = [(each.code, shown) for each, shown in zip(tiles, crops, strict=True)]
        return self._sets.find_other_set(seen_tiles, sets, chosen_set, crop)

    def read(self, photo: Photo, rules: str = "bmja", progress: Progress | None = None) -> Reading:
        """Read a photograph of a hand under a ruleset."""
        clock = StageTimer(self._load_ms, progress)
        clock.begin("locate")
        mat = find_mat(photo)
        located_tiles = self._finder.locate(photo)
        clock.begin("classify")
        sights = self._finder.name(
            photo,
            located_tiles,
            lambda candidates: possible_hand_tiles(self._tiles(candidates), rules, mat),
            is_bare=mat is None,
        )
        clock.begin("arrange")
        laid_hand = lay_hand(self._tiles(sights), rules, self._finder.gate, mat=mat)
        doubtful, unfamiliar = laid_hand.doubtful, laid_hand.unfamiliar
        if doubtful or unfamiliar:
            sights = self._finder.read_before_asking(photo, sights, doubtful, unfamiliar)
            laid_hand = lay_hand(self._tiles(sights), rules, self._finder.gate, mat=mat)
        return self._reading(photo, laid_hand, sights, clock, _mirror_problems(sights))

    def read_table(
        self, photo: Photo, rules: str = "bmja", progress: Progress | None = None
    ) -> dict[Side, Reading]:
        """Read a photograph of the whole table: the hand on each side that has one.

        Sides are those of the photograph, in the order of play. Tiles in the middle are left out of
        the nearest hand.
        """
        clock = StageTimer(self._load_ms, progress)
        clock.begin("locate")
        sights = self._find(photo, clock)
        clock.begin("arrange")
        hands = lay_hands_by_side(self._tiles(sights), rules, self._finder.gate)
        doubtful = [hand.tiles[k] for hand in hands for k in hand.laid_hand.doubtful]
        unfamiliar = [hand.tiles[k] for hand in hands for k in hand.laid_hand.unfamiliar]
        if doubtful or unfamiliar:
            sights = self._finder.read_before_asking(photo, sights, doubtful, unfamiliar)
            hands = lay_hands_by_side(self._tiles(sights), rules, self._finder.gate)
        mirror_problems = _mirror_problems(sights)
        readings = {}
        for hand in hands:
            side_sights = [sights[place] for place in hand.tiles]
            readings[hand.side] = self._reading(
                photo, hand.laid_hand, side_sights, clock, mirror_problems, of_table=True
            )
        return readings

    def read_set(self, photo: Photo, progress: Progress | None = None) -> LooseTiles:
        """Read a photograph of a tile set: each tile by itself, in no order."""
        clock = StageTimer(self._load_ms, progress)
        clock.begin("locate")
        sights = self._find(photo, clock)
        return LooseTiles(tuple(self._tiles(sights)), _mirror_problems(sights))

    def count(self, photo: Photo) -> int:
        """Return the number of tiles seen at a glance, without a closer look at small ones."""
        return self._finder.count(photo)

    def read_crop(self, photo: Photo) -> Reading:
        """Read a picture of one upright tile."""
        clock = StageTimer(self._load_ms, None)
        clock.begin("classify")
        sight = self._finder.read_single_tile(photo)
        laid_hand = LaidHand(tuple(self._tiles([sight])), (0,), Layout(), AssembledHand(()))
        return self._reading(photo, laid_hand, [sight], clock)

    def _find(self, photo: Photo, clock: StageTimer) -> list[NamedDetection]:
        """Return every tile, named; doubtful ones get a second look."""
        located_tiles = self._finder.locate(photo)
        clock.begin("classify")
        return self._finder.name(
            photo,
            located_tiles,
            lambda sights: set(range(len(sights))) - find_false_detections(self._tiles(sights)),
        )

    def _reading(
        self,
        photo: Photo,
        laid_hand: LaidHand,
        sights: Sequence[NamedDetection],
        clock: StageTimer,
        suspicions: tuple[Problem, ...] = (),
        *,
        of_table: bool = False,
    ) -> Reading:
        """Return the reading of a hand that was laid out from these detections.

        In a photograph of a table (`of_table`) far hands look small and flat however it is taken.
        """
        tiles = self._finder.doubt_by_sight(photo, laid_hand.tiles, laid_hand.hand_tiles)
        laid_hand = replace(laid_hand, tiles=tiles)
        fields = laid_hand.fields()
        crops = [sights[place].crop for place in laid_hand.order]
        unsure_limits = USUAL_LIMITS if of_table else UNSURE_LIMITS
        return Reading(
            form=newest_form(),
            photo=photo.name,
            width=photo.width,
            height=photo.height,
            problems=(
                *suspicions,
                *find_faults(photo, laid_hand.tiles, fields["sets"], crops, unsure_limits),
                *_problems(laid_hand),
                *self._short_kongs(photo, laid_hand),
            ),
            ms=clock.stop(),
            **fields,
        )

    def _short_kongs(self, photo: Photo, laid_hand: LaidHand) -> list[Problem]:
        """Ask about pungs beside which a fourth tile seems to lie."""
        every_room = possible_fourth_tiles(laid_hand)
        rooms = [room for room in every_room if is_centre_inside(room.quad, photo)]
        classifications = self._finder.classify_places(photo, [room.quad for room in rooms])
        fourth_codes = dict.fromkeys(
            room.code
            for room, name in zip(rooms, classifications, strict=True)
            if name.confidence >= self._finder.gate and name.code in (FACE_DOWN, room.code)
        )
        return [ask("lies.kong-short", tile=name_tile(code)) for code in fourth_codes]

    def _tiles(self, sights: Sequence[NamedDetection]) -> list[TileReading]:
        return [_to_reading(sight, self._finder.gate) for sight in sights]


def _to_reading(sight: NamedDetection, gate: float) -> TileReading:
    """Return a tile whose quad starts at its own top left, now that its turn is known."""
    classification = sight.classification
    corners = [(round(x, 1), round(y, 1)) for x, y in sight.detection.quad.tolist()]
    a, b, c, d = corners[classification.quarter_turns :] + corners[: classification.quarter_turns]
    return TileReading(
        code=classification.code,
        confidence=classification.confidence,
        quad=(a, b, c, d),
        turn=turn_of((a, b, c, d)),
        alternatives=classification.alternatives,
        doubtful=classification.confidence < gate,
        alike=sight.look_group,
        alone=sight.lone_confidence,
        print_odds=round(sight.print_odds, 1),
    )


def _mirror_problems(sights: Sequence[NamedDetection]) -> tuple[Problem, ...]:
    return (MIRRORED_PHOTO,) if look_mirrored([sight.classification for sight in sights]) else ()


def _problems(laid_hand: LaidHand) -> list[Problem]:
    """Return what the player should know about the reading, most important first."""
    if not laid_hand.tiles:
        return [NO_TILES]
    problems = []
    for code, count in count_excess_faces(laid_hand.hand).items():
        problem = message("seen.too-many", tile=name_tile(code), count=count)
        problems.append(make_problem("too-many-of-a-tile", problem))
    codes = [tile.code for tile in laid_hand.tiles]
    problems += questions(codes, laid_hand.hand, laid_hand.layout, laid_hand.blocks)
    loose_count = sum(why != "pattern" for why in laid_hand.layout.left_out.values())
    if loose_count:
        problems.append(make_problem("left-out", message("seen.left-out", count=loose_count)))
    return problems


Progress = Callable[[str], None]
"""Called with the name of each stage as it begins: locate, classify, arrange."""


class StageTimer:
    """Measures the stages of one reading and reports each as it begins."""

    def __init__(self, load_ms: float, progress: Progress | None) -> None:
        self._stage_ms = {"load": load_ms, "locate": 0.0, "classify": 0.0, "arrange": 0.0}
        self._progress = progress
        self._stage = ""
        self._stage_start = self._start = time.perf_counter()

    def begin(self, stage: str) -> None:
        """End the current stage and begin the next one."""
        self._end()
        self._stage = stage
        if self._progress:
            self._progress(stage)

    def stop(self) -> Timings:
        """Return how long each stage has taken so far, in milliseconds."""
        self._end()
        total = (time.perf_counter() - self._start) * 1000
        return Timings(**{k: round(v, 1) for k, v in self._stage_ms.items()}, total=round(total, 1))

    def _end(self) -> None:
        current_time = time.perf_counter()
        if self._stage:
            self._stage_ms[self._stage] += (current_time - self._stage_start) * 1000
        self._stage_start = current_time
