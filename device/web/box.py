"""What the page works with, handed to it once and found again from any view."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from flask import current_app

from device.cameras.cameras import Cameras
from device.cameras.phones import PhoneAims
from device.cameras.service import CameraService
from device.club.hanging import Hanging
from device.club.snapping import Snapping
from device.club.tables import ClubTable, ClubTables
from device.doctor import Machine, Trial
from device.doctor.care import Care
from device.doctor.storage import StorageWatch
from device.hands.repository import HandRepository
from device.host.power import Switch
from device.intake import Intake
from device.jobs import Jobs
from device.matches.phones import Phones
from device.matches.repository import MatchRepository
from device.samples.photographs import Sample
from device.settings.settings import SettingsLog
from device.tilesets.tile_sets import TileSets
from device.tutoring.progress import PracticeLog
from device.updates.arrival import Arrival
from device.web.news import Newsroom
from device.web.setting_up import SettingUp
from device.web.sitting import table_of_phone


@dataclass(frozen=True, slots=True)
class Box:
    """The parts of the appliance that the page needs."""

    hands: HandRepository
    jobs: Jobs
    sets: TileSets
    samples: tuple[Sample, ...] = ()
    names: frozenset[str] = frozenset()
    """Host names, besides the usual ones, under which the page may be asked for."""
    rules: str = "bmja"
    machine: Machine = field(default_factory=lambda: Machine(Path()))
    """What the Setup page examines."""
    trial: Trial = field(default_factory=Trial)
    watch: StorageWatch = field(default_factory=StorageWatch)
    """Whether it can keep what is played."""
    care: Care = field(default_factory=Care)
    """What of it needs somebody."""
    cameras: Cameras = field(default_factory=Cameras)
    """Its own, and those of the tables."""
    https_port: int = 0
    """Where the page is answered by HTTPS; 0 where it is not."""
    switch: Switch = field(default_factory=Switch)
    """What switches it off."""
    arrival: Arrival | None = None
    """A newer version that comes from a phone; None on a computer that is no box."""
    greets: bool = False
    """Whoever comes first to it is walked through it; the demo is only tried out."""
    setting_up: SettingUp = field(default_factory=SettingUp)
    """Which phone is walked through it."""
    aims: PhoneAims = field(init=False)
    """What phones are told that aim their own camera."""

    news: Newsroom = field(init=False)
    """What phones hear that listen."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "aims", PhoneAims(self.jobs.count_tiles))
        room = Newsroom(self.hands.store, lambda: self.switch.is_off, lambda: self.care.changes)
        object.__setattr__(self, "news", room)

    @property
    def intake(self) -> Intake:
        """The one way in for a photograph."""
        return Intake(self.hands, self.sets.registrations, self.jobs)

    @property
    def matches(self) -> MatchRepository:
        """The matches, asked about the table of the phone that asks."""
        return MatchRepository(self.hands, self.table)

    @property
    def phones(self) -> Phones:
        """Whose phones are at the tables."""
        return Phones(self.hands.store)

    @property
    def tables(self) -> ClubTables:
        """The tables, where there are several."""
        return ClubTables(self.hands.store)

    @property
    def table_here(self) -> ClubTable | None:
        """The table at which the phone sits that asks; None where there is only one."""
        return table_of_phone(self.tables)

    @property
    def table(self) -> str:
        """Id of that table; empty where there is only one."""
        here = self.table_here
        return here.id if here else ""

    @property
    def rules_here(self) -> str:
        """Name of the rules that are proposed at the phone's table: its own, or the box's."""
        here = self.table_here
        return (here.ruleset if here else "") or self.rules

    @property
    def hanging(self) -> Hanging:
        """Over which table each camera hangs."""
        return Hanging(self.hands.store)

    @property
    def camera_here(self) -> CameraService | None:
        """The camera that sees the phone's table, if one does."""
        return self.camera_over(self.table)

    def camera_over(self, table: str) -> CameraService | None:
        """Return the camera that sees a table, if one does."""
        hung = self.hanging.over(table) if self.cameras.any else None
        if hung is None:
            return None
        if hung.camera and not self.cameras.hangs(hung.camera):
            self.cameras.hang(self.hanging.own())
        return self.cameras.of(hung.camera)

    @property
    def snapping(self) -> Snapping:
        """At which tables the camera takes the photograph by itself."""
        return Snapping(self.hands.store)

    @property
    def settings(self) -> SettingsLog:
        """How this box is used."""
        return SettingsLog(self.hands.store)

    @property
    def practice(self) -> PracticeLog:
        """Who has practised what."""
        return PracticeLog(self.hands.store)


def box() -> Box:
    """Return the box of the app that handles the current request."""
    return cast(Box, current_app.extensions["tongbox"])
