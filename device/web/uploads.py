"""A photograph as a phone sends it."""

from __future__ import annotations

from flask import request

from scorer.message import message
from vision.errors import PhotoError


def uploaded() -> tuple[str, bytes]:
    """Return the name and the bytes of the photograph sent; raise PhotoError without one."""
    # The form has two file inputs of one name, camera and album; one of them is empty.
    chosen = [file for file in request.files.getlist("photo") if file.filename]
    if not chosen:
        raise PhotoError("no-photo", message("error.no-photo"))
    return chosen[0].filename or "", chosen[0].read()
