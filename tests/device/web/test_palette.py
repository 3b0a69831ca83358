"""The palette for colour-blind eyes: what must be told apart stays apart for them, in any light.

Colours are seen through published models of colour vision. Machado, Oliveira and Fernandes, "A
physiologically-based model for simulation of color vision deficiency" (IEEE TVCG 15, 2009): the
matrices for severity 1.0, on linear sRGB. They are weak for tritanopia, so that is also seen as by
Brettel, Viénot and Mollon, "Computerized simulation of color appearance for dichromats" (JOSA A 14,
1997), in the linear form that DaltonLens derived from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.device.web.test_style import THEMES, WEB, luminance, themes

Floats = npt.NDArray[np.float64]

PROTAN = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
]
DEUTAN = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
]
TRITAN = [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.303900],
]
BRETTEL_TRITAN = (
    [[1.01277, 0.13548, -0.14826], [-0.01243, 0.86812, 0.14431], [0.07589, 0.80500, 0.11911]],
    [[0.93678, 0.18979, -0.12657], [0.06154, 0.81526, 0.12320], [-0.37562, 1.12767, 0.24796]],
)
BRETTEL_NORMAL = (0.03901, -0.02788, -0.01113)
"""Which of the two holds: the side of this plane on which a colour lies."""

MIN_DISTANCE, MIN_GROUND_DISTANCE = 20.0, 6.0
"""Of CIE L*a*b* (1976), where 2.3 is just noticed: of marks, lines and inks; of large grounds."""

MIN_CONTRAST = 3.0
"""What WCAG 2.2 asks of drawings (criterion 1.4.11)."""

MARKS = {
    "winds": ("wind-east", "wind-south", "wind-west", "wind-north"),
    "lines of the graph": ("line-1", "line-2", "line-3", "line-4", "line-5"),
    "inks of suits and dragons": ("red", "green", "blue"),
    "a warning and a remark": ("alarm", "brass"),
    "right and wrong": ("baize-light", "alarm"),
    "the golden button and the others": ("gold", "card"),
    "a tile in doubt and another in the photo": ("brass-light", "outline-light"),
    "tiles of the wall picked, lying, and the loose ones": ("picked", "tile-back"),
    "a tile picked and a loose one": ("picked", "ivory"),
    "where the wall is broken": ("break-edge", "tile-edge"),
}
"""What each mark is told from, beside its form or words."""

GROUNDS = {
    "a warning and a remark": ("alarm-ground", "tint"),
    "a warning and the card": ("alarm-ground", "card"),
}

ON_CARD = ("brass", "alarm", *MARKS["winds"], *MARKS["lines of the graph"])
"""What is drawn on the card."""

TILE_FACE = "#fdf9ee"
"""The ground of a drawn tile."""

SAFE = ("light, safe", "dark, safe")


def colours_of(theme: str) -> dict[str, str]:
    """Return the colours of a theme by name, the middle of the golden button and the tiles too."""
    sprite = (WEB.parent / "views" / "tiles.svg").read_text("utf-8")
    inks = dict(re.findall(r"var\(--(\w+),(#\w{6})\)", sprite))
    gold = re.findall(r"--gold: [^;]*, (#\w{6}) 48%", "".join(THEMES[theme]))[-1]
    grounds = {"gold": gold, "outline-light": "#ffffff", "face": TILE_FACE}
    return inks | grounds | themes()[theme]


def parse_colour(colour: str) -> Floats:
    """Return sRGB, 0 to 1."""
    return np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])


def appearances(colours: Floats) -> Floats:
    """Return the colours (rows) as seen by usual eyes and by each model of colour blindness."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    halves = [linear @ np.array(matrix).T for matrix in BRETTEL_TRITAN]
    side = (linear @ np.array(BRETTEL_NORMAL) >= 0)[:, None]
    simulations = [linear @ np.array(matrix).T for matrix in (PROTAN, DEUTAN, TRITAN)]
    views = np.clip([linear, *simulations, np.where(side, *halves)], 0, 1)
    seen_colours: Floats = np.where(
        views <= 0.0031308, 12.92 * views, 1.055 * views ** (1 / 2.4) - 0.055
    )
    return seen_colours


def min_distance(colour: str, ground: str) -> float:
    """Return how far apart two colours are for the eyes that tell them apart least."""
    pairs = appearances(np.array([parse_colour(colour), parse_colour(ground)])).astype(np.float32)
    lab = cv2.cvtColor(pairs, cv2.COLOR_RGB2Lab)
    return float(np.linalg.norm(lab[:, 0] - lab[:, 1], axis=1).min())


def test_the_models_leave_grey_as_it_is_and_confuse_what_they_should() -> None:
    greys = np.array([[0.0] * 3, [0.3] * 3, [1.0] * 3])
    assert np.allclose(appearances(greys), greys, atol=0.002)
    assert min_distance("#b81c2c", "#b81c2c") == 0
    red, green = "#a06000", "#6b7a00"
    assert min_distance(red, green) < MIN_DISTANCE / 2, "a red and a green of one lightness"


def find_alike_pairs(theme: str, sets: Mapping[str, tuple[str, ...]], limit: float) -> list[str]:
    """Return the pairs of each set that are nearer than the limit."""
    colours = colours_of(theme)
    distances = {
        f"{what}: {one}, {other}": min_distance(colours[one], colours[other])
        for what, names in sets.items()
        for one, other in combinations(names, 2)
    }
    return [f"{pair}: {distance:.1f}" for pair, distance in distances.items() if distance < limit]


@pytest.mark.parametrize("theme", SAFE)
def test_what_means_something_else_looks_different_to_all_eyes(theme: str) -> None:
    assert find_alike_pairs(theme, MARKS, MIN_DISTANCE) == []
    assert find_alike_pairs(theme, GROUNDS, MIN_GROUND_DISTANCE) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_usual_colours_need_the_palette(theme: str) -> None:
    """Or else it has become idle."""
    assert find_alike_pairs(theme, MARKS, MIN_DISTANCE)


@pytest.mark.parametrize("theme", SAFE)
def test_what_is_drawn_is_seen_on_its_ground(theme: str) -> None:
    colours = colours_of(theme)
    grounds = [(name, "card") for name in ON_CARD]
    grounds += [(name, "face") for name in MARKS["inks of suits and dragons"]]
    faint = {
        (name, ground): contrast
        for name, ground in grounds
        if (contrast := _contrast(colours[name], colours[ground])) < MIN_CONTRAST
    }
    assert faint == {}


def _contrast(colour: str, ground: str) -> float:
    low, high = sorted((luminance(colour), luminance(ground)))
    return (high + 0.05) / (low + 0.05)
