"""Reads `settings.toml`: the sets, rooms and cameras of the sample photographs."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from models.train.faces.style import Style
from models.train.render.camera import Look
from models.train.render.patterns import pattern
from models.train.render.scene import Body, Colour, Light, Shade, Sky, Surface
from models.train.render.views import Stance

_TABLES = Path(__file__).with_name("settings.toml")


@dataclass(frozen=True, slots=True)
class Setting:
    """All of a sample photograph but its hand."""

    body: Body
    style: Style
    table: Surface
    floor: Surface
    lights: tuple[Light, ...]
    sky: Sky
    shades: tuple[Shade, ...]
    stance: Stance
    look: Look
    edge: float
    """How far below the tiles the table ends, cm."""
    rail: Colour | None
    """Colour of a wooden rim along that edge."""
    dice: tuple[float, float] | None
    """Where dice lie, cm from the tiles' middle."""
    sheet: tuple[float, float] | None
    """Where a score sheet lies, likewise."""
    wobble: float
    """How untidily the tiles lie: deviation of their turn, radians."""


def _values(table: dict[str, Any]) -> dict[str, Any]:
    """Return the table with its lists as tuples."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}


def _surface(table: dict[str, Any]) -> Surface:
    kind, variant = table["pattern"]
    return Surface(**{**_values(table), "pattern": pattern(kind, variant)})


def _lamp(table: dict[str, Any]) -> Light:
    bearing, height = math.radians(table["bearing"]), math.radians(table["height"])
    out = np.array((math.cos(bearing), math.sin(bearing), 0.0))
    up = np.array((0.0, 0.0, 1.0))
    towards = math.cos(height) * out + math.sin(height) * up
    across = np.cross(up, out)
    half_u, half_v = table["half"]
    return Light(
        centre=table["distance"] * towards,
        half_u=across * half_u,
        half_v=np.cross(towards, across) * half_v,
        power=_values(table)["power"],
    )


def _shade(table: dict[str, Any]) -> Shade:
    return Shade(**{**_values(table), "turn": math.radians(table["turn"])})


def _stance(table: dict[str, Any]) -> Stance:
    angles = {k: math.radians(table[k]) for k in ("elevation", "bearing", "roll")}
    return Stance(**{**table, **angles, "distortion": 0.015})


@cache
def setting(name: str) -> Setting:
    """Return the setting of this name; raise KeyError when there is none."""
    tables = tomllib.loads(_TABLES.read_text(encoding="utf-8"))
    own = _values(tables["setting"][name])
    return Setting(
        body=Body(**_values(tables["body"][own["body"]])),
        style=Style(**tables["style"][own["style"]]),
        table=_surface(tables["surface"][own["table"]]),
        floor=_surface(tables["surface"][own["floor"]]),
        lights=tuple(_lamp(lamp) for lamp in own["lamp"]),
        sky=Sky(**_values(own["sky"])),
        shades=tuple(_shade(shade) for shade in own.get("shade", ())),
        stance=_stance(own["stance"]),
        look=Look(**_values(own["look"])),
        edge=own["edge"],
        rail=own.get("rail"),
        dice=own.get("dice"),
        sheet=own.get("sheet"),
        wobble=own.get("wobble", 0.012),
    )
