"""The files of rulesets that come with the program: the built-in ones, and those of others."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

SAMPLES = ("western", "classical", "thirty-hands")
"""Rules of others as files, for a table to copy and edit; no hand may name them."""


def load_builtin_text(name: str) -> str:
    """Return the text of a built-in ruleset's file, for a table to copy and edit."""
    return Path(__file__).with_name(f"{name}.toml").read_text("utf-8")


@cache
def load_builtin_data(name: str) -> Mapping[str, Any]:
    """Return the blocks of a built-in ruleset's file."""
    return tomllib.loads(load_builtin_text(name))


def load_sample_text(name: str) -> str:
    """Return the text of a sample ruleset's file, for a table to copy and edit."""
    return (Path(__file__).parent / "samples" / f"{name}.toml").read_text("utf-8")
