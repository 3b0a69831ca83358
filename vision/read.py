"""Read a photograph: locate the tiles, name, decode and arrange them. The pipeline."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scorer.message import message
from scorer.naming import tile
from scorer.tiles import FACE_DOWN
from vision.geometry.mat import find_mat
from vision.geometry.rows import Layout
from vision.hand.assemble import AssembledHand
from vision.hand.build import LaidHand, lay
from vision.hand.counts import too_many
from vision.hand.own import own_tiles
from vision.hand.questions import questions
from vision.hand.room import rooms
from vision.hand.whole_table import lay_sides
from vision.networks.blank import whites_told
from vision.networks.classify import Classifier, Named
from vision.networks.locate import Located, Locator, centre_inside
from vision.networks.mirror import look_mirrored
from vision.networks.printed import PrintReader
from vision.networks.prototypes import Prototypes, limited
from vision.networks.reread import reread, to_read
from vision.networks.stepping_back import Sight, may_be_parts, whole_tiles
from vision.networks.which_set import CROPS
from vision.photo import Photo
from vision.preprocess import RGB, shifted_crops, straighten
from vision.quality import faults
from vision.reading import LooseTiles, Problem, Quad, Reading, Side, TileReading, Timings, turn_of


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A tile with what it looks like."""

    tile: TileReading
    crop: RGB


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The tiles of a photograph, and what the player should know of all of them."""

    tiles: Sequence[_Seen]
    problems: tuple[Problem, ...]


A_WHOLE_HAND = 13
"""Tiles of which at a glance so many are no parts of a few large ones."""

MIRRORED = Problem("mirrored", message("seen.mirrored"))


_Progress = Callable[[str], None]
"""Told the name of each stage as it begins: locate, classify, arrange."""

_Wanted = Callable[[Sequence[TileReading]], Collection[int]]
"""Says which of the tiles of a photograph matter, by their places."""


class Reader:
    """Reads photographs with one loaded pair of networks; used by one thread at a time."""

    def __init__(
        self,
        locator: Locator,
        classifier: Classifier,
        load_ms: float = 0.0,
        print_reader: PrintReader | None = None,
    ) -> None:
        self._locator = locator
        self._classifier = classifier
        self._print_reader = print_reader or PrintReader()
        self._load_ms = load_ms
        self._looks: dict[str, npt.NDArray[np.float32]] = {}
        self._others: dict[str, npt.NDArray[np.float32]] = {}
        self._own: Prototypes | None = None

    @classmethod
    def load(cls, folder: Path | None = None) -> Reader:
        """Load the networks, the box's or those in `folder`; raise ModelError if one is altered."""
        began = time.perf_counter()
        locator, classifier = Locator.load(folder), Classifier.load(folder)
        print_reader = PrintReader.checked()
        return cls(locator, classifier, (time.perf_counter() - began) * 1000, print_reader)

    def know(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Read from now on as one who knows these crops of the table's own set.

        `codes` says what each shows, by its name, out of `vision.networks.prototypes.NAMES`; `crop`
        returns the straightened tile of a name and is asked for those alone that are new. No crops
        at all forget the set.
        """
        self._looks = self._looked_at(codes, crop, self._looks)
        self._own = _prototypes(codes, self._looks) if codes else None

    def whose(
        self,
        photo: Photo,
        tiles: Sequence[TileReading],
        sets: Mapping[str, Mapping[str, str]],
        chosen: str,
        crop: Callable[[str], RGB],
    ) -> str | None:
        """Return the set of which a photograph's tiles are, if it is clearly not the chosen one.

        `sets` holds what `know` takes as codes, set by set.
        """
        faces = {tile.code for tile in tiles}
        few = {own: _few(codes, faces) for own, codes in sets.items()}
        every = {name: code for codes in few.values() for name, code in codes.items()}
        self._others = self._looked_at(every, crop, self._looks | self._others)
        known = {own: _prototypes(codes, self._others) for own, codes in few.items() if codes}
        if chosen not in known or len(known) < 2:
            return None
        crops = [straighten(photo.rgb, np.array(tile.quad, np.float32)) for tile in tiles]
        return self._classifier.whose([tile.code for tile in tiles], crops, known, chosen)

    def _looked_at(
        self,
        names: Iterable[str],
        crop: Callable[[str], RGB],
        before: Mapping[str, npt.NDArray[np.float32]],
    ) -> dict[str, npt.NDArray[np.float32]]:
        """Return how crops look, by their names; only those not met before are looked at."""
        new = [name for name in names if name not in before]
        looks = self._classifier.look([crop(name) for name in new]) if new else ()
        known = {**before, **dict(zip(new, looks, strict=True))}
        return {name: known[name] for name in names}

    def read(self, photo: Photo, rules: str = "bmja", progress: _Progress | None = None) -> Reading:
        """Read a photograph of a hand under a ruleset."""
        clock = _Clock(self._load_ms, progress)
        clock.begin("locate")
        mat = find_mat(photo)
        found = self._find(photo, clock, lambda tiles: own_tiles(tiles, mat))
        clock.begin("arrange")
        tiles = [seen.tile for seen in found.tiles]
        laid = lay(tiles, rules, self._classifier.gate, mat=mat)
        short = self._short_kongs(photo, laid)
        reading = _reading(photo, laid, _crops(found.tiles, laid), clock)
        return _with_problems(reading, found.problems, short)

    def read_table(
        self, photo: Photo, rules: str = "bmja", progress: _Progress | None = None
    ) -> dict[Side, Reading]:
        """Read a photograph of the whole table: the hand on each side of it where one lies.

        The sides are the photograph's, in the order of play. What lies about in the middle is left
        out of the hand that is nearest.
        """
        clock = _Clock(self._load_ms, progress)
        clock.begin("locate")
        found = self._find(photo, clock)
        clock.begin("arrange")
        hands = lay_sides([seen.tile for seen in found.tiles], rules, self._classifier.gate)
        readings = {}
        for hand in hands:
            short = self._short_kongs(photo, hand.laid)
            crops = _crops([found.tiles[i] for i in hand.tiles], hand.laid)
            reading = _reading(photo, hand.laid, crops, clock)
            readings[hand.side] = _with_problems(reading, found.problems, short)
        return readings

    def read_set(self, photo: Photo, progress: _Progress | None = None) -> LooseTiles:
        """Read a photograph of a tile set: every tile by itself, in no hand and in no order."""
        clock = _Clock(self._load_ms, progress)
        clock.begin("locate")
        found = self._find(photo, clock)
        return LooseTiles(tuple(seen.tile for seen in found.tiles), found.problems)

    def count(self, photo: Photo) -> int:
        """Return how many tiles are seen at a glance: not closer, for few from further back."""
        located = self._locator.glance(photo)
        if len(located) >= A_WHOLE_HAND:
            return len(located)
        sights = self._sights(photo, located)
        if may_be_parts(sights, self._classifier.gate):
            sights = self._with_larger(photo, sights)
        return len(sights)

    def _short_kongs(self, photo: Photo, laid: LaidHand) -> tuple[Problem, ...]:
        """Ask about sets of three alike beside which a fourth tile seems to lie."""
        there = [room for room in rooms(laid) if centre_inside(room.quad, photo)]
        if not there:
            return ()
        crops = [straighten(photo.rgb, room.quad) for room in there]
        named = self._classifier.classify(crops, self._own)
        seen = [
            room.code
            for room, name in zip(there, named, strict=True)
            if name.confidence >= self._classifier.gate and name.code in (FACE_DOWN, room.code)
        ]
        return tuple(
            Problem("kong-short", message("lies.kong-short", tile=tile(code)))
            for code in dict.fromkeys(seen)
        )

    def _find(self, photo: Photo, clock: _Clock, wanted: _Wanted | None = None) -> _Found:
        """Locate the tiles and name them; those in doubt are looked at again where `wanted`."""
        located = self._locator.locate(photo)
        clock.begin("classify")
        sights = self._sights(photo, located)
        if may_be_parts(sights, self._classifier.gate):
            sights = self._surer(photo, sights)
        if may_be_parts(sights, self._classifier.gate):
            sights = self._with_larger(photo, sights)
        sights = self._surer(photo, sights, wanted)
        sights = self._reread(photo, sights, wanted)
        sights = whites_told(sights)
        suspected = (MIRRORED,) if look_mirrored([sight.named for sight in sights]) else ()
        return _Found([self._seen(sight) for sight in sights], suspected)

    def _with_larger(self, photo: Photo, sights: list[Sight]) -> list[Sight]:
        """Look for tiles too large for the first look; their parts give way to them."""
        larger = self._locator.locate_larger(photo)
        if not larger:
            return sights
        seen = self._surer(photo, self._sights(photo, larger))
        return whole_tiles([*sights, *seen], self._classifier.gate)

    def _sights(self, photo: Photo, located: Sequence[Located]) -> list[Sight]:
        """Name what the locator found; what is no tile is left out."""
        crops = [straighten(photo.rgb, tile.quad) for tile in located]
        named = self._classifier.classify(crops, self._own)
        sights = [Sight(*each) for each in zip(located, named, crops, strict=True)]
        return [sight for sight in sights if sight.chance >= self._classifier.floor]

    def _surer(
        self, photo: Photo, sights: list[Sight], wanted: _Wanted | None = None
    ) -> list[Sight]:
        """Look again at tiles in doubt, framed a little differently; at those `wanted` alone."""
        gate, floor = self._classifier.gate, self._classifier.floor
        doubtful = [k for k, s in enumerate(sights) if s.named.confidence < gate and not s.again]
        if doubtful and wanted:
            places = wanted([self._seen(sight).tile for sight in sights])
            doubtful = [k for k in doubtful if k in places]
        looks = [shifted_crops(photo.rgb, sights[k].located.quad) for k in doubtful]
        first = [sights[k].named for k in doubtful]
        surer = dict(zip(doubtful, self._classifier.agree(first, looks, self._own), strict=True))
        seen = (
            replace(sight, named=surer[k], again=True) if k in surer else sight
            for k, sight in enumerate(sights)
        )
        return [sight for sight in seen if sight.chance >= floor]

    def _reread(
        self, photo: Photo, sights: Sequence[Sight], wanted: _Wanted | None = None
    ) -> list[Sight]:
        """Read the print of flowers, seasons and honours that the table's own set does not tell."""
        known = frozenset(self._own.codes) if self._own else frozenset()
        gate = self._classifier.gate
        places = to_read(sights, gate, known)
        if places and wanted:
            own = wanted([self._seen(sight).tile for sight in sights])
            places = [k for k in places if k in own]
        return reread(photo.rgb, sights, places, self._print_reader, gate)

    def _seen(self, sight: Sight) -> _Seen:
        named = sight.named
        return _Seen(self._tile(named, _own_quad(sight.located, named)), sight.crop)

    def read_crop(self, photo: Photo) -> Reading:
        """Read a picture that is one upright tile and little else."""
        clock = _Clock(self._load_ms, None)
        clock.begin("classify")
        edges = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        quad = edges * np.array([photo.width, photo.height], np.float32)
        crop = straighten(photo.rgb, quad)
        named = self._classifier.classify([crop])[0]
        sight = Sight(Located(quad, 1.0), replace(named, quarter_turns=0), crop)
        tile = self._tile(self._reread(photo, [sight])[0].named, _as_points(quad))
        laid = LaidHand((tile,), (0,), Layout(), AssembledHand(()))
        return _reading(photo, laid, [crop], clock)

    def _tile(self, named: Named, quad: Quad) -> TileReading:
        return TileReading(
            code=named.code,
            confidence=named.confidence,
            quad=quad,
            turn=turn_of(quad),
            alternatives=named.alternatives,
            doubtful=named.confidence < self._classifier.gate,
        )


def _few(codes: Mapping[str, str], faces: Collection[str]) -> dict[str, str]:
    """Return a few pictures of each of these faces, the first ones."""
    names = [name for name, code in codes.items() if code in faces]
    return {names[k]: codes[names[k]] for k in limited([codes[name] for name in names], CROPS)}


def _prototypes(
    codes: Mapping[str, str], looks: Mapping[str, npt.NDArray[np.float32]]
) -> Prototypes:
    views = np.array([looks[name] for name in codes], np.float32)
    return Prototypes(tuple(codes.values()), views)


def _own_quad(located: Located, named: Named) -> Quad:
    """Return the quad from the tile's own top left, once the classifier knows which way is up."""
    return _as_points(np.roll(located.quad, -named.quarter_turns, axis=0))


def _as_points(quad: npt.NDArray[np.float32]) -> Quad:
    a, b, c, d = ((round(x, 1), round(y, 1)) for x, y in quad.tolist())
    return (a, b, c, d)


def _crops(found: Sequence[_Seen], laid: LaidHand) -> list[RGB]:
    """Return what each tile of a hand looks like, in its order."""
    return [found[place].crop for place in laid.order]


def _reading(photo: Photo, laid: LaidHand, crops: Sequence[RGB], clock: _Clock) -> Reading:
    """Return the reading of a hand; `crops` are its tiles', one each."""
    fields = laid.fields()
    seen = faults(photo, laid.tiles, fields["sets"], crops)
    problems = (*seen, *_problems(laid.tiles, laid.hand, laid.layout))
    return Reading(
        photo=photo.name,
        width=photo.width,
        height=photo.height,
        problems=problems,
        ms=clock.stop(),
        **fields,
    )


def _with_problems(
    reading: Reading, before: tuple[Problem, ...], after: tuple[Problem, ...]
) -> Reading:
    return replace(reading, problems=(*before, *reading.problems, *after))


def _problems(tiles: Sequence[TileReading], hand: AssembledHand, layout: Layout) -> list[Problem]:
    """Return what the player should know of the reading, most important first."""
    if not tiles:
        return [Problem("no-tiles", message("seen.no-tiles"))]
    problems = []
    for code, count in too_many(hand).items():
        what = message("seen.too-many", tile=tile(code), count=count)
        problems.append(Problem("too-many-of-a-tile", what))
    problems += questions([tile.code for tile in tiles], hand, layout)
    apart = len(layout.left_out)
    if apart:
        problems.append(Problem("left-out", message("seen.left-out", count=apart)))
    return problems


class _Clock:
    """Times the stages and tells of them."""

    def __init__(self, load_ms: float, progress: _Progress | None) -> None:
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
