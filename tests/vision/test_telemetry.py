"""Nothing leaves the table: the library that runs the networks is told to report to nobody."""

from __future__ import annotations

import os
import subprocess
import sys


def test_the_library_makes_no_id_to_report_under() -> None:
    """Where it would, it warns that it cannot keep one in a home that cannot be written to."""
    load = "from vision.networks.model import Model; Model.load('locator')"
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": "/proc", "XDG_CACHE_HOME": "/proc", "PYTHONPATH": os.getcwd()}  # noqa: PTH109
    done = subprocess.run(
        [sys.executable, "-c", load], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr == ""
