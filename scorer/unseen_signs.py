r"""Signs in words from outside that nobody sees: they turn words around, or no XML holds them.

Whatever comes from a form, a file, a code or a backup goes through these functions. Names are
tidied further (`device.i18n.names`).

>>> remove_unseen("Ann\u202e\x01 Lee\n"), find_unseen("Ann\u202e")
('Ann Lee\n', 'U+202E')
"""

from __future__ import annotations

import re
from typing import Any

_UNSEEN_SIGNS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control signs but for tabs and line ends
    "\u2028\u2029\u202a-\u202e\u2066-\u2069"  # line ends of other kinds, and turns of direction
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # halves of letters, and what is no letter
    + "".join(
        chr(plane + 0xFFFE) + chr(plane + 0xFFFF) for plane in range(2**16, 17 * 2**16, 2**16)
    )
    + "]"
)
"""What XML forbids, what makes words read otherwise than they are kept, and nothing of a script."""

_MARKS = re.compile("[\u061c\u200b\u200e\u200f\u2060\ufeff]")
"""Marks without width that chats and editors put in: they change nothing that is seen."""

_JSON_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|.)", re.DOTALL)


def find_unseen(text: str) -> str:
    """Return the first such sign as `U+202E`; empty for none."""
    match = _UNSEEN_SIGNS.search(text)
    return f"U+{ord(match[0]):04X}" if match else ""


def remove_unseen(text: str) -> str:
    """Return a text without such signs."""
    return _UNSEEN_SIGNS.sub("", text)


def remove_marks(text: str) -> str:
    """Return a text without the marks that change nothing."""
    return _MARKS.sub("", text)


def remove_unseen_values(value: Any) -> Any:  # noqa: ANN401 - what TOML holds
    """Return values that were read from a file, lists and tables included, without such signs."""
    if isinstance(value, str):
        return remove_unseen(value)
    if isinstance(value, list):
        return [remove_unseen_values(each) for each in value]
    if isinstance(value, dict):
        return {key: remove_unseen_values(each) for key, each in value.items()}
    return value


def remove_unseen_json(text: str) -> str:
    r"""Return JSON whose words have no such signs, written out or as `\u202e`.

    >>> print(remove_unseen_json(r'{"name": "A\u202en\\u202en"}'))
    {"name": "An\\u202en"}
    """
    if not text.isascii() or "\x7f" in text:
        text = _UNSEEN_SIGNS.sub("", text)
    return _JSON_ESCAPE.sub(_keep_seen, text) if "\\u" in text else text


def _keep_seen(escape: re.Match[str]) -> str:
    is_letter = not escape[1] or 0xD800 <= int(escape[1], 16) < 0xE000  # half of one, maybe
    return escape[0] if is_letter or not _UNSEEN_SIGNS.match(chr(int(escape[1], 16))) else ""
