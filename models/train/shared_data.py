"""Where the shared photographs and tile faces are."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Return the folder of shared data: `TONGBOX_DATA`, or `../shared` beside the checkout."""
    return Path(os.environ.get("TONGBOX_DATA", "../shared"))
