"""Answer the script that sends a large file in pieces (`device.host.piece_upload`)."""

from __future__ import annotations

from collections.abc import Callable

from flask import request

from device.host.piece_upload import UploadOutOfStepError
from device.i18n.words import say
from device.web.fields import form

PIECE_BYTES = 8 * 2**20
"""Bytes in one request, few enough to send again soon after weak Wi-Fi breaks off."""

PieceAnswer = tuple[dict[str, object], int]
"""JSON and status."""


def receive_piece(take: Callable[[str, int, bytes], int], max_file_bytes: int) -> PieceAnswer:
    """Pass the next piece on to `take`; answer with the bytes received so far."""
    file = request.files.get("piece")
    sent = b"" if file is None else file.read()
    try:
        have = take(form().word("token"), form().place("at", max_file_bytes), sent)
    except UploadOutOfStepError as error:
        return answer_out_of_step(error)
    return {"have": have}, 200


def answer_out_of_step(error: UploadOutOfStepError) -> PieceAnswer:
    """Answer with the position to continue from, or that another phone has begun since."""
    if error.have is None:
        return {"words": say("update.another")}, 409
    return {"have": error.have}, 409
