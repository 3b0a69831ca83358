"""Download a backup of the box; restore one: upload it, look at it, put it in place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from itertools import chain

from flask import Blueprint, Response, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.backups import BackupContents, NothingToRestoreError, RestoreDesk
from device.host.piece_upload import UploadOutOfStepError
from device.i18n.words import join_sentences, moment_of, say, say_count
from device.store import StoreError
from device.store.backup import BackupRefusedError, stream_backup
from device.store.errors import WRITE_REFUSED_ERRORS
from device.store.events import BackupRestored
from device.web.contexts import records, room, upkeep
from device.web.errors import error_page
from device.web.fields import form
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.uploads import PIECE_BYTES, PieceAnswer, answer_out_of_step, receive_piece

pages = Blueprint("backup", __name__, url_prefix="/backup")

MAX_SIZE_SENT = 2**45
"""A larger number is no size of a file."""

RESTORE_NOTICE_TIME = timedelta(hours=1)
"""How long all phones are told that a backup took the place of what they showed."""

_BUSY_STATUS, _REFUSED_STATUS, _FORBIDDEN_STATUS = 503, 422, 403


@pages.app_template_global()
def restore_notice() -> str:
    """Return the sentence that a backup was just restored; empty where none was."""
    desk = upkeep().restores
    restored_at = desk.restored_at if desk else None
    if restored_at is None or upkeep().machine.current_time() - restored_at > RESTORE_NOTICE_TIME:
        return ""
    return say("backup.notice", time=f"{restored_at.astimezone():%H:%M}")


@pages.get("/")
def show() -> str:
    """Show how to download and restore, or the backup that waits to be restored."""
    desk = upkeep().restores
    pending_backup = desk.waiting_backup if desk else None
    own_last = desk.last_change if desk else None
    restoration = records().store.latest(BackupRestored)
    return render_template(
        "settings/backup.html",
        desk=desk,
        waiting=describe_contents(pending_backup, own_last) if pending_backup else (),
        set_aside=[
            (each.name, describe_contents(each.contents, own_last))
            for each in (desk.set_aside if desk else ())
        ],
        is_match_on=bool(room().matches.running_tables()),
        restored=say("backup.done", day=moment_of(restoration.at)) if restoration else "",
        piece=PIECE_BYTES,
        names_hidden=_is_refused(),
    )


@pages.get("/tongbox.tar")
def download() -> Response | tuple[str, int]:
    """Send everything on the box as one file, while play goes on."""
    if _is_refused():
        return _refuse_backup()
    return _send_backup(stream_backup(records().store))


@pages.get("/set-aside/<name>.tar")
def download_set_aside(name: str) -> Response | tuple[str, int]:
    """Send what a restore has set aside."""
    desk = require_desk()
    try:
        if _is_refused() or (not name_gate().knows_all and desk.has_hidden_names(name)):
            return _refuse_backup()
        return _send_backup(desk.stream(name))
    except NothingToRestoreError:
        abort(404)


@pages.post("/begin")
def begin() -> PieceAnswer:
    """Begin to receive a file of this size; answer with the token for its pieces."""
    size = form().place("size", MAX_SIZE_SENT)
    if not size:
        return {"words": say("backup.refused.foreign")}, _REFUSED_STATUS
    if not require_desk().has_room(size):
        return {"words": say("backup.refused.too-large")}, _REFUSED_STATUS
    return {"token": require_desk().begin(size)}, 200


@pages.post("/piece")
def piece() -> PieceAnswer:
    """Receive the next piece; answer with the bytes received so far."""
    return receive_piece(require_desk().take, MAX_SIZE_SENT)


@pages.post("/finish")
def finish() -> PieceAnswer:
    """Check the complete file; answer with what is wrong if it cannot be restored."""
    try:
        require_desk().finish(form().word("token"))
    except UploadOutOfStepError as error:
        return answer_out_of_step(error)
    except WRITE_REFUSED_ERRORS:
        raise
    except StoreError as error:
        reason = error.reason if isinstance(error, BackupRefusedError) else "other"
        return {"words": say(f"backup.refused.{reason}")}, _REFUSED_STATUS
    return {}, 200


@pages.post("/restore")
def restore() -> AnyResponse:
    """Put the checked backup in place and restart. If two phones ask, both see that."""
    with suppress(NothingToRestoreError):
        require_desk().restore()
    return redirect_to("backup.show")


@pages.post("/drop")
def drop() -> AnyResponse:
    """Discard the checked backup."""
    require_desk().drop()
    return redirect_to("backup.show")


@pages.post("/set-aside/<name>/bring-back")
def bring_back(name: str) -> AnyResponse:
    """Put back what a restore has set aside, and restart."""
    with suppress(NothingToRestoreError):
        require_desk().bring_back(name)
    return redirect_to("backup.show")


@pages.post("/set-aside/<name>/delete")
def delete(name: str) -> AnyResponse:
    """Delete what a restore has set aside."""
    with suppress(NothingToRestoreError):
        require_desk().delete(name)
    return redirect_to("backup.show")


def require_desk() -> RestoreDesk:
    """Return what restores backups. Answer 404 where a database is shared."""
    desk = upkeep().restores
    if desk is None:
        abort(404)
    return desk


def describe_contents(contents: BackupContents, own_last: datetime | None) -> tuple[str, ...]:
    """Return in sentences what is in a backup; `own_last` is when the box itself last changed."""
    counts = say(
        "backup.counts",
        matches=say_count("backup.matches", contents.matches),
        hands=say_count("backup.hands", contents.hands),
        photographs=say_count("backup.photographs", contents.photographs),
    )
    last = _describe_last_change(contents.last, own_last) if contents.last else ""
    torn_sentence = say_count("backup.torn", contents.torn_count) if contents.torn_count else ""
    return tuple(filter(None, (counts, last, torn_sentence)))


def _describe_last_change(last: datetime, own_last: datetime | None) -> str:
    """Return when the last change was, and whether the box itself has a newer one."""
    says = say("backup.last", day=moment_of(last))
    if own_last is None:
        return says
    age = "newer" if last > own_last else "older" if last < own_last else "same"
    return join_sentences((says, say(f"backup.{age}", day=moment_of(own_last))))


def _send_backup(pieces: Iterator[bytes]) -> Response | tuple[str, int]:
    """Send a backup under the name of the day; to one phone at a time that reads it."""
    download = upkeep().backup_downloads.begin()
    if download is None:
        return error_page(say("backup.busy"), _BUSY_STATUS)
    with ExitStack() as endings:
        endings.callback(download.end)
        first = next(pieces)  # what is wrong with the store is said on a page
        stream = download.watch(chain((first,), pieces))
        response = Response(stream, mimetype="application/x-tar")
        response.call_on_close(endings.pop_all().close)
    day = f"{upkeep().machine.current_time().astimezone():%Y-%m-%d}"
    response.headers.set("Content-Disposition", "attachment", filename=f"tongbox-{day}.tar")
    return response


def _is_refused() -> bool:
    """Whether the box has names that the phone may not see: it is no organiser's."""
    gate = name_gate()
    return bool(gate.for_everybody.hidden) and not gate.knows_all


def _refuse_backup() -> tuple[str, int]:
    return error_page(say("backup.names-hidden"), _FORBIDDEN_STATUS)
