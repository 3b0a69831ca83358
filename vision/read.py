"""Read a photograph: locate the tiles, name them, arrange them. The pipeline, stage by stage."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.tiles import CODES, Tile, copies
from vision.arrange import arrange, to_sets
from vision.assemble import AssembledHand
from vision.classify import Classifier, Named
from vision.locate import Located, Locator
from vision.photo import Photo
from vision.preprocess import RGB, second_looks, straighten
from vision.prototypes import Prototypes
from vision.reading import Problem, Quad, Reading, TileReading, Timings
from vision.rows import find_rows, reading_order

Progress = Callable[[str], None]
"""Told the name of each stage as it begins: locate, classify, arrange."""


class Reader:
    """Reads photographs with one loaded pair of networks; used by one thread at a time."""

    def __init__(self, locator: Locator, classifier: Classifier, load_ms: float = 0.0) -> None:
        self._locator = locator
        self._classifier = classifier
        self._load_ms = load_ms
        self._looks: dict[str, npt.NDArray[np.float32]] = {}
        self._own: Prototypes | None = None

    @classmethod
    def load(cls, folder: Path | None = None) -> Reader:
        """Load the networks, the box's or those in `folder`; raise ModelError if one is altered."""
        began = time.perf_counter()
        locator, classifier = Locator.load(folder), Classifier.load(folder)
        return cls(locator, classifier, (time.perf_counter() - began) * 1000)

    def know(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Read from now on as one who knows these crops of the table's own set.

        `codes` says what each shows, by its name, out of `vision.prototypes.NAMES`; `crop` returns
        the straightened tile of a name and is asked for those alone that are new. No crops at all
        forget the set.
        """
        new = [name for name in codes if name not in self._looks]
        looks = self._classifier.look([crop(name) for name in new]) if new else ()
        known = self._looks | dict(zip(new, looks, strict=True))
        self._looks = {name: known[name] for name in codes}
        views = np.array(list(self._looks.values()), np.float32)
        self._own = Prototypes(tuple(codes.values()), views) if codes else None

    def read(self, photo: Photo, rules: str = "bmja", progress: Progress | None = None) -> Reading:
        """Read a photograph of a hand under a ruleset."""
        clock = _Clock(self._load_ms, progress)
        clock.begin("locate")
        located = self._locator.locate(photo)
        clock.begin("classify")
        named = self._name(photo, located)
        found = [
            self._tile(n, _own_quad(t, n))
            for t, n in zip(located, named, strict=True)
            if self._is_tile(t, n)
        ]
        clock.begin("arrange")
        quads = np.array([tile.quad for tile in found], np.float32).reshape(-1, 4, 2)
        rows = find_rows(quads)
        order = reading_order(rows, quads)
        tiles = tuple(found[i] for i in order)
        places = {tile: place for place, tile in enumerate(order)}
        hand = arrange([t.code for t in tiles], [row.renumbered(places) for row in rows], rules)
        return _reading(photo, tiles, hand, clock.stop())

    def read_crop(self, photo: Photo) -> Reading:
        """Read a picture that is one upright tile and little else."""
        clock = _Clock(self._load_ms, None)
        clock.begin("classify")
        edges = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        quad = edges * np.array([photo.width, photo.height], np.float32)
        named = self._classifier.classify([straighten(photo.rgb, quad)])[0]
        tile = self._tile(named, _as_points(quad))
        return _reading(photo, (tile,), AssembledHand(()), clock.stop())

    def _name(self, photo: Photo, located: Sequence[Located]) -> list[Named]:
        """Name the tiles; look again at those in doubt, framed a little differently each time."""
        crops = [straighten(photo.rgb, t.quad) for t in located]
        named = self._classifier.classify(crops, self._own)
        for k, tile in enumerate(located):
            if named[k].confidence < self._classifier.gate and self._is_tile(tile, named[k]):
                crops = [straighten(photo.rgb, quad) for quad in second_looks(tile.quad)]
                named[k] = self._classifier.agree(crops, self._own)
        return named

    def _is_tile(self, located: Located, named: Named) -> bool:
        """Whether both networks together hold it for a tile, not a die or a scrap of paper."""
        return located.score * named.tile_chance >= self._classifier.floor

    def _tile(self, named: Named, quad: Quad) -> TileReading:
        return TileReading(
            code=named.code,
            confidence=named.confidence,
            quad=quad,
            turn=_turn(quad),
            alternatives=named.alternatives,
            doubtful=named.confidence < self._classifier.gate,
        )


def _own_quad(located: Located, named: Named) -> Quad:
    """Return the quad from the tile's own top left, once the classifier knows which way is up."""
    return _as_points(np.roll(located.quad, -named.quarter_turns, axis=0))


def _as_points(quad: npt.NDArray[np.float32]) -> Quad:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return (a, b, c, d)


def _turn(quad: Quad) -> int:
    """Return the tile's clockwise rotation in the photo, rounded to quarters, in degrees."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    angle = np.degrees(np.arctan2(by - ay + cy - dy, bx - ax + cx - dx))
    return round(float(angle) / 90) % 4 * 90


def _reading(
    photo: Photo, tiles: tuple[TileReading, ...], hand: AssembledHand, ms: Timings
) -> Reading:
    return Reading(
        photo=photo.name,
        width=photo.width,
        height=photo.height,
        tiles=tiles,
        sets=to_sets(hand),
        hand_text=format_hand(Hand(hand.exposed, hand.declared_kongs, hand.concealed, hand.bonus)),
        problems=tuple(_problems(tiles, hand)),
        ms=ms,
    )


def _problems(tiles: Sequence[TileReading], hand: AssembledHand) -> list[Problem]:
    """Return what the player should know of the reading, most important first."""
    if not tiles:
        return [
            Problem(
                "no-tiles",
                "I found no tiles in this photo. Please move closer, or give it more light.",
            )
        ]
    problems = []
    in_hand = [code for s in hand.sets for code in s.codes]
    for code, count in sorted(Counter(in_hand).items()):
        if code in CODES and count > copies(Tile.parse(code)):
            name = Tile.parse(code).name
            problems.append(
                Problem(
                    "too-many-of-a-tile",
                    f"I read {name} {count} times, more often than a set holds it. "
                    "Please check those tiles.",
                )
            )
    apart = len(tiles) - sum(len(s.tiles) for s in hand.sets)
    if apart and hand.sets:
        noun = "tile that lies" if apart == 1 else "tiles that lie"
        problems.append(Problem("left-out", f"I left out {apart} {noun} apart from the hand."))
    return problems


class _Clock:
    """Times the stages and tells of them."""

    def __init__(self, load_ms: float, progress: Progress | None) -> None:
        self._spent = {"load": load_ms, "locate": 0.0, "classify": 0.0, "arrange": 0.0}
        self._progress = progress
        self._stage = ""
        self._began = self._start = time.perf_counter()

    def begin(self, stage: str) -> None:
        self._end()
        self._stage = stage
        if self._progress:
            self._progress(stage)

    def stop(self) -> Timings:
        self._end()
        total = (time.perf_counter() - self._start) * 1000
        return Timings(**{k: round(v, 1) for k, v in self._spent.items()}, total=round(total, 1))

    def _end(self) -> None:
        now = time.perf_counter()
        if self._stage:
            self._spent[self._stage] += (now - self._began) * 1000
        self._began = now
