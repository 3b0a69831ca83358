"""The club's tables: add, rename and set them up, choose their cameras, and seat phones at them.

A table has a name, a code to scan, a PIN, rules, a tile set and a camera. Its code does not contain
the PIN, because the code lies there for years while the PIN may change every evening. A phone is
asked for the PIN once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from device.access import is_right_pin
from device.cameras.cameras import BOX_CAMERA
from device.club import ClubError
from device.club.camera_assignments import CameraHeldError
from device.club.tables import (
    MAX_TABLE_NAME_CHARS,
    ClubTable,
    ClubTables,
)
from device.i18n.words import say, say_count
from device.views.box_health import describe_camera_fault
from device.web.club.table_choice import players_by_table, table_choices
from device.web.contexts import camera_desk, records, room
from device.web.cookies import may_sit, seat_phone
from device.web.fields import FieldError, form
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.permissions import may_use
from device.web.phone_access import box_addresses, draw_qr_code
from device.web.pin_attempts import read_typed_pin, refuse_wrong_pin
from device.web.table.current_match import leave_match
from device.web.table.match_form import offered_rulesets

club_table_pages = Blueprint("club_tables", __name__, url_prefix="/club/tables")

CAMERA_TIMEOUT_S = 5.0
"""Seconds that a webcam has to deliver its first picture."""

_CONFLICT_STATUS, _REFUSED_STATUS = 409, 422

_Answer = AnyResponse | tuple[str, int]


@club_table_pages.get("/")
def show() -> str:
    """Show the tables, and the form to add another."""
    return _tables_page("")


@club_table_pages.post("/")
def lay() -> _Answer:
    """Add a table."""
    try:
        table = room().tables.lay(form().text("name", MAX_TABLE_NAME_CHARS, default=None))
    except (ClubError, FieldError) as error:
        return _tables_page(say(error.message)), _REFUSED_STATUS
    return redirect_to("club_tables.of", table=table)


def _tables_page(wrong: str) -> str:
    players, free, tables = players_by_table(), say("club.at.free"), room().tables.list_tables()
    return render_template(
        "club/tables.html",
        tables=[(each, players.get(each.id, free)) for each in tables],
        wrong=wrong,
        name=form().text("name", MAX_TABLE_NAME_CHARS)
        or say("club.tables.next", number=len(tables) + 1),
        longest=MAX_TABLE_NAME_CHARS,
    )


@club_table_pages.get("/<id:table>/")
def of(table: str) -> str:
    """Show one table: its code and its settings."""
    return _table_page(room().tables.get(table))


def _table_page(club_table: ClubTable, conflict: CameraTaken | None = None, wrong: str = "") -> str:
    """Return the page of a table, with the conflict of the chosen camera if there is one.

    `wrong` is why a name was refused, or why the table was not removed.
    """
    table = club_table.id
    (way, *_) = box_addresses()
    hangs = camera_desk().cameras.has_camera and _may_change(club_table, "camera")
    return render_template(
        "club/table.html",
        table=club_table,
        way=way,
        path=url_for("at.sit_down", table=table).lstrip("/"),
        qr_code=draw_qr_code,
        is_here=room().table == table,
        may_play=_may_change(club_table, "pin"),
        may_clear=_may_change(club_table, "clear"),
        organised=bool(records().settings.read().organiser_pin),
        name=form().text("name", MAX_TABLE_NAME_CHARS) or name_gate().words(club_table.name),
        wrong=name_gate().words(wrong),
        longest=MAX_TABLE_NAME_CHARS,
        rulesets=[(key, say(rules.title)) for key, rules in offered_rulesets().items()],
        proposed_rules=records().rulesets.offered_key(club_table.ruleset or room().rules),
        sets=[
            (each.id, name_gate().words(each.name) or say("sets.usual"))
            for each in records().sets.list_sets()
        ],
        set_here=records().sets.chosen_set(table).id,
        cameras=camera_choices(club_table) if hangs else None,
        camera_says=camera_problem(club_table) if hangs else "",
        taken=conflict,
        by_itself=camera_desk().snapping.is_on_at(table),
        counts_waits=room().wait_counting.is_on_at(table),
        is_match_on=room().matches.at_table(table).current() is not None,
    )


@club_table_pages.get("/<id:table>/sees.jpg")
def sees(table: str) -> Response:
    """Return a picture of the camera over a table, for phones that may choose the camera."""
    club_table = room().tables.get(table)
    camera = camera_desk().camera_over(table) if _may_change(club_table, "camera") else None
    preview = camera.look(timeout=CAMERA_TIMEOUT_S) if camera else None
    return Response(preview.jpeg, mimetype="image/jpeg") if preview else abort(404)


def _may_change(table: ClubTable, setting: str) -> bool:
    return may_use("club_tables.change", table=table.id, what=setting)


@club_table_pages.post("/<id:table>/<what>")
def change(table: str, what: str) -> _Answer:
    """Change one setting of a table."""
    club_table = room().tables.get(table)
    if what not in TABLE_CHANGES:
        abort(404)
    answer = TABLE_CHANGES[what](club_table) or redirect_to("club_tables.of", table=table)
    camera_desk().cameras.assign(camera_desk().assignments.list_webcams())
    return answer


def _rename(table: ClubTable) -> _Answer | None:
    stored_table = ClubTables(records().store).get(table.id)
    try:
        typed_name = form().text("name", MAX_TABLE_NAME_CHARS, default=None)
        room().tables.rename(table.id, name_gate().restore(typed_name, stored_table.name))
    except (ClubError, FieldError) as error:
        return _table_page(table, wrong=say(error.message)), _REFUSED_STATUS
    return None


def _change_pin(table: ClubTable) -> AnyResponse | None:
    """Make a new PIN or remove it. The phone that makes a new one is seated at the table."""
    if form().choice("pin", ("off", "new")) == "off":
        room().tables.remove_pin(table.id)
        return None
    answer = redirect_to("club_tables.of", table=table.id)
    return seat_phone(answer, room().tables.new_pin(table.id))


def _propose_rules(table: ClubTable) -> None:
    room().tables.propose_rules(table.id, form().choice("ruleset", offered_rulesets()))


def _put_set(table: ClubTable) -> None:
    records().sets.choose(form().word("set", None), table.id)


def _hang_camera(table: ClubTable) -> _Answer | None:
    conflict = choose_camera(table)
    return (_table_page(table, conflict), _CONFLICT_STATUS) if conflict else None


def _snap_by_itself(table: ClubTable) -> None:
    camera_desk().snapping.choose(table.id, is_on=form().flag("on"))


def _count_waits(table: ClubTable) -> None:
    room().wait_counting.choose(table.id, is_on=form().flag("on"))


def _turn_camera(table: ClubTable) -> None:
    """Save whether the camera over a table hangs upside down."""
    is_turned = form().flag("on")
    assignment = camera_desk().assignments.find_assignment(table.id)
    if assignment and assignment.camera:
        camera_desk().assignments.assign(
            table.id, assignment.camera, assignment.title, turned=is_turned
        )
    elif assignment and (camera := camera_desk().cameras.box):
        records().settings.change("camera_turned", is_turned)
        camera.is_turned = is_turned


def _clear(table: ClubTable) -> _Answer:
    """Remove a table, unless a match goes on there."""
    try:
        room().tables.clear(table.id)
    except ClubError as error:
        return _table_page(table, wrong=say(error.message)), _REFUSED_STATUS
    return redirect_to("club_tables.show")


TABLE_CHANGES: Mapping[str, Callable[[ClubTable], _Answer | None]] = {
    "name": _rename,
    "pin": _change_pin,
    "rules": _propose_rules,
    "set": _put_set,
    "camera": _hang_camera,
    "turned": _turn_camera,
    "by-itself": _snap_by_itself,
    "count-waits": _count_waits,
    "clear": _clear,
}
"""The settings of a table that can be changed, by the last part of the address.

Each saves what the form says; without an answer of its own, the phone is led back to the table.
"""


NO_CAMERA_VALUE, BOX_CAMERA_VALUE = "phones", "box"
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
class CameraChoices:
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


def camera_choices(table: ClubTable) -> CameraChoices:
    """Return the choices of a table: the box's own camera, each webcam found, or phones only."""
    cameras, assignment = camera_desk().cameras, camera_desk().assignments.find_assignment(table.id)
    gate = name_gate()
    table_cameras = cameras.names_of_same(assignment.camera) if assignment else frozenset[str]()
    choices = []
    for offer in cameras.list_offers():
        holder = camera_desk().assignments.holder(cameras.names_of_same(offer.name))
        holder_name = gate.words(holder.name) if holder and holder.id != table.id else ""
        word = offer.name or BOX_CAMERA_VALUE
        choices.append(CameraChoice(word, offer.title, offer.name in table_cameras, holder_name))
    if assignment and not any(each.is_here for each in choices) and assignment.camera:
        choices.append(
            CameraChoice(assignment.camera, assignment.title, is_here=True, is_gone=True)
        )
    choices.append(CameraChoice(NO_CAMERA_VALUE, is_here=not any(each.is_here for each in choices)))
    is_turned = (
        records().settings.read().camera_turned
        if BOX_CAMERA in table_cameras
        else bool(assignment and assignment.turned)
    )
    return CameraChoices(tuple(choices), is_turned)


def choose_camera(table: ClubTable) -> CameraTaken | None:
    """Assign the camera in the form to a table. Return the conflict if another table uses it.

    The camera is taken from the other table only if the form names that table.
    """
    choices = {each.word: each for each in camera_choices(table).choices}
    choice = choices[form().choice("camera", choices)]
    assignments, before = (
        camera_desk().assignments,
        camera_desk().assignments.find_assignment(table.id),
    )
    if choice.word == NO_CAMERA_VALUE:
        if before:
            assignments.assign("", before.camera, before.title)
        return None
    name = BOX_CAMERA if choice.word == BOX_CAMERA_VALUE else choice.word
    names = camera_desk().cameras.names_of_same(name)
    if before and before.camera in names - {BOX_CAMERA}:
        return None
    is_own = BOX_CAMERA in names and name != BOX_CAMERA  # the box's, by its name as a webcam
    is_turned = records().settings.read().camera_turned if is_own else None
    try:
        assignments.assign(
            table.id, name, choice.title, turned=is_turned, names=names, other=form().word("from")
        )
    except CameraHeldError as error:
        return CameraTaken(choice, error.holder)
    if is_own:
        assignments.assign("", BOX_CAMERA)
    return None


def camera_problem(table: ClubTable) -> str:
    """Return the problem of the camera over a table, in words; empty if it has none."""
    camera = camera_desk().camera_over(table.id)
    status = camera.status if camera else None
    if camera is None or status is None or status.state != "lost":
        return ""
    return describe_camera_fault(camera.title, status.sentence)


seating_pages = Blueprint("at", __name__)


@seating_pages.app_template_global()
def table_here() -> ClubTable | None:
    """Return the phone's table; None at none."""
    return room().table_here


@seating_pages.get("/tables/")
def choose() -> str:
    """Show the tables to choose from."""
    return render_template("club/choose.html", choices=table_choices())


@seating_pages.get("/at/<id:table>/")
def sit_down(table: str) -> AnyResponse:
    """Seat the phone at a table, or ask for the table's PIN."""
    club_table = room().tables.get(table)
    return (
        _seat_at(club_table)
        if may_sit(club_table)
        else _table_pin_page(club_table, "", HTTPStatus.FORBIDDEN)
    )


@seating_pages.post("/at/<id:table>/")
def enter(table: str) -> AnyResponse:
    """Seat the phone at a table if the player typed the right PIN."""
    club_table = room().tables.get(table)
    client = (
        f"table {table} {request.remote_addr}"  # the right PIN here must not reset another's count
    )
    refusal = refuse_wrong_pin(
        client,
        lambda: not club_table.pin or is_right_pin(club_table, read_typed_pin()),
        partial(_table_pin_page, club_table),
        wait=lambda minutes: say_count("club.pin.wait", minutes),
        wrong=say("pin.wrong"),
    )
    return refusal or _seat_at(club_table)


def _seat_at(table: ClubTable) -> AnyResponse:
    """Seat the phone and return a page that leads on to the table.

    It is not a redirect, for the same reason as with the box's PIN. The phone leaves the match of
    another table.
    """
    before = room().matches.current()
    if before and before.table != table.id:
        leave_match(before)
    return_url = url_for("home.index")
    return seat_phone(
        make_response(render_template("club/seated.html", table=table, back=return_url)), table
    )


def _table_pin_page(table: ClubTable, sentence: str, status: HTTPStatus) -> AnyResponse:
    page = render_template("club/pin.html", table=table, sentence=sentence)
    return make_response(page, status)
