"""Fit when the box asks which set lies there: `python -m models.train.which_set`.

Run it after `models.train.own_set`; it takes the same drawn sets. A box knows two sets by some
crops of each face, and a hand of one of them is laid. The margin is `other_set` in the classifier's
card: the greatest at which a box with the wrong set chosen still asks in ASKED_SHARE of the hands.
That leaves room for real sets, which meet more lamps and cameras than drawn ones. The margin is
fitted on half of the sets and measured on the other half; the card has the figures.

Most hands that it lets pass hold too few faces to say anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from models.train.data.seen_sets import LEARNT_PHOTOS, SeenSet, see_drawn_sets
from models.train.own_set import CARD_FILE, random_hand_codes
from vision.networks.model import Model
from vision.networks.prototypes import MAX_CROPS_PER_FACE, PrototypeMix, Prototypes, measure_leads

ASKED_SHARE = 0.98

HANDS_PER_PAIR = 8
"""Hands for every two sets."""

KNOWN_CROPS = (1, MAX_CROPS_PER_FACE)
"""Crops of each face that the box knows: a registration from one photograph, and from three."""

Rng = np.random.Generator


def main() -> None:
    """Fit, measure, print, and write into the card."""
    card = json.loads(CARD_FILE.read_text(encoding="utf-8"))
    mix = PrototypeMix.from_settings(card["settings"])
    sets = list(see_drawn_sets(Model.load("classifier")))
    rng = np.random.default_rng(1)
    leads = [lead for crops in KNOWN_CROPS for lead in true_set_leads(sets[::2], crops, mix, rng)]
    margin = round(float(np.quantile(leads, 1 - ASKED_SHARE)), 2)
    figures = {}
    for crops in KNOWN_CROPS:
        test_leads = np.array([*true_set_leads(sets[1::2], crops, mix, rng)])
        figures[f"{crops} of each face"] = {
            "hands": len(test_leads),
            "asks_when_wrong": round(float((test_leads >= margin).mean()), 4),
            "asks_when_right": round(float((test_leads <= -margin).mean()), 4),
            "least_lead": round(float(test_leads.min()), 2),
        }
    print(f"margin {margin}", *figures.items(), sep="\n")
    card["settings"]["other_set"] = margin
    card["which_set"] = figures
    CARD_FILE.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def true_set_leads(
    sets: Sequence[SeenSet], crops: int, mix: PrototypeMix, rng: Rng
) -> Iterator[float]:
    """Yield how far the true set leads another, hand by hand; the other leads by minus that.

    A hand of few faces says nothing: 0.
    """
    for true, other in permutations(sets, 2):
        prototypes = {"true": learn_set(true, crops), "other": learn_set(other, crops)}
        for _ in range(HANDS_PER_PAIR):
            codes, looks = random_photograph(true, rng)
            yield measure_leads(codes, looks, prototypes, "other", mix).get("true", 0.0)


def learn_set(seen_set: SeenSet, crops: int) -> Prototypes:
    """Return what the box knows of a set after `crops` photographs of it laid out."""
    is_known = seen_set.photo < crops
    return Prototypes(tuple(seen_set.codes[is_known]), seen_set.embeddings[is_known])


def random_photograph(seen_set: SeenSet, rng: Rng) -> tuple[list[str], np.ndarray]:
    """Return the codes and looks of a hand, out of one photograph that was not learnt from."""
    photo = rng.integers(LEARNT_PHOTOS, LEARNT_PHOTOS + 2)
    places = {str(seen_set.codes[k]): k for k in np.flatnonzero(seen_set.photo == photo)}
    codes = random_hand_codes(rng)
    return codes, seen_set.embeddings[[places[code] for code in codes], 0]


if __name__ == "__main__":
    main()
