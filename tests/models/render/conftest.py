"""The renderer, compiled once in a test run: to compile it takes ten seconds of a core."""

from __future__ import annotations

import fcntl

import numpy as np
import pytest

from models.train.render.recipe import random_scene
from models.train.render.render import render


@pytest.fixture(scope="session", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile it, or wait for the process that does and take over what that has kept on disk."""
    size = (16, 12)
    with (tmp_path_factory.getbasetemp().parent / "compiling-renderer").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        render(random_scene(np.random.default_rng(0), {}, size), size)
