"""Files of a machine that the doctor looks at."""

from __future__ import annotations

from collections.abc import Mapping

from device.doctor import Machine


def with_files(machine: Machine, files: Mapping[str, str]) -> Machine:
    """Write files below the machine's root; return the machine."""
    for name, text in files.items():
        path = machine.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return machine
