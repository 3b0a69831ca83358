"""Keep the last focus and exposure of each camera model in the log."""

from __future__ import annotations

import logging

from device.cameras.picamera2 import Controls, SavedControls
from device.settings.settings import append_to_box
from device.store import Store, StoreError
from device.store.events import CameraAdjusted

_log = logging.getLogger(__name__)


def load_camera_controls(store: Store) -> SavedControls:
    """Return the controls found earlier, in an object that also logs new ones; raise StoreError.

    Torn events are logged and left out. If the disk is full, new controls are kept in memory.
    """

    def write(model: str, controls: Controls) -> None:
        try:
            append_to_box(store, CameraAdjusted(model, dict(controls)))
        except StoreError as error:
            _log.warning("What the camera was adjusted to is not kept: %s", error)

    found = (each.event for each in store.of_kinds(CameraAdjusted))
    return SavedControls({each.model: each.controls for each in found}, write)
