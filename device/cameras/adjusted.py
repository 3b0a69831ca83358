"""What each camera was set to when it last focused and exposed for the table, kept in the log."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from device.store import Store, StoreError
from device.store.events import BOX, CameraAdjusted

_log = logging.getLogger(__name__)


class Adjusted:
    """What was found for each model of camera; outlives the camera object, and the box's plug."""

    def __init__(self, store: Store) -> None:
        """Look up what was found before; raise StoreError. Torn events are told and left out."""
        self._store = store
        found = (each.event for each in store.of_kinds(CameraAdjusted))
        self._found = {each.model: each.controls for each in found}

    def of(self, model: str) -> Mapping[str, Any] | None:
        """Return libcamera's controls for a model of camera; None for one never adjusted."""
        return self._found.get(model)

    def keep(self, model: str, controls: Mapping[str, Any]) -> None:
        """Keep what was found, in place of what was found before: numbers, and lists of them.

        On a disk that takes no more it is kept until the box is switched off.
        """
        self._found[model] = controls
        try:
            self._store.append(BOX, CameraAdjusted(model, dict(controls)))
        except StoreError as error:
            _log.warning("What the camera was adjusted to is not kept: %s", error)
