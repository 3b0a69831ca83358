"""Fit what the cards' `settings` hold, and measure what their `measured` say.

`python -m models.train.fit`, after `models.train.export`. Temperature, gate and floor are fitted on
the held-out scenes other than FINAL, and everything is then measured on each held-out scene apart.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.train.classifier.crops import NO_TILE
from models.train.data.photos import photos_by_scene
from vision.classify import softmax
from vision.evaluate import Report, Summary, calibration_error, evaluate, match_tiles
from vision.labels import LabelledPhoto
from vision.locate import Located, Locator
from vision.model import Model
from vision.photo import open_photo
from vision.preprocess import LABELS, straighten, to_input
from vision.read import Reader

FINAL = "dark-felt"
"""The held-out hands that nothing at all was fitted on."""

HIGHEST_FLOOR = 0.35
"""However easy the scenes that the floor is fitted on: what may be a tile is asked about."""

Array = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the networks say of N places in the photographs, and what lies there."""

    logits: Array
    """(N, 43)."""
    scores: Array
    """(N,): the locator's."""
    truth: npt.NDArray[np.int64]
    """(N,): place in LABELS, or NO_TILE."""


def main() -> None:
    """Fit, measure, and write both into the cards."""
    scenes = photos_by_scene(held_out=True)
    seen = _gather([photo for s, photos in scenes.items() if s != FINAL for photo in photos])
    tiles = seen.truth != NO_TILE
    temperature = _best_temperature(seen.logits[tiles], seen.truth[tiles])
    chances = softmax(seen.logits / np.float32(temperature))
    settings = {
        "temperature": temperature,
        "gate": _gate(chances[tiles], seen.truth[tiles]),
        "floor": _highest_floor(chances.max(1) * seen.scores, tiles),
    }
    _update("classifier", lambda card: card["settings"].update(settings))
    print(settings)
    reader = Reader.load()
    groups = {
        f"{FINAL}: hands on tables never seen": scenes[FINAL],
        "white-table: a set never seen": scenes["white-table"],
        "web photos: seven sets never seen": _all(scenes, "web-photo"),
        "single tiles: four makers never seen": _all(scenes, "shop-set"),
    }
    reports = {name: evaluate(photos, reader) for name, photos in groups.items()}
    for name, report in reports.items():
        print(name, *report.lines(), sep="\n  ")
    both = {name: _figures(report) for name, report in reports.items()}
    for model in ("locator", "classifier"):
        _update(model, lambda card: card.update(measured=both))


def _all(scenes: dict[str, list[LabelledPhoto]], start: str) -> list[LabelledPhoto]:
    return [photo for s, photos in scenes.items() if s.startswith(start) for photo in photos]


def _gather(photos: list[LabelledPhoto]) -> Evidence:
    locator, classifier = Locator.load(), Model.load("classifier")
    crops, scores, truth = [], [], []
    for labelled in photos:
        photo = open_photo(labelled.path.read_bytes(), labelled.path.name)
        found = [Located(tile.quad, 1.0) for tile in labelled.tiles]
        if labelled.kind == "photo":
            found = locator.locate(photo)
        match = {j: i for i, j in match_tiles(labelled, [tile.quad for tile in found])}
        for j, tile in enumerate(found):
            if j in match or labelled.is_known(*tile.quad.mean(0)):
                crops.append(straighten(photo.rgb, tile.quad))
                scores.append(tile.score)
                truth.append(LABELS.index(labelled.tiles[match[j]].code) if j in match else NO_TILE)
    logits = classifier.run(to_input(np.stack(crops)))[0]
    return Evidence(logits, np.array(scores, np.float32), np.array(truth))


def _best_temperature(logits: Array, truth: npt.NDArray[np.int64]) -> float:
    """Return the temperature of least log loss (Guo et al. 2017)."""
    rows = np.arange(len(truth))

    def log_loss(temperature: float) -> float:
        chances = softmax(logits / np.float32(temperature))[rows, truth]
        return float(-np.log(np.maximum(chances, 1e-9)).mean())

    return float(min(np.round(np.arange(0.3, 3.0, 0.02), 2), key=log_loss))


def _gate(chances: Array, truth: npt.NDArray[np.int64]) -> float:
    """Return the gate half way from the lowest that lets no wrong tile through to certainty.

    The scenes that it is fitted on hold some 500 tiles, and easy ones; hence the margin.
    """
    wrong = chances.argmax(1) != truth
    highest_wrong = float(chances.max(1)[wrong].max(initial=0.5))
    return round((highest_wrong + 1) / 2, 3)


def _highest_floor(together: Array, tiles: npt.NDArray[np.bool_]) -> float:
    """Return the highest floor, up to HIGHEST_FLOOR, that loses none of the tiles."""
    return float(min(HIGHEST_FLOOR, np.floor(together[tiles].min() * 100) / 100))


def _figures(report: Report) -> dict[str, float | int]:
    results = report.photos + report.crops
    all_of = Summary(tuple(results))
    figures: dict[str, float | int] = {
        "pictures": len(results),
        "tiles": all_of.labelled,
        "found": round(all_of.found / all_of.labelled, 4),
        "invented": round(all_of.invented / all_of.read, 4),
        "named_right": round(all_of.right / all_of.found, 4),
        "calibration_error": round(calibration_error(results), 4),
    }
    if report.photos:
        figures["hands_right"] = round(all_of.all_right / len(results), 4)
        figures["questions_a_hand"] = round(all_of.questions, 2)
        figures["hands_with_unflagged_error"] = round(all_of.unflagged / len(results), 4)
    return figures


def _update(name: str, change: Callable[[dict[str, Any]], None]) -> None:
    path = Path("models") / f"{name}.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    change(card)
    path.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
