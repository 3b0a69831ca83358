"""Table tops as textures that repeat: cloth, wood, baize, plain, patterned, leather."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from models.train.cycles.spots import Rng

RGB = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

TEXTURE_SIDE_PX = 512
"""Pixels of a texture's side."""


def noise(rng: Rng, across: float, along: float) -> Floats:
    """Return square noise that repeats, its blotches `across` by `along` pixels; deviation 1."""
    white = np.fft.rfft2(rng.normal(size=(TEXTURE_SIDE_PX, TEXTURE_SIDE_PX)))
    fy, fx = np.fft.fftfreq(TEXTURE_SIDE_PX)[:, None], np.fft.rfftfreq(TEXTURE_SIDE_PX)[None, :]
    smooth = np.fft.irfft2(white * np.exp(-20 * ((fx * across) ** 2 + (fy * along) ** 2)))
    return np.asarray(smooth / smooth.std(), np.float32)


def _paint(colour: tuple[int, int, int], shade: Floats) -> RGB:
    return np.asarray((np.array(colour) * (1 + shade[..., None])).clip(4, 250), np.uint8)


def cloth(rng: Rng) -> RGB:
    """Weave threads both ways."""
    y, x = np.mgrid[:TEXTURE_SIDE_PX, :TEXTURE_SIDE_PX]
    threads = np.sin(x * 2 * np.pi / 8) * np.sin(y * 2 * np.pi / 8)
    colour = ((228, 222, 208), (150, 40, 44), (60, 86, 120), (205, 190, 150))[rng.integers(4)]
    return _paint(colour, np.asarray(0.07 * threads + 0.04 * noise(rng, 2, 2), np.float32))


def wood(rng: Rng) -> RGB:
    """Join boards with a grain."""
    grain = noise(rng, 90, 1.5) * 0.13 + noise(rng, 220, 9) * 0.12 + noise(rng, 12, 1) * 0.04
    colour = ((126, 78, 42), (176, 128, 78), (74, 44, 28), (196, 160, 112))[rng.integers(4)]
    boards = (
        (np.arange(TEXTURE_SIDE_PX) % (TEXTURE_SIDE_PX // 4) < 3) * -0.4
        if rng.random() < 0.5
        else np.zeros(TEXTURE_SIDE_PX)
    )
    return _paint(colour, np.asarray(grain + boards[:, None], np.float32))


def baize(rng: Rng) -> RGB:
    """Full felt, with hairs."""
    colour = ((22, 92, 56), (30, 66, 104), (110, 24, 34), (52, 56, 58))[rng.integers(4)]
    return _paint(colour, noise(rng, 1, 1) * 0.09 + noise(rng, 14, 14) * 0.06)


def plain(rng: Rng) -> RGB:
    """Spread a laminate."""
    colour = ((232, 231, 226), (170, 168, 160), (40, 40, 42), (222, 206, 178))[rng.integers(4)]
    return _paint(colour, noise(rng, 60, 60) * 0.02)


def patterned(rng: Rng) -> RGB:
    """Print squares or dots on a cloth."""
    base = np.full((TEXTURE_SIDE_PX, TEXTURE_SIDE_PX, 3), (236, 232, 222), np.uint8)
    ink = [int(v) for v in ((178, 40, 44), (44, 84, 150), (60, 120, 70))[rng.integers(3)]]
    step = TEXTURE_SIDE_PX // int(rng.choice((6, 8, 12)))
    if rng.random() < 0.5:
        band = (np.arange(TEXTURE_SIDE_PX) // (step // 2)) % 2
        both = (band[:, None] + band[None, :])[..., None] / 2
        base = np.asarray(base * (1 - both) + np.array(ink) * both, np.uint8)
    else:
        for k, y in enumerate(range(step // 2, TEXTURE_SIDE_PX, step)):
            for x in range(step // 2 if k % 2 else step // 4, TEXTURE_SIDE_PX, step):
                cv2.circle(base, (x, y), step // 5, ink, -1, cv2.LINE_AA)
                cv2.circle(base, (x, y), step // 12, (230, 190, 60), -1, cv2.LINE_AA)
    return np.asarray((base * (1 + 0.05 * noise(rng, 1, 1)[..., None])).clip(4, 250), np.uint8)


def leather(rng: Rng) -> RGB:
    """Stretch a dark, blotched hide."""
    colour = ((70, 38, 24), (34, 30, 30), (96, 58, 30))[rng.integers(3)]
    return _paint(colour, -np.abs(noise(rng, 5, 5)) * 0.14 + noise(rng, 40, 40) * 0.08)


TEXTURES: Mapping[str, Callable[[Rng], RGB]] = {
    each.__name__: each for each in (cloth, wood, baize, plain, patterned, leather)
}
ROUGHNESS = {
    "cloth": 0.95,
    "wood": 0.35,
    "baize": 1.0,
    "plain": 0.3,
    "patterned": 0.9,
    "leather": 0.5,
}
REPEAT_CM = {
    "cloth": 12.0,
    "wood": 60.0,
    "baize": 20.0,
    "plain": 80.0,
    "patterned": 30.0,
    "leather": 20.0,
}
"""Centimetres of a texture's side on the table."""
