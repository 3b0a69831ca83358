"""Receive photographs from phones, or samples, and ask about a bad one.

The question about a bad photograph waits in the log until somebody answers it, on any phone,
however long that takes: take it again, or read it as it is.
"""

from __future__ import annotations

from flask import abort, request

from device.intake import IncomingPhoto
from device.samples import Sample
from device.web.box import box
from device.web.fields import form
from scorer.message import message
from vision.errors import PhotoError


def uploaded() -> IncomingPhoto:
    """Return the uploaded photograph. Raise PhotoError without one."""
    # The form has two file inputs with the same name, camera and album; one of them is empty.
    chosen = [file for file in request.files.getlist("photo") if file.filename]
    if not chosen:
        raise PhotoError("no-photo", message("error.no-photo"))
    return IncomingPhoto(chosen[0].filename or "", chosen[0].read, by_phone=True)


def uploaded_or_sample() -> IncomingPhoto:
    """Return the uploaded photograph or the chosen sample. Raise PhotoError without either."""
    if "sample" not in form():
        return uploaded()
    sample = find_sample(form().word("sample"))
    return IncomingPhoto(sample.path.name, sample.path.read_bytes)


def find_sample(name: str) -> Sample:
    """Return the sample of that name. Answer 404 if there is none."""
    named = {sample.name: sample for sample in box().samples}
    if name not in named:
        abort(404)
    return named[name]
