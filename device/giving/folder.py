"""Write shared hands as a folder of labelled photographs, completely or not at all."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from device.decoding.decoder import Decoder
from device.giving import formats
from device.giving.consent import GivingLog, Licence
from device.giving.formats import LabelRow, format_readme
from device.giving.labelled_hand import LEFT_OUT_REASONS, HandLabeller, HandLeftOutError, SharedHand
from device.hands.export import undamaged_hands
from device.hands.repository import HandRepository
from device.store import StoreError
from device.store.errors import DiskFullError, translate_file_errors
from device.store.files import UNFINISHED_PREFIX, sync_file, sync_folder

_PICTURE_NAME_DIGITS = 16
"""Digits of the SHA-256 that name a picture."""

NOT_AGREED_MESSAGE = (
    "The players of this box have not agreed to give pictures of their hands. "
    "They are asked on its page, under Settings, “Give pictures of tiles”."
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
    hands: HandRepository, target: Path, licence: Licence, decoder: Decoder
) -> WrittenDataset:
    """Write the hands that may be shared to a new folder; the same hands give the same bytes.

    Raises StoreError, and leaves nothing behind, if the players have not agreed, there is nothing
    to share, or the folder exists or cannot be written.
    """
    asked = GivingLog(hands.store)
    consent = asked.now()
    if not consent.now:
        raise StoreError(NOT_AGREED_MESSAGE)
    if target.exists() or target.is_symlink():
        raise StoreError(f"There is a {target} already. Please choose another name.")
    with _translated_errors(target), _new_folder(target) as fresh:
        writing = _FolderWriter(fresh, licence)
        labeller = HandLabeller(hands, consent, decoder)
        for hand in undamaged_hands(hands):
            try:
                writing.add(labeller.label_hand(hand))
            except HandLeftOutError as error:
                writing.left_out[error.why] += 1
        rows = writing.finish()
        if not rows:
            raise NothingToGiveError(
                f"There is no hand to give. {describe_left_out(writing.left_out)}".strip()
            )
        if asked.now() != consent:
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
    why = "; ".join(
        f"{left_out[why]}: {what}" for why, what in LEFT_OUT_REASONS.items() if left_out[why]
    )
    return f"Left out: {why}." if why else ""


class _FolderWriter:
    """Writes a picture for each hand at once, and the lists of pictures at the end."""

    def __init__(self, folder: Path, licence: Licence) -> None:
        self._folder, self._licence = folder, licence
        self._rows: dict[str, LabelRow] = {}
        self._matches: dict[str, str] = {}  # match id by picture name
        self._disputed: set[str] = set()
        self.left_out: Counter[str] = Counter()
        for name in ("images", "labels"):
            (folder / name).mkdir()

    def add(self, hand: SharedHand) -> None:
        """Write a hand's picture; an identical picture is written once."""
        data = hand.cutting.jpeg()
        name = hashlib.sha256(data).hexdigest()[:_PICTURE_NAME_DIGITS]
        row = formats.label_row(hand, f"images/{name}.jpg", self._licence)
        before = self._rows.setdefault(name, row)
        if before is not row and before["tiles"] != row["tiles"]:
            self._disputed.add(name)
            raise HandLeftOutError("disputed")
        self._matches.setdefault(name, hand.match)
        (self._folder / row["file"]).write_bytes(data)

    def finish(self) -> list[LabelRow]:
        """Write the lists of pictures in an order independent of time; return the rows."""
        for name in self._disputed:
            (self._folder / self._rows.pop(name)["file"]).unlink()
            self.left_out["disputed"] += 1
        scenes: dict[str, int] = {}
        rows = []
        for name, row in sorted(self._rows.items()):
            if match := self._matches[name]:
                scenes.setdefault(match, len(scenes) + 1)
                row = {**row, "scene": f"{row['group']}-match-{scenes[match]}"}
            rows.append(row)
            self._write(f"labels/{name}.txt", formats.format_yolo(row))
        self._write("labels.jsonl", formats.format_labels(rows))
        self._write("coco.json", formats.format_coco(rows, self._licence))
        self._write("data.yaml", formats.yolo_data())
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
    ) as beside:
        fresh = Path(beside) / target.name
        fresh.mkdir()
        yield fresh
        for path in sorted(fresh.rglob("*")):
            (sync_folder if path.is_dir() else sync_file)(path)
        sync_folder(fresh)
        fresh.rename(target)
    sync_folder(target.absolute().parent)
