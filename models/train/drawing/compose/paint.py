"""Paint a table: grounds, flat things, shadows, then bodies from far to near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.drawing.compose.bodies import Floats
from models.train.drawing.compose.canvas import (
    Canvas,
    blank_canvas,
    fill,
    hull,
    to_fixed_point,
    warp_picture,
    window,
)
from models.train.drawing.compose.colours import F32, to_linear
from models.train.drawing.compose.lighting import (
    Lighting,
    cast_shadow,
    contact_shadow,
    lamp_glare,
    light_falloff,
)
from models.train.drawing.compose.lofts import Loft
from models.train.drawing.compose.views import View

_CANVAS_SCALE = 2
"""The canvas is this many times finer than the picture."""
_FAR_DETAIL_SHARE = 0.8
"""The far side of a table shows this share of the detail of its middle."""
_MAX_FLAT_CM = 0.12
"""A body no higher than this is painted with the ground."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A level patterned surface: floor, table, cloth."""

    picture: F32
    """(N, N, 3) linear colours, repeating."""
    extent: float
    """Centimetres that one repeat covers."""
    polygon: Floats | None
    """(N, 3) its edge; without one it is endless."""
    level: float = 0.0
    turn: float = 0.0
    gloss: float = 0.0
    rim: tuple[float, float, float] | None = None
    """Colour of its cut edge."""
    thickness: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """All that is needed to compose a picture."""

    sheets: tuple[Sheet, ...]
    """From below."""
    lofts: tuple[Loft, ...]
    lighting: Lighting
    view: View


def _coarsen(picture: F32, pixels: float) -> F32:
    """Return a repeating picture no finer than it will be seen; its side spans `pixels`."""
    side = max(16, round(pixels * _FAR_DETAIL_SHARE))
    if side >= picture.shape[0]:
        return picture
    return np.asarray(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA))


def _lay(canvas: Canvas, sheet: Sheet, lighting: Lighting) -> None:
    """Paint a sheet, and below it its cut edge."""
    c, s = np.cos(sheet.turn), np.sin(sheet.turn)
    picture = _coarsen(sheet.picture, sheet.extent * canvas.scale(sheet.level) / _CANVAS_SCALE)
    step = sheet.extent / picture.shape[0]
    origin = np.array((0.0, 0.0, sheet.level))
    u_axis, v_axis = np.array((c, s, 0.0)) * step, np.array((-s, c, 0.0)) * step
    rows, columns = (slice(0, n // _CANVAS_SCALE) for n in (canvas.size[1], canvas.size[0]))
    to_pixel = np.diag((1 / _CANVAS_SCALE, 1 / _CANVAS_SCALE, 1.0)) @ canvas.plane(
        origin, u_axis, v_axis
    )
    warped = warp_picture(
        picture * lighting.level.astype(np.float32), to_pixel, rows, columns, cv2.BORDER_WRAP
    )
    warped = np.asarray(cv2.resize(warped, canvas.size, interpolation=cv2.INTER_NEAREST))
    if sheet.polygon is None:
        canvas.light[:] = warped
        canvas.gloss[:] = sheet.gloss
        return
    if sheet.rim is not None:
        lower = sheet.polygon - (0.0, 0.0, sheet.thickness)
        light = lighting.light_on(np.array(((0.0, -1.0, 0.0),)))[0] * sheet.rim
        for k in range(len(lower)):
            j = (k + 1) % len(lower)
            wall = np.array((sheet.polygon[k], sheet.polygon[j], lower[j], lower[k]))
            fill(canvas.light, canvas.outline(wall), light.tolist())
    mask = np.zeros(canvas.owner.shape, np.uint8)
    fill(mask, canvas.outline(sheet.polygon), 255)
    cv2.copyTo(warped, mask, canvas.light)
    canvas.gloss[mask > 0] = sheet.gloss


def _cap(
    canvas: Canvas, loft: Loft, lighting: Lighting, front: bool, shade: F32 | None
) -> Floats | None:
    """Paint one end of a body if it faces the camera; return its outline."""
    ring = loft.rings[-1 if front else 0]
    axis = loft.rings[-1].mean(axis=0) - loft.rings[0].mean(axis=0)
    normal = axis / max(float(np.linalg.norm(axis)), 1e-9) * (1.0 if front else -1.0)
    if normal @ (canvas.eye - ring[0]) <= 0:
        return None
    pixels = canvas.project(ring)
    part = window(pixels, canvas.size)
    if part is None:
        return None
    light = lighting.light_on(normal[None])[0]
    colour = np.array(loft.front if front else loft.back_colour)
    fill(canvas.light, pixels, (colour * light).tolist())
    level = normal[2] > 0.9
    fill(canvas.gloss, pixels, loft.gloss if level else 0.0)
    if loft.art is not None and loft.face is not None and front != loft.art_on_back:
        _print(canvas, loft.art, loft.face, light)
    if level and shade is not None:
        mask = np.zeros(canvas.owner[part].shape, np.uint8)
        fill(mask, pixels - (part[1].start, part[0].start), 1)
        shadow_loss = (
            shade[part] * mask[..., None] * (1.0 - lighting.shadow_light).astype(np.float32)
        )
        canvas.light[part] *= 1.0 - shadow_loss
    return pixels


def _print(canvas: Canvas, art: NDArray[np.uint8], face: Floats, light: Floats) -> None:
    """Print a picture on a plane whose corners `face` (4, 3) go clockwise from the top left."""
    corners = canvas.project(face)
    part = window(corners, canvas.size)
    if part is None:
        return
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    wide, high = max(sides[0], sides[2]), max(sides[1], sides[3])
    shrink = (max(2, min(round(wide), art.shape[1])), max(2, min(round(high), art.shape[0])))
    ink = to_linear(art, shrink)
    u_axis = (face[1] - face[0]) / shrink[0]
    v_axis = (face[3] - face[0]) / shrink[1]
    warped = warp_picture(ink, canvas.plane(face[0], u_axis, v_axis), *part)
    target = canvas.light[part]
    target *= 1.0 - warped[..., 3:]
    target += warped[..., :3] * light.astype(np.float32)


def _walls(canvas: Canvas, loft: Loft, lighting: Lighting, closeness: Floats) -> None:
    """Paint the sides; `closeness` (N,) says how much stands before each of them."""
    a, b = loft.rings[:-1], loft.rings[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    normals = np.cross(c - a, b - d)
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    eye = canvas.eye
    is_visible = ((eye - a) * normals).sum(axis=-1) > 0
    light = lighting.light_on(normals.reshape(-1, 3)).reshape(*normals.shape)
    height = np.clip((a[..., 2] + b[..., 2]) / 2, 0.0, 2.0)
    low = 0.45 + 0.55 * np.clip(height / 1.6, 0.0, 1.0) ** 0.6
    upwardness = np.clip(normals[..., 2], 0.0, 1.0)
    dim = (upwardness + (1.0 - upwardness) * low) * (
        1.0 - closeness[None] * (1.0 - 0.6 * upwardness)
    )
    half = lighting.lamp_direction + (eye - a) / np.linalg.norm(eye - a, axis=-1, keepdims=True)
    half /= np.linalg.norm(half, axis=-1, keepdims=True)
    shine = (
        loft.gloss * np.clip((half * normals).sum(axis=-1), 0.0, 1.0) ** 60 * (1 - closeness[None])
    )
    colour = loft.bands[:, None] * light * dim[..., None] + 0.5 * shine[..., None] * lighting.lamp
    corners = to_fixed_point(canvas.project(np.stack((a, b, c, d), axis=2)))
    for k, j in zip(*np.nonzero(is_visible), strict=True):
        cv2.fillConvexPoly(canvas.light, corners[k, j], colour[k, j].tolist(), cv2.LINE_8, 4)


def _closeness(lofts: Sequence[Loft]) -> list[Floats]:
    """Return for each body how closely others stand before its sides, (N,) each, 0 to 0.75."""
    middles = np.array([loft.centre for loft in lofts]).reshape(-1, 3)
    boxes = [_box(loft, middle) for loft, middle in zip(lofts, middles, strict=True)]
    shares = []
    for i, loft in enumerate(lofts):
        belt = loft.rings[len(loft.rings) // 2]
        outward = belt - middles[i]
        probe = belt + outward * (0.35 / np.maximum(np.linalg.norm(outward, axis=1), 1e-6))[:, None]
        distances = np.full(len(belt), 9.0)
        for j in np.nonzero(np.linalg.norm(middles - middles[i], axis=1) < 6.0)[0].tolist():
            if j == i or lofts[j].top < loft.top - 1.0:
                continue
            axes, reach = boxes[j]
            excess = np.maximum(np.abs((probe - middles[j]) @ axes.T) - reach, 0.0)
            distances = np.minimum(distances, np.linalg.norm(excess, axis=1))
        shares.append(0.75 * np.clip(1.0 - distances / 0.5, 0.0, 1.0))
    return shares


def _box(loft: Loft, middle: Floats) -> tuple[Floats, Floats]:
    """Return a body's own axes (3, 3) and how far it reaches along each."""
    corners = loft.rings.reshape(-1, 3) - middle
    axes = np.linalg.eigh(corners.T @ corners)[1].T
    return axes, np.abs(corners @ axes.T).max(axis=0)


def _body(
    canvas: Canvas, number: int, loft: Loft, lighting: Lighting, extra: tuple[Floats, F32 | None]
) -> None:
    closeness, shade = extra
    everything = canvas.project(loft.rings.reshape(-1, 3))
    if window(everything, canvas.size) is None:
        return
    for print_ in loft.prints if loft.clear else ():
        _print(canvas, print_.art, print_.face, lighting.level)
    if loft.clear:
        return
    silhouette = hull(everything)
    fill(canvas.owner, silhouette, number)
    fill(canvas.gloss, silhouette, 0.0)
    _walls(canvas, loft, lighting, closeness)
    for front in (True, False):
        _cap(canvas, loft, lighting, front, shade)
    for print_ in loft.prints:
        normal = np.cross(print_.face[3] - print_.face[0], print_.face[1] - print_.face[0])
        normal = normal / np.linalg.norm(normal)
        if normal @ (canvas.eye - print_.face[0]) > 0:
            _print(canvas, print_.art, print_.face, lighting.light_on(normal[None])[0] * 0.85)


def _shade(canvas: Canvas, tall: Sequence[Loft], lighting: Lighting) -> None:
    """Darken the ground below and beside the bodies that stand on it."""
    light_left = (1.0 - lighting.contact * contact_shadow(canvas, tall))[..., None]
    dark = cast_shadow(canvas, tall, 0.0, lighting)
    if dark is not None:
        light_left = light_left * (1.0 - dark[..., None] * (1.0 - lighting.shadow_light))
    light_left = np.broadcast_to(light_left, (*light_left.shape[:2], 3)).astype(np.float32)
    cv2.multiply(canvas.light, cv2.resize(light_left, canvas.size), canvas.light)


def _refine(shade: F32 | None, canvas: Canvas) -> F32 | None:
    return (
        None if shade is None else np.asarray(cv2.resize(shade, canvas.size), np.float32)[..., None]
    )


def _order(table: Table) -> list[int]:
    """Return the numbers of the bodies that rise from the table, from far to near."""
    eye = table.view.position
    depths = [
        -float(np.linalg.norm((loft.centre if loft.anchor is None else loft.anchor) - eye))
        for loft in table.lofts
    ]
    tall = [i for i, loft in enumerate(table.lofts) if loft.top > _MAX_FLAT_CM]
    return sorted(tall, key=lambda i: (table.lofts[i].is_raised, depths[i]))


def compose(table: Table, size: tuple[int, int]) -> tuple[F32, NDArray[np.int16]]:
    """Return a picture's linear light (H, W, 3), and which body is seen where on its finer canvas.

    Lens distortion is left to `canvas.bend_picture`.
    """
    canvas = blank_canvas(table.view, (size[0] * _CANVAS_SCALE, size[1] * _CANVAS_SCALE))
    lighting = table.lighting
    for sheet in table.sheets:
        _lay(canvas, sheet, lighting)
    closeness = _closeness(table.lofts)
    for i, loft in enumerate(table.lofts):
        if loft.top <= _MAX_FLAT_CM:
            _body(canvas, i, loft, lighting, (closeness[i], None))
    tall = [loft for loft in table.lofts if loft.top > _MAX_FLAT_CM and not loft.clear]
    _shade(canvas, tall, lighting)
    shades: dict[float, F32 | None] = {}
    for i in _order(table):
        level = round(table.lofts[i].top, 1)
        if level not in shades:
            higher = [loft for loft in tall if loft.top > level + 0.4]
            shade = cast_shadow(canvas, higher, level, lighting) if higher else None
            shades[level] = _refine(shade, canvas)
        _body(canvas, i, table.lofts[i], lighting, (closeness[i], shades[level]))
    small = np.asarray(cv2.resize(canvas.light, size, interpolation=cv2.INTER_AREA), np.float32)
    small *= light_falloff(lighting, size)
    glare = lamp_glare(canvas, lighting, size)
    if glare is not None:
        gloss = np.asarray(cv2.resize(canvas.gloss, size, interpolation=cv2.INTER_AREA))
        small += gloss[..., None] * glare * lighting.lamp.astype(np.float32)
    return small, canvas.owner
