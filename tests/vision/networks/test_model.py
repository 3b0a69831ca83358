"""How a network is loaded: what its session keeps."""

from __future__ import annotations

import pytest

from vision.networks.model import Model


@pytest.mark.parametrize("name", ["locator", "classifier", "signs", "printed"])
def test_a_session_keeps_no_memory_of_the_largest_hand(name: str) -> None:
    """An arena would: 60 MB of the locator's alone."""
    session = Model.load(name).session
    assert not session.get_session_options().enable_cpu_mem_arena


def test_a_session_keeps_no_second_copy_of_its_file() -> None:
    assert Model.load("locator").session._model_bytes is None
