"""Find damaged records and missing photographs in the store, and repair streams."""

from __future__ import annotations

from device.damage.report import DamageReport, damages, examine, examine_all
from device.damage.streams import Damage, as_kept, cut_back, damage_of

__all__ = [
    "Damage",
    "DamageReport",
    "as_kept",
    "cut_back",
    "damage_of",
    "damages",
    "examine",
    "examine_all",
]
