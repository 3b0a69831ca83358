"""The parts of the appliance that its pages need, and the contexts made of them.

Views import contexts (`device.web.contexts`), never the box.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from device.cameras.aiming import PhoneAims
from device.cameras.cameras import Cameras
from device.samples import Sample
from device.services import Services
from device.web.contexts import CameraDesk, PhotoDesk, Records, Room, Upkeep
from device.web.first_steps_phones import FirstStepsPhones
from device.web.news import Newsroom


def _describe_state(upkeep: Upkeep) -> str:
    """Return the box's own state for the news: `off`, `restart` or empty."""
    if upkeep.switch.is_off:
        return "off"
    return "restart" if upkeep.restores and upkeep.restores.is_under_way else ""


@dataclass(frozen=True, slots=True)
class Box:
    """What the pages of a box are built of."""

    services: Services
    samples: tuple[Sample, ...] = ()
    """Photographs that the demo offers."""
    rules: str = "bmja"
    """Key of the ruleset that is proposed where a table has none of its own."""
    cameras: Cameras = field(default_factory=Cameras)
    """The box's own camera and those of the tables."""
    upkeep: Upkeep = field(default_factory=Upkeep)
    greets: bool = False
    """Whether the first phone is guided through the first steps. The demo does not do so."""

    def contexts(self) -> tuple[object, ...]:
        """Return what the views work with, one context of each class."""
        parts, upkeep = self.services, self.upkeep
        records, room = Records(parts.store, parts.hands, parts.sets), Room(parts.store, self.rules)
        aims = PhoneAims(parts.jobs.count_tiles, parts.decoder)
        return (
            records,
            room,
            PhotoDesk(records, parts.jobs, parts.decoder, samples=self.samples),
            CameraDesk(room, aims, self.cameras),
            upkeep,
            FirstStepsPhones(greets=self.greets),
            Newsroom(parts.store, lambda: _describe_state(upkeep), lambda: upkeep.care.changes),
        )
