"""Fit and measure learning a table's own set: `python -m models.train.own_set`.

Run it after `models.train.fit`. A `Mix` (`vision.networks.prototypes`) says how the box weighs the
table's own tiles with the network. It is fitted on half of the drawn sets whose crops are kept.
It is measured on the other half, and on hands photographed on real tables. Settings and figures go
into the classifier's card.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.train.data.seen_sets import LEARNT_PHOTOS, SeenSet, see_drawn_sets, see_real_tiles
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.networks.classifier import chances_of
from vision.networks.model import Model
from vision.networks.prototypes import CLASS_NAMES, PrototypeMix, Prototypes, mix_chances

CARD_FILE = Path("models/classifier.json")

HAND_COUNTS = (1, 5)
"""How many confirmed hands are measured, beside none and a registration."""

MISTAKEN_STAGE = "another set"
"""The players chose the wrong set; the box must not read its tiles into the photograph."""

GROUPS: dict[str, Callable[[str], bool]] = {
    "base": lambda code: code[0] in "BCOWD" and code not in ("B1", "DW"),
    "bird": lambda code: code == "B1",
    "white": lambda code: code == "DW",
    "flowers": lambda code: code[0] == "F",
    "seasons": lambda code: code[0] == "S",
    "down": lambda code: code == FACE_DOWN,
    "joker": lambda code: code == JOKER,
}

SEARCH_STEPS = {
    "sharpness": 8.0,
    "faint": 0.5,
    "neutral": 0.05,
    "half": 0.2,
    "silenced": 0.1,
    "joker": 1.0,
}
"""How far the search for the best mix moves each setting at first."""

_BASE = [code for code in CODES if code[0] not in "FS"]
_BONUS = [code for code in CODES if code[0] in "FS"]

Array = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Tiles to be named, after some crops of their set have been learnt."""

    stage: str
    codes: npt.NDArray[np.str_]
    chances: Array
    embeddings: Array
    prototypes: Prototypes

    def mixed_chances(self, mix: PrototypeMix) -> Array:
        """Return the chances (N, 45)."""
        return mix_chances(self.chances, self.embeddings, self.prototypes, mix)

    @property
    def truth(self) -> Places:
        """(N,): places in NAMES."""
        return np.array([CLASS_NAMES.index(code) for code in self.codes])

    @property
    def can_be_named(self) -> npt.NDArray[np.bool_]:
        """(N,): false for jokers while none is known."""
        return np.asarray((self.codes != JOKER) | (JOKER in self.prototypes.codes))


def main() -> None:
    """Fit, measure, print, and write into the card."""
    model = Model.load("classifier")
    card = json.loads(CARD_FILE.read_text(encoding="utf-8"))
    temperature = card["settings"]["temperature"]
    sets = list(see_drawn_sets(model))
    mix = fit_mix(_all_cases(sets[::2], temperature))
    print(mix)
    test_cases = {f"{len(sets) // 2} drawn sets": _all_cases(sets[1::2], temperature)}
    for scene in ("dark-felt", "white-table"):
        seen_set = see_real_tiles(scene, model)
        if seen_set:  # a locator that has hardly learnt finds nothing
            test_cases[scene] = make_real_cases(seen_set, temperature)
    gate = card["settings"]["gate"]
    figures = {name: measure_stages(found, mix, gate) for name, found in test_cases.items()}
    for name, rows in figures.items():
        print(name, *(f"  {stage:12} {row}" for stage, row in rows.items()), sep="\n")
    card["settings"].update(mix.to_settings())
    card["own_set"] = figures
    CARD_FILE.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def make_cases(seen_set: SeenSet, temperature: float) -> list[Case]:
    """Return a drawn set after nothing, some hands, and a registration."""
    rng = np.random.default_rng(len(seen_set.codes))
    pool = np.flatnonzero(seen_set.photo < LEARNT_PHOTOS)
    test = np.flatnonzero(seen_set.photo >= LEARNT_PHOTOS)
    crops_by_stage = {"nothing": pool[:0]}
    for hands in HAND_COUNTS:
        dealt_codes = [code for _ in range(hands) for code in random_hand_codes(rng)]
        crops_by_stage[f"{hands} hand{'s'[: hands - 1]}"] = _take_crops(
            seen_set, pool, dealt_codes, rng
        )
    crops_by_stage["registered"] = pool
    return [
        _case(stage, seen_set, known, test, temperature) for stage, known in crops_by_stage.items()
    ]


def mistaken_case(seen_set: SeenSet, other: SeenSet, temperature: float) -> Case:
    """Return a drawn set on the table of a box that has learned another one."""
    test = np.flatnonzero(seen_set.photo >= LEARNT_PHOTOS)
    case = _case(MISTAKEN_STAGE, seen_set, test[:0], test, temperature)
    is_learnt = other.photo < LEARNT_PHOTOS
    return replace(
        case, prototypes=Prototypes(tuple(other.codes[is_learnt]), other.embeddings[is_learnt])
    )


def _all_cases(sets: Sequence[SeenSet], temperature: float) -> list[Case]:
    cases = [case for own in sets for case in make_cases(own, temperature)]
    other_sets = [*sets[1:], *sets[:1]]
    return cases + [
        mistaken_case(own, other, temperature) for own, other in zip(sets, other_sets, strict=True)
    ]


def random_hand_codes(rng: np.random.Generator) -> list[str]:
    """Return the codes of a winner's hand: four sets and a pair, bonus tiles, a tile face down."""
    codes = []
    for _ in range(4):
        if rng.random() < 0.5:
            codes += [str(rng.choice(_BASE))] * 3
        else:
            suit, rank = rng.choice(list("BCO")), rng.integers(1, 8)
            codes += [f"{suit}{rank + k}" for k in range(3)]
    bonus = rng.choice(_BONUS, rng.integers(0, 5), replace=False)
    return [*codes, *[str(rng.choice(_BASE))] * 2, *map(str, bonus), FACE_DOWN]


def _take_crops(
    seen_set: SeenSet, pool: Places, codes: Iterable[str], rng: np.random.Generator
) -> Places:
    """Return one crop of the pool for each code, each once, while there are any."""
    left = list(rng.permutation(pool))
    crop_places = []
    for code in codes:
        place = next((place for place in left if seen_set.codes[place] == code), None)
        if place is not None:
            left.remove(place)
            crop_places.append(place)
    return np.array(crop_places, np.int64)


def make_real_cases(seen_set: SeenSet, temperature: float) -> list[Case]:
    """Return every photograph of a table, after none and after some others of that table."""
    rng = np.random.default_rng(1)
    cases = []
    photos = np.unique(seen_set.photo)
    for photo in photos:
        test = np.flatnonzero(seen_set.photo == photo)
        other_photos = rng.permutation(photos[photos != photo])
        for hands in (0, *HAND_COUNTS, len(other_photos)):
            learnt_places = np.flatnonzero(np.isin(seen_set.photo, other_photos[:hands]))
            stage = "nothing" if not hands else f"{hands} others"
            cases.append(_case(stage, seen_set, learnt_places, test, temperature))
    return cases


def _case(
    stage: str, seen_set: SeenSet, learnt_places: Places, test: Places, temperature: float
) -> Case:
    return Case(
        stage,
        seen_set.codes[test],
        chances_of(seen_set.logits[test], temperature),
        seen_set.embeddings[test, 0],
        Prototypes(tuple(seen_set.codes[learnt_places]), seen_set.embeddings[learnt_places]),
    )


def fit_mix(cases: Sequence[Case]) -> PrototypeMix:
    """Return the mix of least log loss, each setting searched in turn."""
    mix, steps = PrototypeMix(), dict(SEARCH_STEPS)
    best = log_loss(cases, mix)
    for _ in range(12):
        for name in SEARCH_STEPS:
            for step in (steps[name], -steps[name]):
                candidate = replace(mix, **{name: getattr(mix, name) + step})
                if candidate.half > 0 and 0 <= candidate.silenced <= 1 and candidate.sharpness > 0:
                    loss = log_loss(cases, candidate)
                    if loss < best:
                        mix, best = candidate, loss
                        break
            else:
                steps[name] /= 2
    return mix


def log_loss(cases: Sequence[Case], mix: PrototypeMix) -> float:
    """Return the mean of minus the logarithm of the true name's chance."""
    chances = [
        case.mixed_chances(mix)[np.arange(len(case.codes)), case.truth][case.can_be_named]
        for case in cases
        if case.prototypes.codes
    ]
    return float(-np.log(np.maximum(np.concatenate(chances), 1e-6)).mean())


def measure_stages(
    cases: Sequence[Case], mix: PrototypeMix, gate: float
) -> dict[str, dict[str, float]]:
    """Return by stage what share of each group is named right, doubtful, and wrong unasked."""
    rows = {}
    for stage in dict.fromkeys(case.stage for case in cases):
        stage_cases = [case for case in cases if case.stage == stage]
        chances = np.concatenate([case.mixed_chances(mix) for case in stage_cases])
        codes = np.concatenate([case.codes for case in stage_cases])
        right = chances.argmax(1) == np.concatenate([case.truth for case in stage_cases])
        sure = chances.max(1) >= gate
        groups = {name: np.array([among(c) for c in codes]) for name, among in GROUPS.items()}
        row = {name: _share(right[each]) for name, each in groups.items() if each.any()}
        row["stated"] = _share(chances.max(1))
        row["right"] = _share(right)
        row["doubtful"] = _share(~sure)
        row["wrong_unasked"] = _share(sure & ~right)
        rows[stage] = row
    return rows


def _share(values: npt.NDArray[np.generic]) -> float:
    return round(float(values.astype(np.float64).mean()), 5)


if __name__ == "__main__":
    main()
