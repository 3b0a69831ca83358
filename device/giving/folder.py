"""Write shared hands as a folder of labelled photographs, completely or not at all.

The labels are JSON lines, COCO and YOLO. All are derived from the rows of `labels.jsonl`, which
`vision.labels` reads. docs/dataset.md describes their fields.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.decoding.decoder import Decoder
from device.giving.consent import GivingLog, Licence
from device.giving.labelled_hand import LEFT_OUT_REASONS, HandLabeller, HandLeftOutError, SharedHand
from device.hands.repository import HandRepository
from device.store import StoreError
from device.store.errors import DiskFullError, translate_file_errors
from device.store.files import UNFINISHED_PREFIX, sync_file, sync_folder
from device.store.progress import ProgressWatcher, no_progress
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.labels import FACE_DOWN_LABEL

LabelRow = dict[str, Any]
"""One photograph as a row of `labels.jsonl`."""

TILE_LABELS = (*CODES, FACE_DOWN_LABEL, JOKER)
"""Labels of tiles, numbered from 1 in COCO and from 0 in YOLO."""


def label_row(hand: SharedHand, file: str, licence: Licence) -> LabelRow:
    """Return the row of a hand whose picture is in this file."""
    height, width = hand.cutting.rgb.shape[:2]
    return {
        "file": file,
        "w": width,
        "h": height,
        "kind": "photo",
        "source": "tongbox",
        "group": f"set-{hand.tile_set}",
        "licence": licence.spdx,
        "complete": True,
        "tiles": [
            {
                "code": _tile_label(tile.code),
                "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in quad],
                "up": 0,
                "i": place,
                "row": tile.row,
                "set": tile.set,
                "stands_for": _tile_label(tile.stands_for),
                "read": _tile_label(tile.read),
            }
            for place, (tile, quad) in enumerate(zip(hand.tiles, hand.cutting.quads, strict=True))
        ],
    }


def _tile_label(code: str) -> str:
    return FACE_DOWN_LABEL if code == FACE_DOWN else code


def format_labels(rows: Iterable[LabelRow]) -> str:
    """Return the rows as JSON lines."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def format_coco(rows: Sequence[LabelRow], licence: Licence) -> str:
    """Return the photographs in COCO's detection format, each quad as a polygon."""
    numbers = {code: number for number, code in enumerate(TILE_LABELS, 1)}
    images: list[LabelRow] = []
    annotations: list[LabelRow] = []
    for image, row in enumerate(rows, 1):
        images.append(
            {
                "id": image,
                "file_name": row["file"],
                "width": row["w"],
                "height": row["h"],
                "license": 1,
            }
        )
        for tile in row["tiles"]:
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image,
                    "category_id": numbers[tile["code"]],
                    "segmentation": [[number for point in tile["quad"] for number in point]],
                    "area": round(_polygon_area(tile["quad"]), 2),
                    "bbox": _bounding_box(tile["quad"]),
                    "iscrowd": 0,
                }
            )
    document = {
        "info": {"description": "Mah-Jong tiles, given by players", "version": "1"},
        "licenses": [{"id": 1, "name": licence.name, "url": licence.url}],
        "images": images,
        "annotations": annotations,
        "categories": [
            {"id": number, "name": code, "supercategory": "tile"}
            for code, number in numbers.items()
        ],
    }
    return json.dumps(document) + "\n"


def _polygon_area(quad: Sequence[Sequence[float]]) -> float:
    """Return the area of a polygon (Gauss's shoelace)."""
    pairs = zip(quad, (*quad[1:], quad[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def _bounding_box(quad: Sequence[Sequence[float]]) -> list[float]:
    """Return left, top, width and height."""
    xs, ys = zip(*quad, strict=True)
    sides = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return [round(side, 1) for side in sides]


def format_yolo(row: LabelRow) -> str:
    """Return a photograph's tiles as YOLO's oriented boxes: class, then relative corners."""
    numbers = {code: number for number, code in enumerate(TILE_LABELS)}
    return "".join(
        " ".join(
            [
                str(numbers[tile["code"]]),
                *(f"{x / row['w']:.6f} {y / row['h']:.6f}" for x, y in tile["quad"]),
            ]
        )
        + "\n"
        for tile in row["tiles"]
    )


def yolo_data() -> str:
    """Return YOLO's configuration: where the pictures are and the names of the classes."""
    names = "".join(f"  {number}: {code}\n" for number, code in enumerate(TILE_LABELS))
    return (
        "# Paths are from this file. For figures that mean something, hold whole sets or matches\n"
        "# out (`group` and `scene` in labels.jsonl) and name them under `val`.\n"
        f"train: images\nval: images\nnames:\n{names}"
    )


_README_TEXT = """\
# Mah-Jong hands, photographed and labelled by those who played them

{photos} photographs of hands with {tiles} tiles of {sets}. Licence: {spdx} (see `LICENSE`).

Tongbox, a box that reads Mah-Jong hands, read them; the players said that every tile is right, or
put it right, and agreed to give the pictures away. {corrected} of the tiles had been read wrongly.

- `images/`: each picture is cut to one hand's tiles. All else is painted over in grey, but for a
  narrow margin around each tile; a finger on a tile stays. The pictures were encoded anew: nothing
  is in them but pixels. Their names are the beginning of the SHA-256 of their bytes, and they stand
  in the order of these, which is no order of playing.
- `labels.jsonl`: one picture a line. `tiles` has a `code`, the `quad` around its face in pixels,
  clockwise from the tile's own top left, what it was `read` as, the `row` in which it lay
  (`exposed`, `concealed`, `bonus`), its `set` there, and what it `stands_for` in the hand, for a
  tile that lies face down (`BACK`). `group` is the tile set and `scene` the match: to hold out,
  take whole groups, or at least whole scenes.
- `coco.json`: the same for detection and segmentation in COCO's format.
- `labels/`, `data.yaml`: the same as YOLO's oriented boxes.

Codes: `B1`-`B9` bamboo, `C1`-`C9` characters, `O1`-`O9` circles, `WE WS WW WN` winds, `DR DG DW`
dragons, `F1`-`F4` flowers, `S1`-`S4` seasons, `BACK` face down, `JK` joker. The outlines were found
by the box and are as good as it is; the names are the players'.

    tongbox evaluate labels.jsonl
    TONGBOX_DATASETS=THIS_FOLDER make train

"""


def format_readme(rows: Sequence[LabelRow], licence: Licence) -> str:
    """Return the README: what the folder holds, and the number of tiles by face and set."""
    tiles = [(row["group"], tile) for row in rows for tile in row["tiles"]]
    photos = Counter(row["group"] for row in rows)
    groups = sorted(photos, key=lambda group: int(group.rpartition("-")[2]))
    counts = Counter((group, tile["code"]) for group, tile in tiles)
    readme = _README_TEXT.format(
        photos=len(rows),
        tiles=len(tiles),
        sets="one tile set" if len(groups) == 1 else f"{len(groups)} tile sets",
        spdx=licence.spdx,
        corrected=sum(tile["code"] != tile["read"] for _, tile in tiles),
    )
    table = [
        ("", *groups),
        ("---", *("---:" for _ in groups)),
        ("photographs", *(photos[group] for group in groups)),
        *((code, *(counts[group, code] for group in groups)) for code in TILE_LABELS),
    ]
    return readme + "".join(f"| {' | '.join(map(str, line))} |\n" for line in table)


_PICTURE_NAME_DIGITS = 16
"""Digits of the SHA-256 that name a picture."""

NOT_AGREED_MESSAGE = (
    "The players of this box have not agreed to give pictures of their hands. "
    "They are asked on its page, under Settings, “Share pictures of tiles”."
)

CONSENT_CHANGED_MESSAGE = (
    "What the players agreed to has changed meanwhile, so nothing was written. Try again."
)


class NothingToGiveError(StoreError):
    """No hand may be shared; the message says why each is left out."""


@dataclass(frozen=True, slots=True)
class WrittenDataset:
    """What was written and what was left out."""

    photos: int
    tiles: int
    corrected: int
    """How many of these tiles the box had misread."""
    sets: int
    left_out: Mapping[str, int]
    """Number of hands by the keys of `LEFT_OUT_REASONS`."""


def write_dataset(
    hands: HandRepository,
    target: Path,
    licence: Licence,
    decoder: Decoder,
    progress: ProgressWatcher = no_progress,
) -> WrittenDataset:
    """Write the hands that may be shared to a new folder; the same hands give the same bytes.

    Raises StoreError, and leaves nothing behind, if the players have not agreed, there is nothing
    to share, or the folder exists or cannot be written.
    """
    giving_log = GivingLog(hands.store)
    consent = giving_log.read()
    if not consent.latest_answer:
        raise StoreError(NOT_AGREED_MESSAGE)
    if target.exists() or target.is_symlink():
        raise StoreError(f"There is a {target} already. Please choose another name.")
    with _translated_errors(target), _new_folder(target) as fresh:
        writing = _FolderWriter(fresh, licence)
        labeller = HandLabeller(hands, consent, decoder)
        for hand in filter(None, map(hands.get_if_whole, progress(hands.store.hands(-1)[::-1]))):
            try:
                writing.add(labeller.label_hand(hand))
            except HandLeftOutError as error:
                writing.left_out[error.why] += 1
        rows = writing.finish()
        if not rows:
            raise NothingToGiveError(
                f"There is no hand to give. {describe_left_out(writing.left_out)}".strip()
            )
        if giving_log.read() != consent:
            raise StoreError(CONSENT_CHANGED_MESSAGE)
    tiles = [tile for row in rows for tile in row["tiles"]]
    return WrittenDataset(
        photos=len(rows),
        tiles=len(tiles),
        corrected=sum(tile["code"] != tile["read"] for tile in tiles),
        sets=len({row["group"] for row in rows}),
        left_out=writing.left_out,
    )


def describe_left_out(left_out: Mapping[str, int]) -> str:
    """Return how many hands are left out and why, in words; empty for none."""
    reason_texts = "; ".join(
        f"{left_out[why]}: {what}" for why, what in LEFT_OUT_REASONS.items() if left_out[why]
    )
    return f"Left out: {reason_texts}." if reason_texts else ""


class _FolderWriter:
    """Writes a picture for each hand at once, and the lists of pictures at the end."""

    def __init__(self, folder: Path, licence: Licence) -> None:
        self._folder, self._licence = folder, licence
        self._rows: dict[str, LabelRow] = {}
        self._matches: dict[str, str] = {}  # match id by picture name
        self._disputed_pictures: set[str] = set()
        self.left_out: Counter[str] = Counter()
        for name in ("images", "labels"):
            (folder / name).mkdir()

    def add(self, hand: SharedHand) -> None:
        """Write a hand's picture; an identical picture is written once."""
        data = hand.cutting.jpeg()
        name = hashlib.sha256(data).hexdigest()[:_PICTURE_NAME_DIGITS]
        row = label_row(hand, f"images/{name}.jpg", self._licence)
        before = self._rows.setdefault(name, row)
        if before is not row and before["tiles"] != row["tiles"]:
            self._disputed_pictures.add(name)
            raise HandLeftOutError("disputed")
        self._matches.setdefault(name, hand.match)
        (self._folder / row["file"]).write_bytes(data)

    def finish(self) -> list[LabelRow]:
        """Write the lists of pictures in an order independent of time; return the rows."""
        for name in self._disputed_pictures:
            (self._folder / self._rows.pop(name)["file"]).unlink()
            self.left_out["disputed"] += 1
        scenes: dict[str, int] = {}
        rows = []
        for name, row in sorted(self._rows.items()):
            if match := self._matches[name]:
                scenes.setdefault(match, len(scenes) + 1)
                row = {**row, "scene": f"{row['group']}-match-{scenes[match]}"}
            rows.append(row)
            self._write(f"labels/{name}.txt", format_yolo(row))
        self._write("labels.jsonl", format_labels(rows))
        self._write("coco.json", format_coco(rows, self._licence))
        self._write("data.yaml", yolo_data())
        self._write("LICENSE", self._licence.page())
        self._write("README.md", format_readme(rows, self._licence))
        return rows

    def _write(self, name: str, text: str) -> None:
        (self._folder / name).write_text(text, encoding="utf-8")


@contextmanager
def _translated_errors(target: Path) -> Iterator[None]:
    """Translate the system's errors about the folder into readable ones."""
    try:
        with translate_file_errors(f"{target} cannot be written"):
            yield
    except DiskFullError as error:
        raise StoreError(f"There is no room for {target}, so nothing was written.") from error


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Provide a new folder that gets its name, synced to disk, if the block succeeds.

    Raises OSError.
    """
    with tempfile.TemporaryDirectory(
        prefix=UNFINISHED_PREFIX, dir=target.absolute().parent
    ) as temporary:
        fresh = Path(temporary) / target.name
        fresh.mkdir()
        yield fresh
        for path in sorted(fresh.rglob("*")):
            (sync_folder if path.is_dir() else sync_file)(path)
        sync_folder(fresh)
        fresh.rename(target)
    sync_folder(target.absolute().parent)
