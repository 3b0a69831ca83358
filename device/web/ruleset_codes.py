"""A custom ruleset as a QR code: show it on a phone, and look at one that was scanned."""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus

import segno
from flask import Blueprint, render_template

from device.host.page_links import DEFAULT_NAME
from device.host.qr_codes import make_qr_code
from device.i18n.words import say, spoken
from device.views.custom_rules import changed_rows
from device.web.contexts import records
from device.web.custom_rules import describe_version
from device.web.name_gate import name_gate
from device.web.phone_access import box_addresses, draw_qr_code
from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.message import to_english
from scorer.rulesets.custom import read_new_ruleset
from scorer.rulesets.link_code import NoCodeError, read_link_code, write_link_code
from scorer.rulesets.reader import RulesetError

pages = Blueprint("ruleset_codes", __name__)

DEFAULT_PAGE = f"http://{DEFAULT_NAME}/"
"""The first page of a box as the installer sets it up."""

MAX_CODE_MODULES = 77
"""Width of the largest QR code that is shown, version 15 with the least correction of errors.

OpenCV reads it in 47 of 48 photographs of 500 and 800 pixels, blurred and tilted by up to 22
degrees; 89 modules it reads in 41, 97 in 35.
"""

_INVALID_STATUS = 422


@pages.get("/settings/rules/<id:ruleset>/code")
def show(ruleset: str) -> str:
    """Show the code of a ruleset, or that it does not fit into one."""
    custom = name_gate().ruleset(records().rulesets.get(ruleset))
    address = find_code_address(custom.newest.text, code_page())
    title = say("rules-code.title", title=custom.title)
    return render_template(
        "settings/ruleset_code.html",
        custom=custom,
        title=title,
        code=draw_qr_code(address, title, error="l") if address else "",
    )


def code_page() -> str:
    """Return the first page that codes lead to: by the name that any box has, if this one has it.

    Where the box serves at another port or under no such name, it is the box's own address.
    """
    link, *_ = box_addresses()
    return link.name if link.name == DEFAULT_PAGE else link.address


@lru_cache(maxsize=MAX_CACHED_TABLES)
def find_code_address(text: str, page: str = DEFAULT_PAGE) -> str:
    """Return the address in the code of a ruleset's file; empty where it does not fit.

    Capital letters are packed closest, and mean the same.
    """
    try:
        address = f"{page.upper()}R/{write_link_code(text)}"
        width, _ = make_qr_code(address, error="l", boost_error=False).symbol_size(border=0)
    except (NoCodeError, segno.DataOverflowError):
        return ""
    return address if width <= MAX_CODE_MODULES else ""


@pages.get("/R/<code>")
def scanned(code: str) -> str | tuple[str, int]:
    """Show the rules in a code, with the button that takes them, or every fault in them."""
    try:
        linked = read_link_code(code)
        rules = read_new_ruleset(linked.text)
    except RulesetError as failure:
        faults = [spoken(each.message) for each in failure.problems]
        return render_template("settings/ruleset_scanned.html", faults=faults), _INVALID_STATUS
    return render_template(
        "settings/ruleset_scanned.html",
        title=to_english(rules.title),
        says=describe_version(rules),
        is_exact=linked.is_exact,
        changes=changed_rows(linked.text, rules.name),
        text=linked.text,
    ), HTTPStatus.OK
