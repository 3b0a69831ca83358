"""Keep short words with a hyphen on one line: `Mah-Jong`, `Wi-Fi`, `a-t-il`; begin none with a dot.

Browsers break a line behind a hyphen, and CSS can only forbid all breaks of an element. So in the
text of a page the hyphen of these words is U+2011, which looks the same and never breaks. The space
before a dot between two things is U+00A0: a line breaks behind it. Values of fields, code and
attributes stay as they are.
"""

from __future__ import annotations

import re
from functools import cache

from flask import Flask, Response

from device.i18n.words import language

NON_BREAKING_HYPHEN = "\N{NON-BREAKING HYPHEN}"

_IN_TEXT = r"(?=[^<>]*<(?!/(?:textarea|option|code|script|style|title)\b))"
"""Behind a hyphen in the text that players read, the next sign of a tag opens one."""

_HYPHENS = r"(?<=\b[Mm]ah)-(?=[Jj]ong\b)|(?<=\bWi)-(?=Fi\b)"

_DOT = re.compile(rf"(?<!\s)\s+·(?=\s){_IN_TEXT}")

_HYPHENS_BY_LANGUAGE = {
    "fr": r"(?<=\w)-(?=(?:t|ce|ci|elles?|en|ils?|je|la|les?|leur|lui|là|moi|nous|on|vous|y)\b)"
}


@cache
def _pattern(tag: str) -> re.Pattern[str]:
    own_hyphens = _HYPHENS_BY_LANGUAGE.get(tag)
    return re.compile(f"(?:{'|'.join(filter(None, (_HYPHENS, own_hyphens)))}){_IN_TEXT}")


def keep_whole(html: str, tag: str) -> str:
    """Return a page in a language whose lines break neither in these words nor before a dot."""
    return _DOT.sub("\N{NO-BREAK SPACE}·", _pattern(tag).sub(NON_BREAKING_HYPHEN, html))


def init_app(app: Flask) -> None:
    """Let every page have its words whole."""

    @app.after_request
    def keep_words_whole(response: Response) -> Response:
        if response.mimetype == "text/html" and not response.is_streamed:
            response.set_data(keep_whole(response.get_data(as_text=True), language()))
        return response
