"""Find the tiles of a photograph and name each by itself.

Both networks and the print on the tiles are used. The layout of the hand matters only for one
thing: only tiles that may belong to it get a second look.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from vision.networks.blank_tiles import doubt_gaps, find_faint_blanks, name_blank_tiles
from vision.networks.classifier import Classification, Classifier, name_unknown_picture
from vision.networks.equal_tiles import doubt_equal_tiles
from vision.networks.locator import Detection, LocatedTiles, Locator
from vision.networks.low_camera import locate_in_stretched
from vision.networks.print_reader import PrintReader
from vision.networks.print_review import (
    doubt_by_pips,
    read_before_asking,
    review_prints,
    select_tiles_to_read,
)
from vision.networks.prototypes import Prototypes
from vision.networks.shared_looks import share_looks
from vision.networks.wind_markers import drop_wind_markers
from vision.networks.zoom_out import NamedDetection, drop_parts, may_be_parts
from vision.photo import Photo
from vision.preprocess import Float32s, cut_shifted_crops, straighten
from vision.reading import TileReading

MIN_HAND_TILES = 13
"""From this number of tiles seen at a glance, they are not parts of a few large tiles."""

MIN_TILE_CHANCE = 0.35
"""Tile chance from which a detection is kept anywhere. Below it, down to the fitted floor, it is
kept only where it may belong to a hand, and then asked about. Figures on a score sheet score as
high as an unfamiliar set's flowers."""

MIN_PICTURE_SCORE = 0.6
"""The locator's score from which what the classifier takes for no tile may be a tile with a picture
never seen, if it has the size of the others."""

PICTURE_BONUS_CHANCE = 0.4
"""Chance that such a tile is a flower or season, whichever: enough to count it and to ask."""

SelectTiles = Callable[[Sequence[NamedDetection]], Collection[int]]
"""Returns the positions of the detections that are relevant."""


class Finder:
    """Finds tiles with one set of networks; for one thread at a time."""

    def __init__(
        self, locator: Locator, classifier: Classifier, print_reader: PrintReader | None = None
    ) -> None:
        self._locator = locator
        self._classifier = classifier
        self._print_reader = print_reader or PrintReader()
        self.prototypes: Prototypes | None = None
        """How the tiles of the table's own set look, where it is known."""

    @property
    def gate(self) -> float:
        """Confidence below which a tile is doubtful."""
        return self._classifier.gate

    @property
    def _known_codes(self) -> frozenset[str]:
        return frozenset(self.prototypes.codes) if self.prototypes else frozenset()

    def locate(self, photo: Photo) -> LocatedTiles:
        """Return where tiles seem to lie."""
        return self._locator.locate(photo)

    def name(
        self,
        photo: Photo,
        located_tiles: LocatedTiles,
        select: SelectTiles | None = None,
        *,
        is_bare: bool = True,
    ) -> list[NamedDetection]:
        """Name what was located; relevant tiles in doubt get a second look.

        `select` selects the relevant tiles; without it all are. On a mat (`is_bare` false) print
        lies among the tiles, so weak detections are dropped.
        """
        every_sight = self._classify_detections(photo, located_tiles.tiles)
        every_sight = self._look_at_flat(photo, every_sight)
        sights = self._drop_others(every_sight)
        if self._may_be_parts(sights):
            sights = self._look_again(photo, sights)
        if self._may_be_parts(sights):
            sights = self._add_larger(photo, sights)
        if select and self._is_any_unsure(sights):
            places = select(sights)
            sights = [replace(s, is_relevant=k in places) for k, s in enumerate(sights)]
        sights = self._look_again(photo, [s for s in sights if self._is_kept(s, is_bare)])
        sights = self._add_blanks(photo, sights, located_tiles.faint)
        if is_bare and not self._may_be_parts(sights):
            sights += self._find_pictures(every_sight, is_relevant=select is None)
        if self._classifier.has_looks:
            sights = share_looks(sights, self.gate)
        sights = drop_wind_markers(photo.rgb, sights)
        return name_blank_tiles(self._review_prints(photo, sights))

    def read_before_asking(
        self,
        photo: Photo,
        sights: Sequence[NamedDetection],
        doubtful: Sequence[int],
        unfamiliar: Sequence[int],
    ) -> list[NamedDetection]:
        """Return the detections with the print read of the tiles that would be asked about.

        So is that of the other tiles of `unfamiliar` sets.
        """
        reader = self._print_reader
        return read_before_asking(photo.rgb, sights, doubtful, unfamiliar, reader, self.gate)

    def doubt_by_sight(
        self, photo: Photo, tiles: Sequence[TileReading], places: Sequence[int]
    ) -> tuple[TileReading, ...]:
        """Return the tiles, sure ones in doubt that look like a gap, or by their print.

        Pips and numerals are read at these positions, but not where the known set has the face.
        """
        unknown_places = [k for k in places if tiles[k].code not in self._known_codes]
        after = doubt_by_pips(photo.rgb, tiles, unknown_places, self.gate)
        after = doubt_equal_tiles(photo.rgb, tiles, after, unknown_places, self._print_reader)
        return doubt_gaps(photo.rgb, after)

    def count(self, photo: Photo) -> int:
        """Return the number of tiles seen at a glance, without a closer look at small ones."""
        located_tiles = self._locator.glance(photo)
        if len(located_tiles) >= MIN_HAND_TILES:
            return len(located_tiles)
        sights = self._name_detections(photo, located_tiles)
        if self._may_be_parts(sights):
            sights = self._add_larger(photo, sights)
        return len(sights)

    def read_single_tile(self, photo: Photo) -> NamedDetection:
        """Return the detection in a picture that shows one upright tile."""
        edges = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        quad = edges * np.array([photo.width, photo.height], np.float32)
        crop = straighten(photo.rgb, quad)
        classification = replace(self._classifier.classify([crop])[0], quarter_turns=0)
        return self._review_prints(
            photo, [NamedDetection(Detection(quad, 1.0), classification, crop)]
        )[0]

    def classify_places(self, photo: Photo, quads: Sequence[Float32s]) -> list[Classification]:
        """Classify what lies in these places (4, 2), with one look at each."""
        return self._classifier.classify([straighten(photo.rgb, q) for q in quads], self.prototypes)

    def _review_prints(
        self, photo: Photo, sights: Sequence[NamedDetection]
    ) -> list[NamedDetection]:
        """Read the print of bonus tiles and honours that the known set does not settle."""
        known_codes = self._known_codes
        places = [
            k for k in select_tiles_to_read(sights, self.gate, known_codes) if sights[k].is_relevant
        ]
        return review_prints(photo.rgb, sights, places, self._print_reader, self.gate)

    def _is_any_unsure(self, sights: Sequence[NamedDetection]) -> bool:
        if any(self._is_worth_a_look(s) or s.chance < MIN_TILE_CHANCE for s in sights):
            return True
        return bool(select_tiles_to_read(sights, self.gate))

    def _may_be_parts(self, sights: Sequence[NamedDetection]) -> bool:
        return may_be_parts(sights, self.gate)

    def _add_larger(self, photo: Photo, sights: list[NamedDetection]) -> list[NamedDetection]:
        """Add tiles too large for the first look, and drop their parts."""
        larger = self._locator.locate_larger(photo)
        if not larger:
            return sights
        larger_sights = self._look_again(photo, self._name_detections(photo, larger))
        return drop_parts([*sights, *larger_sights], self.gate)

    def _add_blanks(
        self, photo: Photo, sights: list[NamedDetection], faint: Sequence[Detection]
    ) -> list[NamedDetection]:
        """Add the blank tiles that the locator barely saw."""
        blank = find_faint_blanks(photo.rgb, sights, faint)
        return [*sights, *(s for s in self._name_detections(photo, blank) if s.is_blank)]

    def _find_pictures(
        self, sights: Sequence[NamedDetection], *, is_relevant: bool
    ) -> list[NamedDetection]:
        """Return what may be tiles with pictures never seen.

        Those that differ in size from the other tiles are left out later, so these must be known.
        """
        pictures = []
        for sight in sights:
            if sight.chance < self._classifier.floor and sight.detection.score >= MIN_PICTURE_SCORE:
                name = name_unknown_picture(sight.classification, PICTURE_BONUS_CHANCE)
                pictures.append(replace(sight, classification=name, is_relevant=is_relevant))
        return pictures

    def _name_detections(
        self, photo: Photo, detections: Sequence[Detection]
    ) -> list[NamedDetection]:
        """Name what the locator found and drop what is not a tile."""
        return self._drop_others(self._classify_detections(photo, detections))

    def _classify_detections(
        self, photo: Photo, detections: Sequence[Detection]
    ) -> list[NamedDetection]:
        crops = [straighten(photo.rgb, tile.quad) for tile in detections]
        classifications = self._classifier.classify(crops, self.prototypes)
        return [
            NamedDetection(*each) for each in zip(detections, classifications, crops, strict=True)
        ]

    def _look_at_flat(self, photo: Photo, sights: list[NamedDetection]) -> list[NamedDetection]:
        """Return the detections, flat ones with the outline and by the mean of a second look."""
        better = locate_in_stretched(self._locator, photo, sights)
        first = [sights[k].classification for k in better]
        looks = [[straighten(photo.rgb, detection.quad)] for detection in better.values()]
        names = self._classifier.agree(first, looks, self.prototypes)
        after = list(sights)
        for (k, detection), (crop,), name in zip(better.items(), looks, names, strict=True):
            outline = replace(detection, score=max(detection.score, sights[k].detection.score))
            after[k] = NamedDetection(outline, name, crop)
        return after

    def _drop_others(self, sights: Sequence[NamedDetection]) -> list[NamedDetection]:
        return [sight for sight in sights if sight.chance >= self._classifier.floor]

    def _look_again(self, photo: Photo, sights: list[NamedDetection]) -> list[NamedDetection]:
        """Look again at relevant tiles in doubt, with slightly shifted crops."""
        doubtful = [k for k, s in enumerate(sights) if self._is_worth_a_look(s)]
        looks = [cut_shifted_crops(photo.rgb, sights[k].detection.quad) for k in doubtful]
        first = [sights[k].classification for k in doubtful]
        surer = dict(
            zip(doubtful, self._classifier.agree(first, looks, self.prototypes), strict=True)
        )
        reviewed_sights = (
            replace(sight, classification=surer[k], is_reviewed=True) if k in surer else sight
            for k, sight in enumerate(sights)
        )
        return [sight for sight in reviewed_sights if sight.chance >= self._classifier.floor]

    @staticmethod
    def _is_kept(sight: NamedDetection, is_bare: bool) -> bool:
        return sight.chance >= MIN_TILE_CHANCE or (sight.is_relevant and is_bare)

    def _is_worth_a_look(self, sight: NamedDetection) -> bool:
        return (
            sight.classification.confidence < self.gate
            and sight.is_relevant
            and not sight.is_reviewed
        )
