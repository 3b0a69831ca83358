"""What each camera was set to when it last focused and exposed for the table, kept in the log."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from device.store import Store, StoreError

_KIND = "camera-adjusted"
_ABOUT = "box"
"""What the events are about, in place of a hand."""

_log = logging.getLogger(__name__)


class Adjusted:
    """What was found for each model of camera; outlives the camera object, and the box's plug."""

    def __init__(self, store: Store) -> None:
        """Look up what was found before; raise StoreError."""
        self._store = store
        self._found: dict[str, Mapping[str, Any]] = {}
        for event in store.of_kinds((_KIND,)):
            try:
                self._found[event.data["model"]] = dict(event.data["controls"])
            except (KeyError, TypeError, ValueError) as error:
                raise StoreError(f"Event {event.seq} ({_KIND}) makes no sense: {error}") from error

    def of(self, model: str) -> Mapping[str, Any] | None:
        """Return libcamera's controls for a model of camera; None for one never adjusted."""
        return self._found.get(model)

    def keep(self, model: str, controls: Mapping[str, Any]) -> None:
        """Keep what was found, in place of what was found before: numbers, and lists of them.

        On a disk that takes no more it is kept until the box is switched off.
        """
        self._found[model] = controls
        try:
            self._store.append(_ABOUT, _KIND, {"model": model, "controls": dict(controls)})
        except StoreError as error:
            _log.warning("What the camera was adjusted to is not kept: %s", error)
