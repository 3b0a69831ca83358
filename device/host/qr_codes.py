"""QR codes that every phone reads."""

from __future__ import annotations

import segno


def make_qr_code(text: str, error: str = "m", *, boost_error: bool = True) -> segno.QRCode:
    """Return the QR code of a text; raise segno.DataOverflowError if no code is large enough.

    `error` is the least share of it that may be unreadable: `l` for 7 %, `m` for 15 %; with
    `boost_error` it is more where the code stays as small. A short text never becomes a Micro QR
    code, which phones do not read. Text beyond ASCII is written as UTF-8: segno would write 東 in
    Shift-JIS and ½ in Latin-1, and readers take the one for the other (findings/qr_texts.sh).
    """
    encoding = None if text.isascii() else "utf-8"
    return segno.make_qr(text, error=error, boost_error=boost_error, encoding=encoding)
