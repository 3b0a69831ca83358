"""How a set is cut and what years do to it: paint lost and faded, dirt in the cuts, yellowing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.raster import Pixels, Plane, colour_film, lay_over, mix_ink
from models.train.drawing.faces.shapes import Colour

_LIGHT: Colour = (238, 232, 218)


@dataclass(frozen=True, slots=True)
class Weathering:
    """How much of everything one set has had; each from 0 for none to 1."""

    core: float = 0.0
    """How much lighter the middle of a line is than its rim; below 0, the rim than the middle."""
    slip: tuple[float, float] = (0.0, 0.0)
    """How far red lies beside where it belongs, in pixels to the right and down."""
    fade: float = 0.0
    loss: float = 0.0
    chips: float = 0.0
    scratches: float = 0.0
    dirt: float = 0.0
    stain: float = 0.0
    soil: Colour = (70, 48, 26)


def random_weathering(age: float, dice: Dice) -> Weathering:
    """Return what a set of this age (0 new, 1 old) has been through."""

    def part(chance: float, limit: float) -> float:
        return age * dice.uniform(0.2, limit) if dice.chance(chance) else 0.0

    slip = 1.6 if dice.chance(0.1 + 0.2 * age) else 0.0
    return Weathering(
        core=dice.pick((0.0, dice.uniform(0.15, 0.7), dice.uniform(-0.6, -0.15)), (3, 1, 1)),
        slip=(dice.uniform(-slip, slip), dice.uniform(-slip, slip)),
        fade=part(0.5, 0.6),
        loss=part(0.7, 0.6),
        chips=part(0.4, 0.8),
        scratches=part(0.5, 1.0),
        dirt=part(0.5, 0.9),
        stain=part(0.5, 0.6),
        soil=dice.ink((82, 58, 34), 14),
    )


def weather(face: Pixels, weathering: Weathering, rng: np.random.Generator) -> Pixels:
    """Return a face (H, W, 4), RGBA, after all that its set has been through."""
    dice = Dice(rng)
    for stage in STAGES:
        face = stage(face, weathering, dice)
    return face


def _shade_cuts(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    """Make lines two-toned: paint lies thin in the middle of a cut, or pools there."""
    if not weathering.core:
        return face
    depth = cv2.GaussianBlur(face[..., 3], (0, 0), 3.0).astype(np.float32) / 255
    depth = np.clip(2.2 * depth - 1.0, 0, 1)
    # The middle of a line is lighter, or else its rim.
    part = depth if weathering.core > 0 else 1 - depth
    return mix_ink(face, _LIGHT, np.float32(0.75 * abs(weathering.core)) * part)


def _slip_red(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    """Lay red paint beside its cut."""
    if weathering.slip == (0.0, 0.0):
        return face
    red, green, blue, alpha = cv2.split(face)
    redness = cv2.min(cv2.subtract(red, green), cv2.subtract(red, blue))
    mask = np.where(np.asarray(redness) > 40, np.uint8(255), np.uint8(0))
    if not mask.any():
        return face
    ink = cv2.mean(face, mask)
    move = np.array([[1, 0, weathering.slip[0]], [0, 1, weathering.slip[1]]])
    astray = cv2.warpAffine(cv2.bitwise_and(alpha, mask), move, mask.shape[::-1])
    unmoved = cv2.bitwise_and(face, face, mask=cv2.bitwise_not(mask))
    paint = colour_film(
        (round(ink[0]), round(ink[1]), round(ink[2])), astray.astype(np.float32) / 255
    )
    return lay_over(np.asarray(unmoved, dtype=np.uint8), paint)


def _fade(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    if not weathering.fade:
        return face
    part = np.full(face.shape[:2], 0.8 * weathering.fade, np.float32)
    return mix_ink(face, _LIGHT, part * (0.6 + 0.4 * _clouds(face, 5, dice)))


def _rub(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    """Take paint away in soft patches and grains."""
    if not weathering.loss:
        return face
    patches = _clouds(face, 12, dice) + _clouds(face, 90, dice)
    return _thin_paint(face, np.float32(weathering.loss) * (patches - 0.3))


def _chip(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    """Break paint out down to the tile, in pieces with hard edges."""
    if not weathering.chips:
        return face
    left = 1.0 - 0.25 * weathering.chips * dice.uniform(0.2, 1.0)
    rough = 0.7 * _clouds(face, 14, dice) + 0.3 * _clouds(face, 60, dice)
    edge = np.float32(np.quantile(rough[::4, ::4], left))
    return _thin_paint(face, np.clip((rough - edge) * 25, 0, 1))


def _scratch(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    """Draw fine scratches: through the paint, and dark ones on the tile."""
    for _ in range(round(weathering.scratches * dice.uniform(0, 8))):
        height, width = face.shape[:2]
        lines = np.zeros((height, width), np.uint8)
        x, y = dice.uniform(0, width), dice.uniform(0, height)
        run = (dice.uniform(-60, 60), dice.uniform(-60, 60))
        cv2.line(lines, (round(x), round(y)), (round(x + run[0]), round(y + run[1])), 255,
                 dice.integer(1, 2), cv2.LINE_AA)  # fmt: skip
        cover = lines.astype(np.float32) / 255
        if dice.chance(0.6):
            face = _thin_paint(face, cover * np.float32(dice.uniform(0.5, 1.0)))
        else:
            face = lay_over(
                colour_film(weathering.soil, cover * np.float32(dice.uniform(0.1, 0.4))), face
            )
    return face


def _dirty(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    """Settle dirt in the cuts and along their rims."""
    if not weathering.dirt:
        return face
    rim = cv2.GaussianBlur(face[..., 3], (0, 0), 2.0).astype(np.float32) / 255
    patches = 0.4 + 0.6 * _clouds(face, 8, dice)
    face = mix_ink(face, weathering.soil, np.float32(0.6 * weathering.dirt) * patches * rim)
    return lay_over(
        colour_film(weathering.soil, np.float32(0.5 * weathering.dirt) * patches * rim), face
    )


def _stain(face: Pixels, weathering: Weathering, dice: Dice) -> Pixels:
    """Yellow the tile itself in clouds, fading out towards the rim."""
    if not weathering.stain:
        return face
    height, width = face.shape[:2]
    x_profile, y_profile = (
        np.sin(np.linspace(0, np.pi, n, dtype=np.float32)) for n in (width, height)
    )
    interior = np.minimum(1, 3 * np.minimum(x_profile[None], y_profile[:, None]))
    cover = np.float32(0.35 * weathering.stain) * np.clip(_clouds(face, 4, dice) * 1.6 - 0.4, 0, 1)
    return lay_over(colour_film((150, 112, 52), cover * interior), face)


Stage = Callable[[Pixels, Weathering, Dice], Pixels]
STAGES: tuple[Stage, ...] = (
    _shade_cuts, _slip_red, _fade, _rub, _chip, _scratch, _dirty, _stain,
)  # fmt: skip
"""The stages in order."""


def _clouds(face: Pixels, cells: int, dice: Dice) -> Plane:
    """Return smooth noise from 0 to 1 with `cells` cells across the face."""
    height, width = face.shape[:2]
    noise = dice.rng.random((max(2, cells * height // width), cells), dtype=np.float32)
    method = cv2.INTER_CUBIC if cells < 40 else cv2.INTER_LINEAR
    return np.clip(cv2.resize(noise, (width, height), interpolation=method), 0, 1)


def _thin_paint(face: Pixels, part: Plane) -> Pixels:
    """Return the face with `part` of its paint gone, 0 to 1 for each pixel."""
    thin: Pixels = face.copy()
    thin[..., 3] = cv2.multiply(face[..., 3], np.clip(1 - part, 0, 1), dtype=cv2.CV_8U)
    return thin
