"""The pipeline: locate the tiles in a photograph, classify, decode and arrange them.

`StageTimer` measures each stage and reports progress.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from scorer.message import message
from scorer.tile_names import name_tile
from scorer.tiles import FACE_DOWN
from vision.clock import Clock, Progress
from vision.geometry.mat import find_mat
from vision.geometry.rows import Layout
from vision.hand.assemble import AssembledHand
from vision.hand.build import LaidHand, lay
from vision.hand.counts import too_many
from vision.hand.own import own_tiles
from vision.hand.questions import questions
from vision.hand.room import rooms
from vision.hand.whole_table import lay_sides
from vision.networks.classify import Classifier
from vision.networks.find import Finder
from vision.networks.locate import Locator, centre_inside
from vision.networks.mirror import look_mirrored
from vision.networks.own_sets import OwnSets
from vision.networks.printed import PrintReader
from vision.networks.stepping_back import Sight
from vision.photo import Photo
from vision.preprocess import RGB, straighten
from vision.quality import faults
from vision.reading import LooseTiles, Problem, Reading, Side, TileReading, turn_of

MIRRORED = Problem("mirrored", message("seen.mirrored"))


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
        self._sets = OwnSets(classifier)
        self._load_ms = load_ms

    @classmethod
    def load(cls, folder: Path | None = None) -> Reader:
        """Load the networks, the built-in ones or those in `folder`; raise ModelError."""
        began = time.perf_counter()
        locator, classifier = Locator.load(folder), Classifier.load(folder)
        print_reader = PrintReader.checked()
        return cls(locator, classifier, (time.perf_counter() - began) * 1000, print_reader)

    def know(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Use these crops of the table's own tile set in all further readings.

        `codes` maps the name of each crop to its code, one of
        `vision.networks.prototypes.CLASS_NAMES`. `crop` returns the straightened tile of a name; it
        is called for new names only. Empty `codes` forget the set.
        """
        self._finder.own = self._sets.chosen(codes, crop)

    def whose(
        self,
        photo: Photo,
        tiles: Sequence[TileReading],
        sets: Mapping[str, Mapping[str, str]],
        chosen: str,
        crop: Callable[[str], RGB],
    ) -> str | None:
        """Return the set that a photograph's tiles belong to, if it is clearly not `chosen`.

        `sets` maps the name of each set to its codes, as `know` takes them.
        """
        crops = [straighten(photo.rgb, np.array(each.quad, np.float32)) for each in tiles]
        seen = [(each.code, shown) for each, shown in zip(tiles, crops, strict=True)]
        return self._sets.whose(seen, sets, chosen, crop)

    def read(self, photo: Photo, rules: str = "bmja", progress: Progress | None = None) -> Reading:
        """Read a photograph of a hand under a ruleset."""
        clock = Clock(self._load_ms, progress)
        clock.begin("locate")
        mat = find_mat(photo)
        located = self._finder.locate(photo)
        clock.begin("classify")
        sights = self._finder.name(
            photo, located, lambda found: own_tiles(self._tiles(found), mat), is_bare=mat is None
        )
        clock.begin("arrange")
        laid = lay(self._tiles(sights), rules, self._finder.gate, mat=mat)
        return self._reading(photo, laid, sights, clock, _mirrored(sights))

    def read_table(
        self, photo: Photo, rules: str = "bmja", progress: Progress | None = None
    ) -> dict[Side, Reading]:
        """Read a photograph of the whole table: the hand on each side that has one.

        Sides are those of the photograph, in the order of play. Tiles in the middle are left out of
        the nearest hand.
        """
        clock = Clock(self._load_ms, progress)
        clock.begin("locate")
        sights = self._find(photo, clock)
        clock.begin("arrange")
        hands = lay_sides(self._tiles(sights), rules, self._finder.gate)
        mirrored = _mirrored(sights)
        readings = {}
        for hand in hands:
            own = [sights[place] for place in hand.tiles]
            readings[hand.side] = self._reading(photo, hand.laid, own, clock, mirrored)
        return readings

    def read_set(self, photo: Photo, progress: Progress | None = None) -> LooseTiles:
        """Read a photograph of a tile set: each tile by itself, in no order."""
        clock = Clock(self._load_ms, progress)
        clock.begin("locate")
        sights = self._find(photo, clock)
        return LooseTiles(tuple(self._tiles(sights)), _mirrored(sights))

    def count(self, photo: Photo) -> int:
        """Return the number of tiles seen at a glance, without a closer look at small ones."""
        return self._finder.count(photo)

    def read_crop(self, photo: Photo) -> Reading:
        """Read a picture of one upright tile."""
        clock = Clock(self._load_ms, None)
        clock.begin("classify")
        sight = self._finder.filling(photo)
        laid = LaidHand(tuple(self._tiles([sight])), (0,), Layout(), AssembledHand(()))
        return self._reading(photo, laid, [sight], clock)

    def _find(self, photo: Photo, clock: Clock) -> list[Sight]:
        """Return every tile, named; doubtful ones get a second look."""
        located = self._finder.locate(photo)
        clock.begin("classify")
        return self._finder.name(photo, located)

    def _reading(
        self,
        photo: Photo,
        laid: LaidHand,
        sights: Sequence[Sight],
        clock: Clock,
        suspected: tuple[Problem, ...] = (),
    ) -> Reading:
        """Return the reading of a hand that was laid out from these detections."""
        fields = laid.fields()
        crops = [sights[place].crop for place in laid.order]
        return Reading(
            photo=photo.name,
            width=photo.width,
            height=photo.height,
            problems=(
                *suspected,
                *faults(photo, laid.tiles, fields["sets"], crops),
                *_problems(laid.tiles, laid.hand, laid.layout),
                *self._short_kongs(photo, laid),
            ),
            ms=clock.stop(),
            **fields,
        )

    def _short_kongs(self, photo: Photo, laid: LaidHand) -> list[Problem]:
        """Ask about pungs beside which a fourth tile seems to lie."""
        there = [room for room in rooms(laid) if centre_inside(room.quad, photo)]
        named = self._finder.at_a_look(photo, [room.quad for room in there])
        seen = [
            room.code
            for room, name in zip(there, named, strict=True)
            if name.confidence >= self._finder.gate and name.code in (FACE_DOWN, room.code)
        ]
        return [
            Problem("kong-short", message("lies.kong-short", tile=name_tile(code)))
            for code in dict.fromkeys(seen)
        ]

    def _tiles(self, sights: Sequence[Sight]) -> list[TileReading]:
        return [_tile(sight, self._finder.gate) for sight in sights]


def _tile(sight: Sight, gate: float) -> TileReading:
    """Return a tile whose quad starts at its own top left, now that its turn is known."""
    named = sight.named
    corners = np.roll(sight.located.quad, -named.quarter_turns, axis=0).tolist()
    a, b, c, d = ((round(x, 1), round(y, 1)) for x, y in corners)
    return TileReading(
        code=named.code,
        confidence=named.confidence,
        quad=(a, b, c, d),
        turn=turn_of((a, b, c, d)),
        alternatives=named.alternatives,
        doubtful=named.confidence < gate,
    )


def _mirrored(sights: Sequence[Sight]) -> tuple[Problem, ...]:
    return (MIRRORED,) if look_mirrored([sight.named for sight in sights]) else ()


def _problems(tiles: Sequence[TileReading], hand: AssembledHand, layout: Layout) -> list[Problem]:
    """Return what the player should know about the reading, most important first."""
    if not tiles:
        return [Problem("no-tiles", message("seen.no-tiles"))]
    problems = []
    for code, count in too_many(hand).items():
        what = message("seen.too-many", tile=name_tile(code), count=count)
        problems.append(Problem("too-many-of-a-tile", what))
    problems += questions([tile.code for tile in tiles], hand, layout)
    apart = len(layout.left_out)
    if apart:
        problems.append(Problem("left-out", message("seen.left-out", count=apart)))
    return problems
