"""What of this folder can be collected where there is no camera library: all but its own checks."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("libcamera") else ["virtual/adapters.py", "virtual/checks.py"]
