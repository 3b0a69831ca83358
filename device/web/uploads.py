"""Receive what phones upload: large files in pieces, and photographs. Ask about a bad photograph.

A script sends a large file in pieces (`device.host.piece_upload`). A photograph comes in one
request; in its place, a sample may be chosen.

The question about a bad photograph waits in the log until somebody answers it, on any phone,
however long that takes: take it again, or read it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.host.piece_upload import UploadOutOfStepError
from device.i18n.words import say
from device.intake import IncomingPhoto, RetakenPhoto, RetakenTablePhoto
from device.job_handlers import JobKind
from device.matches.match import Match
from device.matches.table_photo import TablePhoto, TablePhotos
from device.samples import Sample
from device.store.events import PhotoAccepted, TableAccepted
from device.web.contexts import photo_desk, records
from device.web.fields import form
from device.web.links import hand_url, redirect_to
from device.web.table.current_match import acting_player, current_match, phone_player
from scorer.message import message
from vision.errors import PhotoError

PIECE_BYTES = 8 * 2**20
"""Bytes in one request, few enough to send again soon after weak Wi-Fi breaks off."""

PieceAnswer = tuple[dict[str, object], int]
"""JSON and status."""


def receive_piece(take: Callable[[str, int, bytes], int], max_file_bytes: int) -> PieceAnswer:
    """Pass the next piece on to `take`; answer with the bytes received so far."""
    file = request.files.get("piece")
    data = b"" if file is None else file.read()
    try:
        have = take(form().word("token"), form().place("at", max_file_bytes), data)
    except UploadOutOfStepError as error:
        return answer_out_of_step(error)
    return {"have": have}, 200


def answer_out_of_step(error: UploadOutOfStepError) -> PieceAnswer:
    """Answer with the position to continue from, or that another phone has begun since."""
    if error.have is None:
        return {"words": say("update.another")}, 409
    return {"have": error.have}, 409


def read_upload() -> IncomingPhoto:
    """Return the uploaded photograph. Raise PhotoError without one."""
    # The form has two file inputs with the same name, camera and album; one of them is empty.
    files = [file for file in request.files.getlist("photo") if file.filename]
    if not files:
        raise PhotoError("no-photo", message("error.no-photo"))
    return IncomingPhoto(files[0].filename or "", files[0].read, by_phone=True)


def read_upload_or_sample() -> IncomingPhoto:
    """Return the uploaded photograph or the chosen sample. Raise PhotoError without either."""
    if "sample" not in form():
        return read_upload()
    sample = find_sample(form().word("sample"))
    return IncomingPhoto(sample.path.name, sample.path.read_bytes)


def find_sample(name: str) -> Sample:
    """Return the sample of that name. Answer 404 if there is none."""
    samples = {sample.name: sample for sample in photo_desk().samples}
    if name not in samples:
        abort(404)
    return samples[name]


doubted_pages = Blueprint("doubted", __name__)


def ask_about_hand(
    record: HandRecord, link_fields: Mapping[str, Any] = MappingProxyType({})
) -> str:
    """Return the page that asks about the newest photograph of a hand.

    `link_fields` is what the answer's address must carry on; see `opened_from`.
    """
    hand = record.id
    picture = url_for("hand.photo", hand=hand)
    if record.awaited_photo:
        picture = url_for("hand.added_photo", hand=hand, number=record.processed_photo_count)
    return render_template(
        "doubted.html",
        why=record.doubts,
        photo=record.newest_photo,
        picture=picture,
        retake=url_for("doubted.retake", hand=hand, **link_fields),
        accept=url_for("doubted.accept", hand=hand, **link_fields),
        whose=record.player,
    )


def ask_about_table_photo(table: TablePhoto) -> str:
    """Return the page that asks about a photograph of the whole table."""
    return render_template(
        "doubted.html",
        why=table.doubts,
        photo=table.photo,
        picture=url_for("whole.picture", photo=table.id),
        retake=url_for("doubted.retake_table", photo=table.id, match=table.match),
        accept=url_for("doubted.accept_table", photo=table.id, match=table.match),
        whose="",
    )


@doubted_pages.post("/hand/<id:hand>/retaken")
def retake(hand: str) -> AnyResponse:
    """Receive a photograph that replaces the one in question."""
    photo_desk().intake.take(read_upload, RetakenPhoto(_job_kind(hand), hand, acting_player(hand)))
    return redirect(hand_url(hand), 303)


@doubted_pages.post("/hand/<id:hand>/as-it-is")
def accept(hand: str) -> AnyResponse:
    """Read the photograph as it is."""
    photo_desk().jobs.check_room()
    records().hands.change(hand, PhotoAccepted(by=acting_player(hand)))
    photo_desk().jobs.submit(_job_kind(hand), hand)
    return redirect(hand_url(hand), 303)


@doubted_pages.post("/table/whole/<id:photo>/retaken")
def retake_table(photo: str) -> AnyResponse:
    """Receive a photograph of the whole table that replaces the one in question."""
    match = _match_of_photo(photo)
    photo_desk().intake.take(read_upload, RetakenTablePhoto(match, photo, phone_player(match)))
    return redirect_to("whole.show", photo=photo)


@doubted_pages.post("/table/whole/<id:photo>/as-it-is")
def accept_table(photo: str) -> AnyResponse:
    """Read the photograph of the whole table as it is."""
    match = _match_of_photo(photo)
    photo_desk().jobs.check_room()
    TablePhotos(records().hands).change(photo, TableAccepted(by=phone_player(match)))
    photo_desk().jobs.submit("whole-table", photo)
    return redirect_to("whole.show", photo=photo)


def _job_kind(hand: str) -> JobKind:
    """Return the kind of job that reads the photograph in question."""
    return "added-photo" if records().hands.get(hand).awaited_photo else "hand"


def _match_of_photo(photo: str) -> Match:
    """Return the match that is being played. Answer 404 if the photograph is of another."""
    match = current_match()
    if TablePhotos(records().hands).get(photo).match != match.id:
        abort(404)
    return match
