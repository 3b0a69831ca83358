"""All words of the page, from one file, so that they can be read through and translated."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from flask import Flask

from scorer.tiles import FACE_DOWN, JOKER, Tile


def load(language: str = "en-GB") -> dict[str, str]:
    """Return every sentence by its dotted key."""
    text = (files("device.web") / "strings" / f"{language}.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(text), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        pairs += _flat(value, f"{name}.") if isinstance(value, dict) else [(name, str(value))]
    return pairs


_WORDS = load()


def say(key: str, **values: object) -> str:
    """Return a sentence of the strings file, its {placeholders} filled; KeyError without it."""
    return _WORDS[key].format_map(values)


def say_count(key: str, count: int, **values: object) -> str:
    """Return the `one` or the `many` form of a sentence about `count` things."""
    return say(f"{key}.{'one' if count == 1 else 'many'}", count=count, **values)


def signed(amount: int) -> str:
    """Return a gain or a loss as it is written on a score sheet, with a true minus sign."""
    return f"{amount:+d}".replace("-", "\N{MINUS SIGN}")


def is_said(key: str) -> bool:
    """Whether the strings file has this key: for sentences that not every rule needs."""
    return key in _WORDS


def tile_name(code: str) -> str:
    """Return the spoken name of a tile code, face down and joker included."""
    said = {FACE_DOWN: "tile.face-down", JOKER: "tile.wild"}.get(code)
    return say(said) if said else Tile.parse(code).name


def init_app(app: Flask) -> None:
    """Give the templates their words."""
    app.jinja_env.globals.update(t=say, tn=say_count, has_words=is_said, tile_name=tile_name)
