"""The contexts of views: each gives access to one concern. A view imports those that it needs.

`create_app` provides them all. A test of one view provides only those that the view imports.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from flask import Flask, current_app

from device.backups import RestoreDesk
from device.backups.download_gate import DownloadGate
from device.cameras.aiming import PhoneAims
from device.cameras.cameras import Cameras
from device.cameras.service import CameraService
from device.club.camera_assignments import CameraAssignments
from device.club.table_switches import TableSwitch, auto_snap, wait_counting
from device.club.tables import ClubTable, ClubTables
from device.decoding.decoder import Decoder, PhotographGate
from device.doctor import Machine, SampleReading
from device.doctor.health import CareWatch, StorageWatch
from device.hands.record import Agreement
from device.hands.repository import HandRepository
from device.host.service_manager import PowerSwitch
from device.i18n.words import say
from device.intake import Intake
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository
from device.matches.seats import Phones
from device.rulesets.repository import CustomRulesets
from device.samples import Sample
from device.server.limits import CameraShares
from device.settings import SettingsLog
from device.store import Store
from device.tilesets.tile_sets import TileSets
from device.tutoring.practice_deals import PracticeDeals
from device.tutoring.progress import PracticeLog
from device.updates.upload import BundleUpload
from device.web.cookies import table_of_phone
from device.web.first_steps_phones import FirstStepsPhones
from device.web.news import Newsroom

_Context = TypeVar("_Context")


@dataclass(frozen=True, slots=True)
class Records:
    """What is recorded, whichever table the phone sits at."""

    store: Store
    hands: HandRepository
    """The hands, with what their matches know."""
    sets: TileSets
    """The tile sets."""

    @property
    def rulesets(self) -> CustomRulesets:
        """The custom rulesets."""
        return CustomRulesets(self.store)

    @property
    def settings(self) -> SettingsLog:
        """The settings of this box."""
        return SettingsLog(self.store)

    @property
    def practice(self) -> PracticeLog:
        """What each pupil has practised."""
        return PracticeLog(self.store)

    @property
    def practice_deals(self) -> PracticeDeals:
        """The deals that learners play against the box."""
        return PracticeDeals(self.store)


@dataclass(frozen=True, slots=True)
class Room:
    """The tables of the room and what is played there, seen from the phone that asks."""

    store: Store
    rules: str = "bmja"
    """Key of the ruleset that is proposed where a table has none of its own."""

    @property
    def tables(self) -> ClubTables:
        """The club's tables, if it has several. Lists of them have no hidden names."""
        return ClubTables(self.store, say("table.somebody"))

    @property
    def table_here(self) -> ClubTable | None:
        """The table of the phone that asks; None if the box has only one."""
        return table_of_phone(self.tables)

    @property
    def table(self) -> str:
        """The id of that table; empty if the box has only one."""
        table = self.table_here
        return table.id if table else ""

    @property
    def matches(self) -> MatchRepository:
        """The matches, seen from the table of the phone that asks."""
        return MatchRepository(self.store, self.table)

    @property
    def phones(self) -> Phones:
        """Which players' phones are at the tables."""
        return Phones(self.store)

    @property
    def wait_counting(self) -> TableSwitch:
        """The tables at which the tiles on the table are counted during a match."""
        return wait_counting(self.store)

    @property
    def agreement_here(self) -> Agreement:
        """What is played at the phone's table: in a match its agreement, else what is proposed."""
        if match := self.matches.current():
            return match.agreement
        table, rulesets = self.table_here, CustomRulesets(self.store)
        ruleset = (table.ruleset if table else "") or self.rules
        return rulesets.agreement(rulesets.offered_key(ruleset))


@dataclass(frozen=True, slots=True)
class PhotoDesk:
    """How photographs come in and wait to be read."""

    records: Records
    jobs: PhotoQueue
    """The photographs that wait to be read."""
    decoder: Decoder
    """Decodes photographs from outside."""
    gate: PhotographGate = field(default_factory=PhotographGate)
    """Photographs that the page has open pass it, one at a time."""
    samples: tuple[Sample, ...] = ()

    @property
    def intake(self) -> Intake:
        """Receives photographs. All of them come in here."""
        registrations = self.records.sets.registrations
        return Intake(self.records.hands, registrations, self.jobs, self.decoder, self.gate)


@dataclass(frozen=True, slots=True)
class CameraDesk:
    """The cameras over the tables and in phones."""

    room: Room
    aims: PhoneAims
    """Hints for phones that aim their own camera."""
    cameras: Cameras = field(default_factory=Cameras)
    """The box's own camera and those of the tables."""
    shares: CameraShares = field(default_factory=CameraShares)
    """Limits live pictures and judged frames."""

    @property
    def assignments(self) -> CameraAssignments:
        """The camera of each table."""
        return CameraAssignments(self.room.store)

    @property
    def snapping(self) -> TableSwitch:
        """The tables at which the camera takes photographs by itself."""
        return auto_snap(self.room.store)

    @property
    def camera_here(self) -> CameraService | None:
        """The camera over the phone's table, if there is one."""
        return self.camera_over(self.room.table)

    def camera_over(self, table: str) -> CameraService | None:
        """Return the camera over a table, if there is one."""
        if not self.cameras.has_camera:
            return None
        assignment = self.assignments.find_assignment(table)
        if assignment is None:
            return None
        if assignment.camera and not self.cameras.is_assigned(assignment.camera):
            self.cameras.assign(self.assignments.list_webcams())
        return self.cameras.open_camera(assignment.camera)


@dataclass(frozen=True, slots=True)
class Upkeep:
    """The computer that serves the pages, and how it is looked after."""

    machine: Machine = field(default_factory=lambda: Machine(Path()))
    """The computer, as the Setup page examines it."""
    names: frozenset[str] = frozenset()
    """Further host names under which the box may be reached."""
    https_port: int = 0
    """The port for HTTPS; 0 without HTTPS."""
    trial: SampleReading = field(default_factory=SampleReading)
    watch: StorageWatch = field(default_factory=StorageWatch)
    """Whether the box can save what is played."""
    care: CareWatch = field(default_factory=CareWatch)
    """What on the box needs attention."""
    switch: PowerSwitch = field(default_factory=PowerSwitch)
    """Switches the box off."""
    arrival: BundleUpload | None = None
    """Receives a newer version from a phone; None on a computer that is not an appliance."""
    restores: RestoreDesk | None = None
    """Restores backups from a phone; None where a database is shared by several processes."""
    backup_downloads: DownloadGate = field(default_factory=DownloadGate)
    """Lets one phone at a time download a backup."""


def provide(app: Flask, *contexts: object) -> None:
    """Give an app's views these contexts, each in place of the one of its class."""
    app.extensions.update((type(context).__name__, context) for context in contexts)


def find_context(kind: type[_Context], app: Flask | None = None) -> _Context:
    """Return the context of a class that an app has: by default, the app of this request."""
    return cast(_Context, (app or current_app).extensions[kind.__name__])


records = partial(find_context, Records)
room = partial(find_context, Room)
photo_desk = partial(find_context, PhotoDesk)
camera_desk = partial(find_context, CameraDesk)
upkeep = partial(find_context, Upkeep)
first_steps_phones = partial(find_context, FirstStepsPhones)
newsroom = partial(find_context, Newsroom)
