"""Find damaged records and missing photographs in the store, and repair streams."""

from __future__ import annotations

from device.damage.report import (
    Damage,
    DamageReport,
    cut_back,
    examine,
    examine_all,
    export_stream,
    find_damage,
    find_torn_events,
)

__all__ = [
    "Damage",
    "DamageReport",
    "cut_back",
    "examine",
    "examine_all",
    "export_stream",
    "find_damage",
    "find_torn_events",
]
