"""Controls that each camera model found when it last focused and exposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

Controls = Mapping[str, Any]
"""libcamera's controls by name: numbers, and lists of numbers."""


class Adjusted:
    """The controls found for each camera model; outlives the camera object."""

    def __init__(
        self,
        found: Mapping[str, Controls] = MappingProxyType({}),
        write: Callable[[str, Controls], None] = lambda *_: None,
    ) -> None:
        """Begin with earlier controls; `write` stores new ones."""
        self._found, self._write = dict(found), write

    def of(self, model: str) -> Controls | None:
        """Return the controls of a camera model; None if it was never adjusted."""
        return self._found.get(model)

    def keep(self, model: str, controls: Controls) -> None:
        """Replace the controls of a camera model."""
        self._found[model] = controls
        self._write(model, controls)
