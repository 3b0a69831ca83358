"""Choose the camera over a table, among those that the box finds."""

from __future__ import annotations

from dataclasses import dataclass

from device.cameras.cameras import BOX_CAMERA
from device.club.tables import ClubTable
from device.views.box_health import describe_camera_fault
from device.web.box import box
from device.web.fields import form

PHONES, OF_BOX = "phones", "box"
"""The form's values for no camera and for the box's own. A webcam's name is never that short."""


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera that a table may choose, or the choice of no camera."""

    word: str
    """The form's value for this choice."""
    title: str = ""
    """The title of a webcam."""
    is_here: bool = False
    elsewhere: str = ""
    """The name of another table that uses this camera."""
    is_gone: bool = False
    """Whether this table's camera is not plugged in."""


@dataclass(frozen=True, slots=True)
class CamerasFor:
    """The cameras that a table may choose."""

    choices: tuple[CameraChoice, ...]
    turned: bool
    """Whether this table's camera hangs upside down."""

    @property
    def here(self) -> CameraChoice:
        """The current choice."""
        return next(each for each in self.choices if each.is_here)


@dataclass(frozen=True, slots=True)
class CameraTaken:
    """The chosen camera belongs to another table."""

    choice: CameraChoice
    by: ClubTable


def cameras_for(table: ClubTable) -> CamerasFor:
    """Return the choices of a table: the box's own camera, each webcam found, or phones only."""
    cameras, hung = box().cameras, box().hanging.over(table.id)
    here = cameras.same(hung.camera) if hung else frozenset[str]()
    choices = []
    for each in cameras.found():
        holder = box().hanging.holder(cameras.same(each.name))
        elsewhere = holder.name if holder and holder.id != table.id else ""
        word = each.name or OF_BOX
        choices.append(CameraChoice(word, each.title, each.name in here, elsewhere))
    if hung and not any(each.is_here for each in choices) and hung.camera:
        choices.append(CameraChoice(hung.camera, hung.title, is_here=True, is_gone=True))
    choices.append(CameraChoice(PHONES, is_here=not any(each.is_here for each in choices)))
    turned = (
        box().settings.now().camera_turned if BOX_CAMERA in here else bool(hung and hung.turned)
    )
    return CamerasFor(tuple(choices), turned)


def choose_camera(table: ClubTable) -> CameraTaken | None:
    """Assign the camera in the form to a table. Return the conflict if another table uses it.

    The camera is taken from the other table only if the form names that table.
    """
    choices = {each.word: each for each in cameras_for(table).choices}
    chosen = choices[form().choice("camera", choices)]
    hanging, before = box().hanging, box().hanging.over(table.id)
    if chosen.word == PHONES:
        if before:
            hanging.assign("", before.camera, before.title)
        return None
    name = BOX_CAMERA if chosen.word == OF_BOX else chosen.word
    names = box().cameras.same(name)
    if before and before.camera in names - {BOX_CAMERA}:
        return None
    holder = hanging.holder(names)
    if holder and holder.id not in (table.id, form().word("from")):
        return CameraTaken(chosen, holder)
    turned = None
    if (
        BOX_CAMERA in names and name != BOX_CAMERA
    ):  # the box's own camera belongs to this table from now on
        hanging.assign("", BOX_CAMERA)
        turned = box().settings.now().camera_turned
    hanging.assign(table.id, name, chosen.title, turned=turned)
    return None


def turn_camera(table: ClubTable) -> None:
    """Save whether the camera over a table hangs upside down."""
    turned = form().flag("on")
    hung = box().hanging.over(table.id)
    if hung and hung.camera:
        box().hanging.assign(table.id, hung.camera, hung.title, turned=turned)
    elif hung and (camera := box().cameras.box):
        box().settings.change("camera_turned", turned)
        camera.turned = turned


def wrong_with_camera(table: ClubTable) -> str:
    """Return the problem of the camera over a table, in words; empty if it has none."""
    camera = box().camera_over(table.id)
    status = camera.status if camera else None
    if camera is None or status is None or status.state != "lost":
        return ""
    return describe_camera_fault(camera.title, status.sentence)
