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
    result = list(sights)
    places = [k for k, s in enumerate(sights) if _shares_look(s)]
    if len(places) < 2:
        return result
    classifications = [sights[k].classification for k in places]
    chances, _, looks, _ = (
        np.stack(said) for said in zip(*(n.raw_outputs for n in classifications), strict=True)
    )
    likeness = _likeness(looks)
    alike_tiles = find_components(range(len(places)), likeness >= MIN_ALIKE_COSINE)
    groups: list[_Group] = [np.array(tiles) for tiles in sorted(map(sorted, alike_tiles))]
    group_chances = np.array([_share_chances(chances[group]) for group in groups])
    is_unlike = _find_unlike(groups, likeness, np.array([n.quarter_turns for n in classifications]))
    limited_chances = _rule_out(group_chances, is_unlike)
    limits = _confidence_limits(group_chances, limited_chances, is_unlike, gate)
    for number, (group, of_faces, limit) in enumerate(
        zip(groups, limited_chances, limits, strict=True)
    ):
        look_group = number + 1 if len(group) > 1 else 0
        for k in (places[each] for each in group):
            result[k] = _rename(sights[k], of_faces, limit, look_group)
    return result


def _shares_look(sight: NamedDetection) -> bool:
    classification = sight.classification
    return (
        sight.is_relevant
        and classification.code in _SHARED_CODES
        and bool(classification.raw_outputs)
    )


def _likeness(looks: Float32s) -> Float32s:
    """Return the cosine (N, N) of each two looks (N, 128)."""
    unit = looks / np.linalg.norm(looks, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T, np.float32)


def _share_chances(chances: Float32s) -> Float32s:
    """Return the chances (C,) of the faces of tiles (N, C) that look alike; they sum to 1.

    They are no surer than their mean: tiles that look alike are misread alike.
    """
    mean = np.log(np.maximum(chances, MIN_SHARED_CHANCE)).mean(0)
    exponentials = np.exp(mean - mean.max())
    return np.asarray(exponentials / exponentials.sum(), np.float32)


def _find_unlike(
    groups: Sequence[_Group], likeness: Float32s, turns: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    """Return for each two groups whether they have tiles that lie the same way up, none alike."""
    order, starts = np.concatenate(groups), np.cumsum([0, *(len(g) for g in groups[:-1])])
    comparable = np.where(turns[:, None] == turns, likeness, -np.inf)
    best_likeness = comparable[np.ix_(order, order)]
    for axis in (0, 1):
        best_likeness = np.maximum.reduceat(best_likeness, starts, axis)
    return np.asarray(np.isfinite(best_likeness) & (best_likeness < MAX_UNLIKE_COSINE))


def _rule_out(group_chances: Float32s, is_unlike: npt.NDArray[np.bool_]) -> Float32s:
    """Return the groups' chances (N, C) without the faces of groups that look unlike."""
    free = np.where(_SHARED_CLASSES[: group_chances.shape[1]], 1 - UNLIKE_TRUST * group_chances, 1)
    left = np.array(
        [own * free[others].prod(0) for own, others in zip(group_chances, is_unlike, strict=True)]
    )
    return np.asarray(left / left.sum(1, keepdims=True), np.float32)


def _confidence_limits(
    group_chances: Float32s,
    limited_chances: Float32s,
    is_unlike: npt.NDArray[np.bool_],
    gate: float,
) -> list[float]:
    """Return the highest confidence of each group: others may add doubt to a name, not trust."""
    names = (limited_chances * _TILE_CLASSES[: limited_chances.shape[1]]).argmax(1)
    is_renamed = names != (group_chances * _TILE_CLASSES[: group_chances.shape[1]]).argmax(1)
    sure = group_chances[range(len(names)), names]
    wrong = np.maximum(1 - sure, MIN_MISREAD_CHANCE)
    rivals = is_unlike & (names[:, None] == names) & (MIN_ASK_FIRST_RATIO * wrong[:, None] >= wrong)
    limits = np.where(is_renamed | rivals.any(1), MAX_CONFLICT_GATE_SHARE * gate, sure)
    return [float(limit) for limit in limits]


def _rename(
    sight: NamedDetection, chances: Float32s, limit: float, look_group: int
) -> NamedDetection:
    """Return a detection with these chances, of which none is above `limit`, and its group."""
    best = int((chances * _TILE_CLASSES[: len(chances)]).argmax())
    if chances[best] > limit:
        chances = chances * np.float32((1 - limit) / max(1 - chances[best], 1e-9))
        chances[best] = limit
    own_confidence = sight.classification.confidence
    classification = to_classification(chances, *sight.classification.raw_outputs[1:])
    lone_confidence = own_confidence if own_confidence != classification.confidence else None
    return replace(
        sight, classification=classification, look_group=look_group, lone_confidence=lone_confidence
    )
