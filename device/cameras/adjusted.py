"""What each model of camera was set to when it last focused and exposed for the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

Controls = Mapping[str, Any]
"""libcamera's controls by their names: numbers, and lists of them."""


class Adjusted:
    """The controls found for each model of camera; outlives the camera object."""

    def __init__(
        self,
        found: Mapping[str, Controls] = MappingProxyType({}),
        write: Callable[[str, Controls], None] = lambda *_: None,
    ) -> None:
        """Begin with what was found before; `write` is given what is found anew."""
        self._found, self._write = dict(found), write

    def of(self, model: str) -> Controls | None:
        """Return libcamera's controls for a model of camera; None for one never adjusted."""
        return self._found.get(model)

    def keep(self, model: str, controls: Controls) -> None:
        """Keep what was found, in place of what was found before."""
        self._found[model] = controls
        self._write(model, controls)
