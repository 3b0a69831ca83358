"""A label file as it is measured: its photographs, and the group of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vision.labels import LabelledPhoto, read_labels


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Photographs to measure on."""

    photos: tuple[LabelledPhoto, ...]
    groups: Mapping[Path, str]
    """The scene of each photograph; its group where the labels name no scene."""


def read_labelled_set(labels: Path, folder: Path | None = None) -> LabelledSet:
    """Return what `read_labels` does, with groups; raise what it does, or ValueError if empty."""
    photos = read_labels(labels, folder)
    if not photos:
        raise ValueError(f"{labels} names no photographs.")
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
    return LabelledSet(
        photos=tuple(_known(photo, row) for photo, row in zip(photos, rows, strict=True)),
        groups={p.path: _group(row) for p, row in zip(photos, rows, strict=True)},
    )


def _known(photo: LabelledPhoto, row: dict[str, Any]) -> LabelledPhoto:
    """Return it with the whole picture as its region where every tile is said to be labelled."""
    if row.get("complete") is not True:
        return photo
    return replace(photo, roi=(0, 0, row["w"], row["h"]))


def _group(row: dict[str, Any]) -> str:
    return str(row.get("scene") or row.get("group") or "")
