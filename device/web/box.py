"""The box: everything that the views work with, created once and reachable in every request.

Beside it stand the table at which the phone that asks sits, and the phones in the first steps.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast
from urllib.parse import urlencode

from flask import current_app, g, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from device.access import has_access
from device.backups import RestoreDesk
from device.backups.download_gate import DownloadGate
from device.cameras.aiming import PhoneAims
from device.cameras.cameras import Cameras
from device.cameras.service import CameraService
from device.club.camera_assignments import AutoSnapChoice, CameraAssignments
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
from device.services import Services
from device.settings import SettingsLog
from device.tilesets.tile_sets import TileSets
from device.tutoring.progress import PracticeLog
from device.updates.upload import BundleUpload
from device.web.fields import cookie_fields
from device.web.news import Newsroom

STEP_TIMEOUT_S = 10 * 60.0
"""Seconds without a request after which a phone counts as gone."""


class FirstStepsPhones:
    """The phones in the first steps, by their address. Safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps_by_phone: dict[str, tuple[float, str]] = {}
        self._lock = threading.Lock()

    def note_page(self, phone: str, page: str) -> None:
        """Note the page on which a phone is."""
        with self._lock:
            self._steps_by_phone[phone] = (self._clock(), page)

    def end(self) -> None:
        """Note that the first steps are over; other phones are no longer told."""
        with self._lock:
            self._steps_by_phone.clear()

    def last_page(self, phone: str) -> str:
        """Return the page on which a phone was; empty if it was on none."""
        return self._lately().get(phone, "")

    def is_other_phone_active(self, phone: str) -> bool:
        """Whether another phone is in the first steps and this one is not."""
        lately = self._lately()
        return bool(lately) and phone not in lately

    def _lately(self) -> dict[str, str]:
        cutoff = self._clock() - STEP_TIMEOUT_S
        with self._lock:
            return {
                phone: where for phone, (at, where) in self._steps_by_phone.items() if at > cutoff
            }


TABLE_COOKIE = "table"
"""Holds the table's id, and the token of its PIN if it has one. A phone that never scanned a
table's code has no such cookie. A box with one table needs none."""

_COOKIE_AGE_S = 365 * 24 * 3600


def table_of_phone(tables: ClubTables) -> ClubTable | None:
    """Return the table of the phone that asks, as it was when the request first looked it up.

    None if the phone sits at no table: the box has only one, or the phone has scanned no code yet.
    None outside a request, too.
    """
    if not has_request_context():
        return None
    if "table" not in g:
        g.table = _find_table(tables)
    return cast("ClubTable | None", g.table)


def _find_table(tables: ClubTables) -> ClubTable | None:
    table_id = (
        cookie_fields(TABLE_COOKIE).get("table", "") if TABLE_COOKIE in request.cookies else ""
    )
    table = tables.find_even_cleared(table_id)
    return table if table and not table.cleared and may_sit(table) else None


def may_sit(table: ClubTable) -> bool:
    """Whether the phone has given the table's PIN, or the table has none."""
    cookie = cookie_fields(TABLE_COOKIE)
    return not table.pin or (
        cookie.get("table") == table.id and has_access(table, cookie.get("key", ""))
    )


def seat_phone(answer: AnyResponse, table: ClubTable) -> AnyResponse:
    """Seat the phone at a table from now on; return the response."""
    value = urlencode({"table": table.id, "key": table.pin_token})
    answer.set_cookie(TABLE_COOKIE, value, max_age=_COOKIE_AGE_S, httponly=True, samesite="Strict")
    return answer


@dataclass(frozen=True, slots=True)
class Box:
    """The parts of the appliance that the views need."""

    services: Services
    samples: tuple[Sample, ...] = ()
    names: frozenset[str] = frozenset()
    """Further host names under which the box may be reached."""
    rules: str = "bmja"
    """Key of the ruleset that is proposed where a table has none of its own."""
    machine: Machine = field(default_factory=lambda: Machine(Path()))
    """The computer, as the Setup page examines it."""
    trial: SampleReading = field(default_factory=SampleReading)
    watch: StorageWatch = field(default_factory=StorageWatch)
    """Whether the box can save what is played."""
    care: CareWatch = field(default_factory=CareWatch)
    """What on the box needs attention."""
    cameras: Cameras = field(default_factory=Cameras)
    """The box's own camera and those of the tables."""
    https_port: int = 0
    """The port for HTTPS; 0 without HTTPS."""
    switch: PowerSwitch = field(default_factory=PowerSwitch)
    """Switches the box off."""
    arrival: BundleUpload | None = None
    """Receives a newer version from a phone; None on a computer that is not an appliance."""
    restores: RestoreDesk | None = None
    """Restores backups from a phone; None where a database is shared by several processes."""
    backup_downloads: DownloadGate = field(default_factory=DownloadGate)
    """Lets one phone at a time download a backup."""
    greets: bool = False
    """Whether the first phone is guided through the first steps. The demo does not do so."""
    setting_up: FirstStepsPhones = field(default_factory=FirstStepsPhones)
    """The phones that are in the first steps."""
    gate: PhotographGate = field(default_factory=PhotographGate)
    """Photographs that the page has open pass it, one at a time."""
    camera_shares: CameraShares = field(default_factory=CameraShares)
    """Limits live pictures and judged frames."""
    aims: PhoneAims = field(init=False)
    """Hints for phones that aim their own camera."""

    news: Newsroom = field(init=False)
    """Sends news to the phones that listen."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "aims", PhoneAims(self.jobs.count_tiles, self.decoder))
        room = Newsroom(self.services.store, lambda: self.switch.is_off, lambda: self.care.changes)
        object.__setattr__(self, "news", room)

    @property
    def hands(self) -> HandRepository:
        """The hands, with what their matches know."""
        return self.services.hands

    @property
    def jobs(self) -> PhotoQueue:
        """The photographs that wait to be read."""
        return self.services.jobs

    @property
    def sets(self) -> TileSets:
        """The tile sets."""
        return self.services.sets

    @property
    def decoder(self) -> Decoder:
        """Decodes photographs from outside."""
        return self.services.decoder

    @property
    def intake(self) -> Intake:
        """Receives photographs. All of them come in here."""
        return Intake(self.hands, self.sets.registrations, self.jobs, self.decoder, self.gate)

    @property
    def matches(self) -> MatchRepository:
        """The matches, seen from the table of the phone that asks."""
        return MatchRepository(self.services.store, self.table)

    @property
    def phones(self) -> Phones:
        """Which players' phones are at the tables."""
        return Phones(self.services.store)

    @property
    def tables(self) -> ClubTables:
        """The club's tables, if it has several. Lists of them have no hidden names."""
        return ClubTables(self.services.store, say("table.somebody"))

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
    def rulesets(self) -> CustomRulesets:
        """The custom rulesets."""
        return CustomRulesets(self.services.store)

    @property
    def agreement_here(self) -> Agreement:
        """What is played at the phone's table without a match: its own proposal, or the box's."""
        table = self.table_here
        ruleset = (table.ruleset if table else "") or self.rules
        return self.rulesets.agreement(self.rulesets.offered_key(ruleset))

    @property
    def camera_assignments(self) -> CameraAssignments:
        """The camera of each table."""
        return CameraAssignments(self.services.store)

    @property
    def camera_here(self) -> CameraService | None:
        """The camera over the phone's table, if there is one."""
        return self.camera_over(self.table)

    def camera_over(self, table: str) -> CameraService | None:
        """Return the camera over a table, if there is one."""
        assignment = (
            self.camera_assignments.find_assignment(table) if self.cameras.has_camera else None
        )
        if assignment is None:
            return None
        if assignment.camera and not self.cameras.is_assigned(assignment.camera):
            self.cameras.assign(self.camera_assignments.list_webcams())
        return self.cameras.open_camera(assignment.camera)

    @property
    def snapping(self) -> AutoSnapChoice:
        """The tables at which the camera takes photographs by itself."""
        return AutoSnapChoice(self.services.store)

    @property
    def settings(self) -> SettingsLog:
        """The settings of this box."""
        return SettingsLog(self.services.store)

    @property
    def practice(self) -> PracticeLog:
        """What each pupil has practised."""
        return PracticeLog(self.services.store)


def box() -> Box:
    """Return the box of the app that handles the current request."""
    return cast(Box, current_app.extensions["tongbox"])
