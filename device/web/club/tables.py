"""The club's tables: add, rename and set them up, choose their cameras, and seat phones at them.

A table has a name, a code to scan, a PIN, rules, a tile set and a camera. Its code does not contain
the PIN, because the code lies there for years while the PIN may change every evening. A phone is
asked for the PIN once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import MAX_TABLE_NAME_CHARS, ClubTable, NameTakenError
from device.i18n.words import say
from device.web.box import box
from device.web.club.choosing import who_plays
from device.web.club.hanging import (
    CameraTaken,
    cameras_for,
    choose_camera,
    turn_camera,
    wrong_with_camera,
)
from device.web.errors import page
from device.web.fields import form
from device.web.joining import qr_code, ways
from device.web.permissions.check import may
from device.web.sitting import sit
from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin

pages = Blueprint("club_tables", __name__, url_prefix="/club/tables")

PATIENCE = 5.0
"""Seconds that a webcam has to deliver its first picture."""

_TAKEN = 409

_Answer = AnyResponse | tuple[str, int]


@pages.get("/")
def show() -> str:
    """Show the tables, and the form to add another."""
    return _page("", "", say("club.tables.next", number=len(box().tables.laid()) + 1))


@pages.post("/")
def lay() -> _Answer:
    """Add a table."""
    name = form().text("name", MAX_TABLE_NAME_CHARS, default=None)
    try:
        table = box().tables.lay(name)
    except NameTakenError:
        return _page(say("club.tables.taken", name=name), name, name), _TAKEN
    return redirect(url_for("club_tables.of", table=table), 303)


def _page(wrong: str, typed: str, proposed: str) -> str:
    on, free = who_plays(), say("club.at.free")
    return render_template(
        "club/tables.html",
        tables=[(each, on.get(each.id, free)) for each in box().tables.laid()],
        wrong=wrong,
        name=typed or proposed,
        longest=MAX_TABLE_NAME_CHARS,
    )


@pages.get("/<id:table>/")
def of(table: str) -> str:
    """Show one table: its code and its settings."""
    return _of(box().tables.get(table))


def _of(found: ClubTable, taken: CameraTaken | None = None) -> str:
    """Return the page of a table, with the conflict of the chosen camera if there is one."""
    table = found.id
    (way, *_) = ways()
    hangs = box().cameras.any and _may_change(found, "camera")
    return render_template(
        "club/table.html",
        table=found,
        way=way,
        path=url_for("at.sit_down", table=table).lstrip("/"),
        qr_code=qr_code,
        is_here=box().table == table,
        may_play=_may_change(found, "pin"),
        may_clear=_may_change(found, "clear"),
        organised=bool(box().settings.now().organiser_pin),
        longest=MAX_TABLE_NAME_CHARS,
        rulesets=[(name, load_builtin(name).title) for name in RULESETS],
        proposed_rules=found.ruleset or box().rules,
        sets=[(each.id, each.name or say("sets.usual")) for each in box().sets.all()],
        set_here=box().sets.chosen(table).id,
        cameras=cameras_for(found) if hangs else None,
        camera_says=wrong_with_camera(found) if hangs else "",
        taken=taken,
        by_itself=box().snapping.at(table),
        is_match_on=box().matches.at(table).current() is not None,
    )


@pages.get("/<id:table>/sees.jpg")
def sees(table: str) -> Response:
    """Return a picture of the camera over a table, for phones that may choose the camera."""
    found = box().tables.get(table)
    camera = box().camera_over(table) if _may_change(found, "camera") else None
    preview = camera.look(timeout=PATIENCE) if camera else None
    return Response(preview.jpeg, mimetype="image/jpeg") if preview else abort(404)


def _may_change(table: ClubTable, what: str) -> bool:
    return may("club_tables.change", table=table.id, what=what)


@pages.post("/<id:table>/<what>")
def change(table: str, what: str) -> _Answer:
    """Change one setting of a table."""
    found = box().tables.get(table)
    if what not in CHANGES:
        abort(404)
    try:
        answer = CHANGES[what](found)
    except NameTakenError as error:
        return page(say("club.tables.taken", name=str(error)), _TAKEN)
    box().cameras.assign(box().hanging.own())
    return answer


def _rename(table: ClubTable) -> AnyResponse:
    box().tables.rename(table.id, form().text("name", MAX_TABLE_NAME_CHARS, default=None))
    return _back(table)


def _change_pin(table: ClubTable) -> AnyResponse:
    """Make a new PIN or remove it. The phone that makes a new one is seated at the table."""
    if form().choice("pin", ("off", "new")) == "off":
        box().tables.remove_pin(table.id)
        return _back(table)
    return sit(_back(table), box().tables.new_pin(table.id))


def _propose_rules(table: ClubTable) -> AnyResponse:
    box().tables.propose_rules(table.id, form().choice("ruleset", RULESETS))
    return _back(table)


def _put_set(table: ClubTable) -> AnyResponse:
    box().sets.choose(form().word("set", None), table.id)
    return _back(table)


def _hang_camera(table: ClubTable) -> _Answer:
    taken = choose_camera(table)
    return (_of(table, taken), _TAKEN) if taken else _back(table)


def _turn_camera(table: ClubTable) -> AnyResponse:
    turn_camera(table)
    return _back(table)


def _snap_by_itself(table: ClubTable) -> AnyResponse:
    box().snapping.choose(table.id, on=form().flag("on"))
    return _back(table)


def _clear(table: ClubTable) -> _Answer:
    """Remove a table, unless a match goes on there: its phones would lose it."""
    if box().matches.at(table.id).current():
        return page(say("club.tables.in-use", name=table.name), _TAKEN)
    box().tables.clear(table.id)
    return redirect(url_for("club_tables.show"), 303)


CHANGES: Mapping[str, Callable[[ClubTable], _Answer]] = {
    "name": _rename,
    "pin": _change_pin,
    "rules": _propose_rules,
    "set": _put_set,
    "camera": _hang_camera,
    "turned": _turn_camera,
    "by-itself": _snap_by_itself,
    "clear": _clear,
}
"""The settings of a table that can be changed, by the last part of the address."""


def _back(table: ClubTable) -> AnyResponse:
    return redirect(url_for("club_tables.of", table=table.id), 303)
