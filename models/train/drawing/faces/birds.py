"""The bird of the 1 of bamboos, about 100 x 130 units from the origin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.train.drawing.faces.aviary import invented_bird
from models.train.drawing.faces.bamboo import stick
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.pictures import draw_picture
from models.train.drawing.faces.shapes import Box, Point, Shape, move, place
from models.train.drawing.faces.style import Style
from models.train.drawing.faces.variation import engrave, fit_picture, repaint, vary_hand

SIZE: Point = (100.0, 130.0)


def bird(box: Box, style: Style) -> tuple[Shape, ...]:
    """Return the style's bird, as large as fits the box left, top, right, bottom."""
    left, top, right, bottom = box
    scale = min((right - left) / SIZE[0], (bottom - top) / SIZE[1])
    red, green, blue, dark = (style.ink(name) for name in style.bird_inks)
    bird_style = replace(style, red=red, green=green, blue=blue, dark=dark)
    dice = Dice(np.random.default_rng([style.seed, 1]))
    if style.bird == "invented":
        drawing = invented_bird(bird_style, dice)
    elif style.bird == "cane":  # some makers draw no bird
        drawing = move(stick(4.0, bird_style, green), place(50, 65, 24))
    else:
        drawing = draw_picture(style.bird, bird_style)
    if style.bend:
        drawing = fit_picture(vary_hand(drawing, dice, SIZE, style.bend), SIZE)
        drawing = repaint(drawing, dice, (red, green, blue, dark), 0.1 * style.bend)
    if style.bird_lines:
        drawing = engrave(drawing, style.bird_lines)
    x, y = (left + right) / 2, (top + bottom) / 2
    scale *= style.bird_size
    return move(move(drawing, place(-50, -65)), place(x, y, scale, mirror=style.bird_mirror))
