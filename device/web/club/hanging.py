"""Which camera hangs over a table: chosen among those that the box finds."""

from __future__ import annotations

from dataclasses import dataclass

from device.cameras.cameras import BOX
from device.club.tables import ClubTable
from device.views.cameras import wrong_in_words
from device.web.box import box
from device.web.fields import form

PHONES, OF_BOX = "phones", "box"
"""What a form says of no camera, and of the box's own; a webcam's name is never that short."""


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera that a table may have, or none."""

    word: str
    """By which it is chosen."""
    title: str = ""
    """Of a webcam."""
    is_here: bool = False
    elsewhere: str = ""
    """The name of another table over which it hangs."""
    is_gone: bool = False
    """It hangs here, and is not plugged in."""


@dataclass(frozen=True, slots=True)
class CamerasFor:
    """What a table may choose."""

    choices: tuple[CameraChoice, ...]
    turned: bool
    """What hangs here hangs upside down."""

    @property
    def here(self) -> CameraChoice:
        """What hangs here now."""
        return next(each for each in self.choices if each.is_here)


@dataclass(frozen=True, slots=True)
class CameraTaken:
    """A camera that was chosen hangs over another table."""

    choice: CameraChoice
    by: ClubTable


def cameras_for(table: ClubTable) -> CamerasFor:
    """Return what a table may choose: the box's own, each webcam that is found, phones alone."""
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
    turned = box().settings.now().camera_turned if BOX in here else bool(hung and hung.turned)
    return CamerasFor(tuple(choices), turned)


def choose_camera(table: ClubTable) -> CameraTaken | None:
    """Hang the camera of the form over a table; return what is wrong, and then hang nothing.

    One that hangs over another table is taken from there when the form says that it is known.
    """
    choices = {each.word: each for each in cameras_for(table).choices}
    chosen = choices[form().choice("camera", choices)]
    hanging, before = box().hanging, box().hanging.over(table.id)
    if chosen.word == PHONES:
        if before:
            hanging.hang("", before.camera, before.title)
        return None
    name = BOX if chosen.word == OF_BOX else chosen.word
    names = box().cameras.same(name)
    if before and before.camera in names - {BOX}:
        return None
    holder = hanging.holder(names)
    if holder and holder.id not in (table.id, form().word("from")):
        return CameraTaken(chosen, holder)
    turned = None
    if BOX in names and name != BOX:  # what was the box's own is this table's from now on
        hanging.hang("", BOX)
        turned = box().settings.now().camera_turned
    hanging.hang(table.id, name, chosen.title, turned=turned)
    return None


def turn_camera(table: ClubTable) -> None:
    """Keep whether the camera over a table hangs upside down."""
    turned = form().flag("on")
    hung = box().hanging.over(table.id)
    if hung and hung.camera:
        box().hanging.hang(table.id, hung.camera, hung.title, turned=turned)
    elif hung and (camera := box().cameras.box):
        box().settings.change("camera_turned", turned)
        camera.turned = turned


def wrong_with_camera(table: ClubTable) -> str:
    """Return what is wrong with the camera over a table, in words; empty when nothing is."""
    camera = box().camera_over(table.id)
    status = camera.status if camera else None
    if camera is None or status is None or status.state != "lost":
        return ""
    return wrong_in_words(camera.title, status.sentence)
