"""Compare how the tiles of a photograph look, and correct their names by it.

All tiles on a table are of one set. Two that look alike therefore have one face, and two that look
unlike have two. The look is the classifier's embedding, which tells this better than it names a
tile of an unfamiliar set. Tiles that look alike share their chances, and so their doubt. A name
that is also that of unlike tiles becomes doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from scorer.tiles import CODES, WHITE_DRAGON
from vision.geometry.runs import find_components
from vision.networks.classifier import to_classification
from vision.networks.prototypes import CLASS_NAMES
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import NO_TILE, Float32s

MIN_ALIKE_COSINE = 0.85
"""Cosine of the looks from which two suits or honours have one face. Of 17,000 pairs with two faces
in photographs of unfamiliar sets none reached 0.81. Of 1,400 pairs with one face that lay the same
way up, 98 % reached 0.85."""

MAX_UNLIKE_COSINE = 0.75
"""Cosine below which two tiles that lie the same way up have two faces. Where two such tiles had
one name, one of them was misread in 41 of 44 cases."""

MIN_SHARED_CHANCE = 1e-6
"""Lower limit of a chance before chances are averaged as logarithms."""

UNLIKE_TRUST = 0.97
"""How surely a tile is not what an unlike tile is."""

MAX_CONFLICT_GATE_SHARE = 0.9
"""Confidence is at most this share of the gate where unlike tiles have one name."""

MIN_ASK_FIRST_RATIO = 2.0
"""Of two unlike groups with one name only one is asked about if its chance of being misread is this
much higher."""

MIN_MISREAD_CHANCE = 0.0001
"""Lower limit of the chance that a group is misread."""

_SHARED_CODES = frozenset(code for code in CODES if code[0] in "BCOWD" and code != WHITE_DRAGON)
"""No flower or season is there twice. A white dragon may be as blank as a back."""

_TILE_CLASSES = np.array([name != NO_TILE for name in CLASS_NAMES])
_SHARED_CLASSES = np.array([name in _SHARED_CODES for name in CLASS_NAMES])

_Group = npt.NDArray[np.intp]
"""Positions of tiles that look alike, directly or through others."""


def share_looks(sights: Sequence[NamedDetection], gate: float) -> list[NamedDetection]:
    """Return the detections with the relevant suits and honours named together.

    Below `gate` one is doubtful. The others had but one look.
    """
    told = list(sights)
    places = [k for k, s in enumerate(sights) if _shares_look(s)]
    if len(places) < 2:
        return told
    named = [sights[k].named for k in places]
    chances, _, looks, _ = (np.stack(said) for said in zip(*(n.said for n in named), strict=True))
    likeness = _likeness(looks)
    alike_tiles = find_components(range(len(places)), likeness >= MIN_ALIKE_COSINE)
    groups: list[_Group] = [np.array(tiles) for tiles in sorted(map(sorted, alike_tiles))]
    shared = np.array([_share_chances(chances[group]) for group in groups])
    unlike = _find_unlike(groups, likeness, np.array([n.quarter_turns for n in named]))
    weighed = _rule_out(shared, unlike)
    limits = _confidence_limits(shared, weighed, unlike, gate)
    for number, (group, of_faces, limit) in enumerate(zip(groups, weighed, limits, strict=True)):
        alike = number + 1 if len(group) > 1 else 0
        for k in (places[each] for each in group):
            told[k] = _rename(sights[k], of_faces, limit, alike)
    return told


def _shares_look(sight: NamedDetection) -> bool:
    named = sight.named
    return sight.is_relevant and named.code in _SHARED_CODES and bool(named.said)


def _likeness(looks: Float32s) -> Float32s:
    """Return the cosine (N, N) of each two looks (N, 128)."""
    unit = looks / np.linalg.norm(looks, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T, np.float32)


def _share_chances(chances: Float32s) -> Float32s:
    """Return the chances (C,) of the faces of tiles (N, C) that look alike; they sum to 1.

    They are no surer than their mean: tiles that look alike are misread alike.
    """
    mean = np.log(np.maximum(chances, MIN_SHARED_CHANCE)).mean(0)
    raised = np.exp(mean - mean.max())
    return np.asarray(raised / raised.sum(), np.float32)


def _find_unlike(
    groups: Sequence[_Group], likeness: Float32s, turns: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    """Return for each two groups whether they have tiles that lie the same way up, none alike."""
    order, starts = np.concatenate(groups), np.cumsum([0, *(len(g) for g in groups[:-1])])
    compared = np.where(turns[:, None] == turns, likeness, -np.inf)
    nearest = compared[np.ix_(order, order)]
    for axis in (0, 1):
        nearest = np.maximum.reduceat(nearest, starts, axis)
    return np.asarray(np.isfinite(nearest) & (nearest < MAX_UNLIKE_COSINE))


def _rule_out(shared: Float32s, unlike: npt.NDArray[np.bool_]) -> Float32s:
    """Return the groups' chances (N, C) without the faces of groups that look unlike."""
    free = np.where(_SHARED_CLASSES[: shared.shape[1]], 1 - UNLIKE_TRUST * shared, 1)
    left = np.array(
        [own * free[others].prod(0) for own, others in zip(shared, unlike, strict=True)]
    )
    return np.asarray(left / left.sum(1, keepdims=True), np.float32)


def _confidence_limits(
    shared: Float32s, weighed: Float32s, unlike: npt.NDArray[np.bool_], gate: float
) -> list[float]:
    """Return the highest confidence of each group: others may add doubt to a name, not trust."""
    names = (weighed * _TILE_CLASSES[: weighed.shape[1]]).argmax(1)
    renamed = names != (shared * _TILE_CLASSES[: shared.shape[1]]).argmax(1)
    sure = shared[range(len(names)), names]
    wrong = np.maximum(1 - sure, MIN_MISREAD_CHANCE)
    rivals = unlike & (names[:, None] == names) & (MIN_ASK_FIRST_RATIO * wrong[:, None] >= wrong)
    limits = np.where(renamed | rivals.any(1), MAX_CONFLICT_GATE_SHARE * gate, sure)
    return [float(limit) for limit in limits]


def _rename(sight: NamedDetection, chances: Float32s, limit: float, alike: int) -> NamedDetection:
    """Return a detection of group `alike` with these chances; the likeliest is at most `limit`."""
    best = int((chances * _TILE_CLASSES[: len(chances)]).argmax())
    if chances[best] > limit:
        chances = chances * np.float32((1 - limit) / max(1 - chances[best], 1e-9))
        chances[best] = limit
    own = sight.named.confidence
    named = to_classification(chances, *sight.named.said[1:])
    alone = own if own != named.confidence else None
    return replace(sight, named=named, alike=alike, alone=alone)
