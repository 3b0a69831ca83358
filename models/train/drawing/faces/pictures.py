"""The drawn flowers, seasons and birds: the rows of `pictures.toml` in the inks of a style."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

from models.train.drawing.faces import plants
from models.train.drawing.faces.brush import brush
from models.train.drawing.faces.shapes import PAPER, Circle, Ink, Picture, Point, blob, line, polar
from models.train.drawing.faces.style import Style

_PICTURES: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def draw_picture(name: str, style: Style) -> Picture:
    """Return a picture of the file; raise KeyError where it has none of this name."""
    inks: dict[str, Ink] = {"bonus": style.ink(style.bonus_ink), "paper": PAPER}
    inks |= {"red": style.red, "green": style.green, "blue": style.blue, "dark": style.dark}
    shapes: Picture = ()
    for row in _PICTURES[name].splitlines():
        words, _, places = row.partition(": ")
        verb, *rest = words.split()
        points = [(float(x), float(y)) for x, y in (each.split(",") for each in places.split())]
        numbers = [float(word) for word in rest if not word.isalpha()]
        row_inks = [inks[word] for word in rest if word.isalpha()]
        if verb in _PARTS:
            shapes += _PARTS[verb](*points, *numbers, *row_inks)
        else:
            shapes += _STROKES[verb](points, *numbers, *row_inks)
    return shapes


def _plume(foot: Point, length: float, turn: float, ink: Ink, heart: Ink) -> Picture:
    """Return one feather of a peacock's fan, which is narrower than it is high."""
    x, y = polar((0, 0), length, turn)
    tip = (foot[0] + x * 0.54, foot[1] + y)
    eye = 9.0 if length > 60 else 7.0
    rings = ((eye + 1.6, PAPER), (eye, ink), (eye * 0.58, PAPER), (eye * 0.38, heart))
    return (line([foot, tip], ink, 3.2), *(Circle(tip, radius, ring) for radius, ring in rings))


def _ray(foot: Point, width: float, length: float, turn: float, ink: Ink) -> Picture:
    return (line([foot, polar(foot, length, turn)], ink, width),)


def _bead(foot: Point, radius: float, distance: float, turn: float, ink: Ink) -> Picture:
    return (Circle(polar(foot, distance, turn), radius, ink),)


_STROKES: dict[str, Callable[..., Picture]] = {
    "line": lambda points, width, ink: (line(points, ink, width),),
    "curve": lambda points, width, ink: (line(points, ink, width, smooth=True),),
    "brush": lambda points, *values: (brush(points, values[:-1], values[-1]),),
    "blob": lambda points, ink: (blob(points, ink),),
    "stem": plants.stem,
    "blade": plants.blade,
}
"""What goes through points: the functions take their list, then the numbers, then the ink."""

_PARTS: dict[str, Callable[..., Picture]] = {
    "plum": plants.plum_blossom, "chrysanthemum": plants.many_petals, "peony": plants.peony,
    "lotus": plants.lotus, "orchid": plants.orchid_flower, "maple": plants.maple_leaf,
    "bud": plants.bud, "frond": plants.frond, "pine": plants.pine, "snowflake": plants.snowflake,
    "plume": _plume, "ray": _ray, "bead": _bead,
    "disc": lambda point, radius, ink: (Circle(point, radius, ink),),
    "petal": lambda *values: (plants.petal(*values),),
    "leaf": lambda base, length, turn, fat, ink: plants.leaf(base, length, turn, ink, fat),
    "cane": lambda foot, top, width, joints, ink: plants.cane(foot, top, width, int(joints), ink),
}  # fmt: skip
"""What stands at a point, or between two: the functions take these, the numbers, then the inks."""
