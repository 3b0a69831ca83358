"""Whether all who say that something is damaged say the same: pages, `/health`, the doctor.

What a page tells is found by the sentence that players read, what the others tell by the number of
the entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from flask.testing import FlaskClient

from device.doctor import Machine
from device.doctor.log_checks import MAX_TORN_SHOWN, check_log, check_photographs
from device.i18n.words import say
from device.views.box_health import finding_view
from tests.device.page import Page

FIRST, HEALTH = "/first/", "/health"

Entry = tuple[int, str]
"""Number and kind of an entry of the log."""


def damages_on_page(page: str, entries: Iterable[Entry]) -> set[int]:
    """Return the numbers of the entries that a page says make no sense."""
    text = Page(page).text
    return {seq for seq, kind in entries if say("error.torn", number=seq, kind=kind) in text}


def disagreements(
    phone: FlaskClient, folder: Path, pages: Mapping[str, str], entries: Iterable[Entry]
) -> Iterator[str]:
    """Yield where those who say what is damaged say something else than the pages shown."""
    entries = tuple(entries)
    on_pages = set[int]().union(*(damages_on_page(page, entries) for page in pages.values()))
    health = phone.get(HEALTH).get_json()
    reasons = health.get("reasons", [])
    in_health = {seq for seq, _ in entries if any(f"entry {seq} (" in each for each in reasons)}
    first = phone.get(FIRST).text
    on_first = damages_on_page(first, entries)
    missing_photos = check_photographs(Machine(folder))
    are_lost = "missing photographs" in health["troubles"]
    is_salvaged = "log salvaged" in health["troubles"]
    doctor = finding_view(check_log(Machine(folder)))
    pattern = r"\b{} \([^()]*, {}\)"
    in_doctor = {entry[0] for entry in entries if re.search(pattern.format(*entry), doctor.says)}
    if (health["status"] == "ok") != (not in_health and not are_lost and not is_salvaged):
        yield f"{json.dumps(health)} with {in_health}"
    if are_lost != (missing_photos.level == "warning") or are_lost != (
        finding_view(missing_photos).says in first
    ):
        yield f"of photographs, /health says {reasons}, the doctor {missing_photos}"
    if missing := on_pages - in_health:
        yield f"/health does not name {missing}: {json.dumps(health)}"
    if on_first != in_health:
        yield f"the first page names {on_first}, /health {in_health}"
    if is_salvaged != (say("salvaged.title") in Page(first).text):
        yield f"/health says {reasons}, the first page {Page(first).text}"
    if is_salvaged and not in_health and doctor.state != "salvaged":
        yield f"/health says {reasons}, the doctor {doctor}"
    if not in_doctor <= in_health or len(in_doctor) < min(MAX_TORN_SHOWN, len(in_health)):
        yield f"the doctor names {in_doctor}, /health {in_health}"
    if bool(in_doctor) != (doctor.level == "problem"):
        yield f"the doctor finds {doctor}"
