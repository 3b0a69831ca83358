"""Collect the hands of one set, confirmed and given.

    python -m tests.prove.given_hands OUT --scene green-mat

A box reads the first half of a scene's photographs, by name. Its player corrects what the labels
say is wrong, confirms, and agrees to give. `tongbox export --dataset` writes that to OUT/given. The
other half is held out, without photographs that look like one of the first half:
OUT/held-out.jsonl labels it. `python -m models.train.compare` measures what the hands bring.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from device.giving.consent import LICENCES, GivingLog
from device.giving.folder import WrittenDataset, describe_left_out, write_dataset
from device.hands.readings import reading_event
from device.hands.repository import MAX_DIFFERING_BITS, HandRepository, perceptual_hash
from device.matches.repository import open_hands
from device.store import Store
from device.store.events import HandChange, TileAdded, TileCorrected, TileMoved, TilesConfirmed
from models.train.data.photos import photos_by_scene
from tests.device.shared_decoder import DECODER
from vision.labels import LabelledPhoto
from vision.measure.evaluate import match_tiles
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import Reading


def main() -> None:
    """Play, give, and write the labels of what is held out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scene", default="green-mat")
    parser.add_argument("--networks", type=Path, help="what reads; without, the box's own")
    parser.add_argument("--most", type=int, help="of the first half, no more than so many hands")
    args = parser.parse_args()
    photos = _photos(args.scene)
    first, held_out_photos = photos[: len(photos) // 2], photos[len(photos) // 2 :]
    args.out.mkdir(parents=True, exist_ok=True)
    dataset = give_hands(first[: args.most], Reader.load(args.networks), args.out)
    sys.stdout.write(f"given: {dataset}\n{describe_left_out(dataset.left_out)}\n")
    fresh = list(_without_copies(held_out_photos, first))
    labels = "".join(f"{json.dumps(_row(photo))}\n" for photo in fresh)
    (args.out / "held-out.jsonl").write_text(labels, encoding="utf-8")
    sys.stdout.write(f"held out: {len(fresh)} photographs of {len(held_out_photos)}\n")


def _photos(scene: str) -> list[LabelledPhoto]:
    photo_groups = [
        photos_by_scene(wants_held_out=held_out).get(scene, []) for held_out in (True, False)
    ]
    return sorted(
        (*photo_groups[0], *photo_groups[1]), key=lambda photo: photo.path.name.partition("_")[2]
    )


def give_hands(photos: Sequence[LabelledPhoto], reader: Reader, target: Path) -> WrittenDataset:
    """Read, correct, confirm and export hands; return the dataset in OUT/given."""
    with closing(Store(target / "box")) as store:
        hands = open_hands(store)
        GivingLog(store).answer(is_agreed=True)
        for labelled in photos:
            play(hands, labelled, reader)
        return write_dataset(hands, target / "given", LICENCES["cc-by"], DECODER)


def play(hands: HandRepository, photo_labels: LabelledPhoto, reader: Reader) -> None:
    """Read a hand, correct it as its player would, and confirm it."""
    data = photo_labels.path.read_bytes()
    photo = open_photo(data, photo_labels.path.name)
    reading = reader.read(photo)
    hand = hands.begin(photo, data, "bmja")
    hands.change(hand, reading_event(reading))
    for change in player_corrections(photo_labels, reading):
        hands.change(hand, change)
    hands.change(hand, TilesConfirmed())


def player_corrections(photo_labels: LabelledPhoto, reading: Reading) -> Iterator[HandChange]:
    """Yield what a player who knows the labels changes in a hand: names, what is none, what lacks.

    A tile that was left out is taken in; what nobody labelled is taken for no tile of the hand.
    """
    quads = [np.asarray(tile.quad, np.float32) for tile in reading.tiles]
    labels = {j: photo_labels.tiles[i] for i, j in match_tiles(photo_labels, quads)}
    hand_tiles = {place for each in reading.sets for place in each.tiles}
    for place, tile in enumerate(reading.tiles):
        code = labels[place].code if place in labels else None
        if code is None and place in hand_tiles:
            yield TileCorrected(place, None)
        elif code is not None and place not in hand_tiles:
            yield TileMoved(place, "concealed")
        if code is not None and code != tile.code:
            yield TileCorrected(place, code)
    labelled_tiles = set(labels.values())
    for label in photo_labels.tiles:
        if label not in labelled_tiles:
            yield TileAdded(label.code, "concealed")


def _without_copies(
    photos: Sequence[LabelledPhoto], other_photos: Sequence[LabelledPhoto]
) -> Iterator[LabelledPhoto]:
    """Yield the photographs that are no copies of the others."""
    other_waves = [_waves(other) for other in other_photos]
    for photo in photos:
        waves = _waves(photo)
        if all((waves ^ each).bit_count() > MAX_DIFFERING_BITS for each in other_waves):
            yield photo


def _waves(photo: LabelledPhoto) -> int:
    return int(perceptual_hash(open_photo(photo.path.read_bytes(), photo.path.name).rgb), 16)


def _row(photo: LabelledPhoto) -> dict[str, object]:
    x0, y0, x1, y1 = photo.roi
    tiles = [
        {
            "code": tile.code,
            "quad": tile.quad.tolist(),
            **({"up": 0} if tile.exact else {}),
            **({"approx": True} if tile.approximate else {}),
        }
        for tile in photo.tiles
    ]
    return {
        "file": str(photo.path.absolute()),
        "w": x1,
        "h": y1,
        "kind": photo.kind,
        "roi": [x0, y0, x1, y1],
        "unlabelled": photo.unlabelled_boxes,
        "group": "held out",
        "tiles": tiles,
    }


if __name__ == "__main__":
    main()
