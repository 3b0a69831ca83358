"""How surely the box knows whose tiles lie there: `python -m models.train.which_set`.

Run it after `models.train.own_set`, whose drawn sets it takes. A box knows two sets from so many
crops of each face; hands of one of them are laid, as photographs that were not learnt from show
them. The margin (`vision.networks.prototypes.OTHER_SET_MIN_LEAD`) is the greatest at which a box that was told
of the wrong set still asks in ASKED of the hands: so drawn sets, which meet fewer lamps and cameras
than real ones, leave room for these. It is fitted on half of the sets, measured on the other half
and written into the classifier's card.

On 21 November 2026 the margin was 1.78. With one crop of each face known it asked in 95.8 % of 448
hands laid with the wrong set chosen, with three crops in 96.4 %, and in none of those laid with the
right one. Most of the hands that it let pass hold too few faces to say anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from models.train.data.own import LEARNT, SeenSet, drawn
from models.train.data.sets import draw
from models.train.own_set import CARD, FOLDER, LIGHT, SEED, SETS, a_hand
from vision.networks.model import Model
from vision.networks.prototypes import MAX_CROPS_PER_FACE, PrototypeMix, Prototypes, measure_leads

ASKED = 0.98

HANDS = 8
"""Hands for every two sets."""

KNOWN = (1, MAX_CROPS_PER_FACE)
"""Crops of each face that the box knows: a registration from one photograph, and from three."""

Rng = np.random.Generator


def main() -> None:
    """Fit, measure, print, and write into the card."""
    draw(FOLDER, SETS, SEED)
    card = json.loads(CARD.read_text(encoding="utf-8"))
    mix = PrototypeMix.from_settings(card["settings"])
    sets = list(drawn(FOLDER, Model.load("classifier"), LIGHT))
    rng = np.random.default_rng(1)
    fitted = [lead for crops in KNOWN for lead in of_the_true(sets[::2], crops, mix, rng)]
    margin = round(float(np.quantile(fitted, 1 - ASKED)), 2)
    figures = {}
    for crops in KNOWN:
        found = np.array([*of_the_true(sets[1::2], crops, mix, rng)])
        figures[f"{crops} of each face"] = {
            "hands": len(found),
            "asks_when_wrong": round(float((found >= margin).mean()), 4),
            "asks_when_right": round(float((found <= -margin).mean()), 4),
            "least_lead": round(float(found.min()), 2),
        }
    print(f"margin {margin}", *figures.items(), sep="\n")
    card["settings"]["other_set"] = margin
    card["which_set"] = figures
    CARD.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def of_the_true(
    sets: Sequence[SeenSet], crops: int, mix: PrototypeMix, rng: Rng
) -> Iterator[float]:
    """Yield how far the true set leads another, hand by hand; the other leads by minus that.

    A hand of few faces says nothing: 0.
    """
    for true, other in permutations(sets, 2):
        known = {"true": learnt(true, crops), "other": learnt(other, crops)}
        for _ in range(HANDS):
            codes, seen = a_photograph(true, rng)
            yield measure_leads(codes, seen, known, "other", mix).get("true", 0.0)


def learnt(own: SeenSet, crops: int) -> Prototypes:
    """Return what the box knows of a set after so many photographs of it laid out."""
    known = own.photo < crops
    return Prototypes(tuple(own.codes[known]), own.embeddings[known])


def a_photograph(own: SeenSet, rng: Rng) -> tuple[list[str], np.ndarray]:
    """Return the codes and looks of a hand, out of one photograph that was not learnt from."""
    photo = rng.integers(LEARNT, LEARNT + 2)
    places = {str(own.codes[k]): k for k in np.flatnonzero(own.photo == photo)}
    codes = a_hand(rng)
    return codes, own.embeddings[[places[code] for code in codes], 0]


if __name__ == "__main__":
    main()
