"""Bodies of the forms that a phone sends, each with its content type; standard library alone."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

BOUNDARY = "tongbox-test"

FORM_TYPE = "application/x-www-form-urlencoded"

Body = tuple[bytes, str]
"""The bytes of a request, and its Content-Type."""

NO_BODY: Body = (b"", "")


def encode_form(fields: Mapping[str, object]) -> Body:
    """Encode the fields of a form; a value that is a list is sent several times."""
    return urlencode(fields, doseq=True).encode(), FORM_TYPE


def encode_upload(
    data: bytes,
    fields: Mapping[str, object] | None = None,
    field: str = "photo",
    filename: str = "hand.jpg",
) -> Body:
    """Encode a file after the other fields of its form."""
    parts = [(f'name="{name}"', str(value).encode()) for name, value in (fields or {}).items()]
    parts.append((f'name="{field}"; filename="{filename}"', data))
    body = b"".join(
        f"--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + value + b"\r\n"
        for head, value in parts
    )
    return body + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}"
