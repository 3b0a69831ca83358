"""Everything that can be printed, as PDF: table mat, label, score sheet, card, tile set.

PDFs are made one at a time, and each only once, because a PDF takes seconds. Requests for the same
PDF wait for it; requests for another one wait behind it. Each occupies a server thread, so only a
few may wait, and each phone for one PDF only. All others are told to ask again, which their
browsers do by themselves.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING

from flask import Blueprint, Flask, Response, abort, current_app, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import ENGLISH, language, load, say, use_words
from device.web.contexts import records, room
from device.web.errors import error_page
from device.web.fields import query
from device.web.name_gate import name_gate
from device.web.phone_access import box_addresses
from device.web.preferences import preferences, use_phone_words
from device.web.tutor.rules import rules_in_force
from scorer.teach.practice.exercises import parse_seed

if TYPE_CHECKING:
    from device.paper.result_files import Results

print_pages = Blueprint("print", __name__, url_prefix="/print")

MAX_SHEET_HANDS = 100
"""Hands on the score sheet: an evening's and more. `tongbox export --pdf` prints all hands. Here
a phone waits, 66 ms per hand on a busy PC."""


@print_pages.get("/mat-<any(a3, a4):paper>.pdf")
def mat(paper: str) -> Response:
    """Return the table mat."""
    from device.paper.labels import print_mat  # loads reportlab, which is seldom needed

    return _pdf_response(print_once(lambda: print_mat(paper)))


@print_pages.get("/label.pdf")
def label() -> Response:
    """Return the label for the box, with the address that this request used."""
    from device.paper.labels import print_labels

    addresses = box_addresses()
    return _pdf_response(print_once(lambda: print_labels(addresses), addresses))


@print_pages.get("/tables.pdf")
def tables() -> Response:
    """Return the QR codes of all tables, or of one, to put on them."""
    from device.paper.labels import TableCode, print_table_codes

    (way, *_) = box_addresses()
    table_id = query().word("table")
    club_tables = [room().tables.get(table_id)] if table_id else room().tables.list_tables()
    words = name_gate().for_everybody.words
    codes = tuple(
        TableCode(words(each.name), url_for("at.sit_down", table=each.id).lstrip("/"))
        for each in club_tables
    )
    return _pdf_response(print_once(lambda: print_table_codes(codes, way), codes, way))


@print_pages.get("/hands.pdf")
def hands() -> Response:
    """Return the score sheet of the newest hands."""
    from device.paper.results import print_hands

    newest_seq = records().store.newer(-1, 0)
    return _pdf_response(
        print_once(lambda: print_hands(records().hands, MAX_SHEET_HANDS), newest_seq)
    )


@print_pages.get("/exercises.pdf")
def exercises() -> Response:
    """Return ten hands to score, with answers: of one level, or from easy to hard."""
    from device.paper.exercises import print_exercises

    level, rules = query().word("level"), rules_in_force()
    seed = parse_seed(query().word("seed", "1"))
    sheet = print_once(lambda: print_exercises(level, seed, rules), level, seed, rules)
    return _pdf_response(sheet)


@print_pages.get("/tile-set.pdf")
def tile_set() -> AnyResponse:
    """Return the tiles of the set on the table, or lead to where they are registered."""
    from device.paper.tile_set import print_tile_set

    sets, on_table = records().sets, records().sets.chosen_set(room().table)
    if not sets.knows_tiles(on_table.id):
        return redirect(url_for("register.show"))
    title = name_gate().for_everybody.words(on_table.name) or say("paper.set")
    learnt_crops = tuple(sets.codes(on_table.id).items())
    sheet = print_once(
        lambda: print_tile_set(title, sets.show_tiles(on_table.id)), title, learnt_crops
    )
    return _pdf_response(sheet)


@print_pages.get("/card.pdf")
def card() -> Response:
    """Return the reference card for the rules in force."""
    from device.paper.card import print_card

    rules = rules_in_force()
    return _pdf_response(print_once(lambda: print_card(rules), rules))


def results_response(load: Callable[[], Results], form: str, name: str, table: int = 0) -> Response:
    """Return results as a file for the phone to keep; answer 404 for an unknown format.

    For a PDF or a workbook, `load` is called only if the print queue has not cached the file. A
    text is written anew, and has the table of the number `table`.
    """
    from device.paper.result_files import RESULT_TYPES  # takes long, and most pages print nothing

    if form not in RESULT_TYPES:
        abort(404)
    newest_seq = records().store.newer(-1, 0)
    if form == "pdf":
        data = print_once(lambda: load().print(), newest_seq)
    elif form == "xlsx":
        data = make_once(lambda: load().file(form), newest_seq)
    else:
        data = load().file(form, table)
    return attachment_response(data, RESULT_TYPES[form], f"tongbox-{name}.{form}")


def attachment_response(data: bytes, mimetype: str, name: str) -> Response:
    """Return a file for the phone to keep under a name."""
    response = Response(data, mimetype=mimetype)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


def _pdf_response(data: bytes) -> Response:
    response = Response(data, mimetype="application/pdf")
    name = "tongbox-" + request.path.rpartition("/")[2]
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


MAX_WAITING_REQUESTS = 8
"""Requests that wait for a PDF, including those for the one being made."""

PRINT_TIMEOUT_S = 60.0
"""Seconds. A Raspberry Pi makes the longest score sheet in half of this."""

RETRY_S = 5
"""Seconds after which a phone that was turned away asks again."""

MAX_CACHED_PAPERS = 16
"""PDFs kept in memory, each some hundred kilobytes."""


class PrintQueueBusyError(Exception):
    """Too many requests wait for a PDF already."""


class PrintQueue:
    """Makes PDFs one at a time and caches them. Safe to share between threads."""

    def __init__(
        self, max_cached: int = MAX_CACHED_PAPERS, max_waiting: int = MAX_WAITING_REQUESTS
    ) -> None:
        self._max_cached, self._max_waiting = max_cached, max_waiting
        self._cache: OrderedDict[Hashable, bytes] = OrderedDict()
        self.waiting_requests: list[tuple[str, Hashable]] = []
        self._lock = threading.Lock()
        self._at_work = threading.Lock()

    def get_or_make(self, key: Hashable, client: str, make: Callable[[], bytes]) -> bytes:
        """Return a PDF. `key` identifies everything that it shows. Raises PrintQueueBusyError."""
        with self._lock:
            if (paper := self._find_printed(key)) is not None:
                return paper
            has_other_request = any(
                who == client and which != key for who, which in self.waiting_requests
            )
            if has_other_request or len(self.waiting_requests) >= self._max_waiting:
                raise PrintQueueBusyError
            self.waiting_requests.append((client, key))
        try:
            return self._in_turn(key, make)
        finally:
            with self._lock:
                self.waiting_requests.remove((client, key))

    def _in_turn(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        if not self._at_work.acquire(timeout=PRINT_TIMEOUT_S):
            raise PrintQueueBusyError
        try:
            with self._lock:
                paper = self._find_printed(key)
            if paper is None:
                paper = make()
                with self._lock:
                    self._cache[key] = paper
                    if len(self._cache) > self._max_cached:
                        self._cache.popitem(last=False)
            return paper
        finally:
            self._at_work.release()

    def _find_printed(self, key: Hashable) -> bytes | None:
        if key in self._cache:
            self._cache.move_to_end(key)
        return self._cache.get(key)


def init_printing(app: Flask) -> None:
    """Create the print queue, and answer its error with a page."""
    app.extensions["tongbox-press"] = PrintQueue()

    @app.errorhandler(PrintQueueBusyError)
    def busy(_: PrintQueueBusyError) -> tuple[str, int, dict[str, str]]:
        page, status = error_page(say("error.printing"), 503)
        return page, status, {"Retry-After": str(RETRY_S), "Refresh": str(RETRY_S)}


def make_once(make: Callable[[], bytes], *shows: Hashable) -> bytes:
    """Return the file of this address, in the phone's language. `shows` identifies its content."""
    press: PrintQueue = current_app.extensions["tongbox-press"]
    key = (request.path, preferences(), *shows)
    return press.get_or_make(key, request.remote_addr or "", make)


def print_once(make: Callable[[], bytes], *shows: Hashable) -> bytes:
    """Return the PDF of this address, in English if no font has the phone's language."""
    if not _has_letters(language()):
        use_words(ENGLISH)
    try:
        return make_once(make, *shows)
    finally:
        use_phone_words()


@print_pages.app_template_global()
def paper_warnings(texts: Iterable[str]) -> list[str]:
    """Return sentences on what paper cannot show: the phone's language, and which of the texts."""
    from device.paper.letters import find_lost

    lost_characters = find_lost(filter(None, texts))
    warnings = [] if _has_letters(language()) else [say("paper.no-font")]
    if lost_characters:
        forms = (
            say("paper.lost-name", name=name, printed=form)
            for name, form in lost_characters.items()
        )
        warnings.append(say("paper.lost", names=say("paper.lost-and").join(forms)))
    return warnings


def _has_letters(language: str) -> bool:
    """Return whether a language's letters can be printed, going by the words on all papers."""
    from device.paper.letters import find_lost

    return not find_lost(text for key, text in load(language).items() if key.startswith("paper."))
