"""A match as a whole: its history and score sheets, its end, and the next match.

Ending a match is asked first. Then every phone shows the final table, and what may follow.
"""

from __future__ import annotations

import io

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.export import write_csv, write_json
from device.i18n.words import day_of
from device.matches.corrections import find_recounts
from device.matches.match import Match
from device.matches.repository import MATCHES_PER_PAGE
from device.matches.score_sheet import MatchRow, MatchRowAtTable, match_rows, match_sheet
from device.store import TornEventError
from device.views.box_health import torn_line
from device.views.table.history import (
    describe_rules,
    history_entries,
    history_part,
    last_done,
    last_undone,
    match_line,
)
from device.web.box import box
from device.web.fields import MOST_SEQ, form, query
from device.web.name_gate import name_gate
from device.web.press import printed
from device.web.table.here import match_here, me

pages = Blueprint("history", __name__)


@pages.get("/table/history")
def here() -> AnyResponse:
    """Redirect to the history of the current match."""
    return redirect(url_for("history.show", match=match_here().id))


@pages.get("/match/<id:match>/")
def show(match: str) -> str:
    """Show the newest part of a match's history, or an earlier part up to an entry."""
    whole, torn = _so_far(match)
    found = name_gate().match(whole)
    part = history_part(found, query().place("until", default=0))
    sheet = match_sheet(found, part.numbers)
    otherwise = find_recounts(found, part.numbers, box().hands)
    running = box().matches.current()
    is_on = running is not None and running.id == match
    return render_template(
        "table/history.html",
        match=found,
        is_on=is_on,
        sheet=sheet,
        day=day_of(sheet.begun) if sheet.begun else "",
        rules=describe_rules(found),
        table=box().tables.find_even_cleared(found.table),
        entries=history_entries(found, sheet.entries, otherwise, box().hands),
        part=part,
        standing=sorted(sheet.totals.items(), key=lambda pair: -pair[1]),
        done=last_done(found) if is_on else None,
        undone=last_undone(found) if is_on else None,
        torn=torn_line(torn) if torn else None,
    )


@pages.post("/match/<id:match>/undo")
def undo(match: str) -> AnyResponse:
    """Undo the last change, whatever it was."""
    box().matches.undo(match, form().seq(default=-1), by=_by(match))
    return redirect(url_for("history.show", match=match), 303)


@pages.post("/match/<id:match>/redo")
def redo(match: str) -> AnyResponse:
    """Redo the change that was undone last."""
    box().matches.redo(match, form().seq(default=-1), by=_by(match))
    return redirect(url_for("history.show", match=match), 303)


def _by(match: str) -> str:
    """Return the player whose phone asks. Answer 404 if this is not the current match."""
    running = match_here()
    if running.id != match:
        abort(404)
    return me(running)


@pages.get("/matches")
def every() -> str:
    """List all matches, the newest first, in parts."""
    skip = query().place("skip", MOST_SEQ, default=0)
    found, names, gate = box().matches.listed(skip), box().tables.names(), name_gate()
    return render_template(
        "table/matches.html",
        matches=[match_line(gate.summary(match), names) for match in found.matches],
        torn=[torn_line(each) for each in found.torn],
        earlier=skip + MATCHES_PER_PAGE if found.more else None,
        later=max(skip - MATCHES_PER_PAGE, 0) if skip else None,
    )


@pages.get("/match/<id:match>/score-sheet.<kind>")
def sheet(match: str, kind: str) -> Response:
    """Return a match as CSV, as JSON with one object per line, or as PDF."""
    found = name_gate().for_everybody.match(_so_far(match)[0])
    table = box().tables.name_on_sheets(found.table)
    if kind == "pdf":
        from device.paper.score_sheets import print_match  # loads reportlab

        data = printed(lambda: print_match(found, table), box().hands.store.newer(-1, 0))
        return _attached(data, "application/pdf", f"tongbox-{match}.pdf")
    if kind not in _WRITERS:
        abort(404)
    mimetype, write = _WRITERS[kind]
    out = io.StringIO()
    rows = match_rows(match_sheet(found), table)
    columns = MatchRowAtTable if table else MatchRow
    write(out, rows, columns) if write is write_csv else write_json(out, rows)
    return _attached(out.getvalue().encode(), mimetype, f"tongbox-{match}.{kind}")


def _so_far(match: str) -> tuple[Match, TornEventError | None]:
    """Return a match up to its first damaged event, and the error of that event."""
    found = box().matches.so_far(match)
    return found.record or box().matches.get(match), found.torn


def _attached(data: bytes, mimetype: str, name: str) -> Response:
    response = Response(data, mimetype=mimetype)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


_WRITERS = {"csv": ("text/csv", write_csv), "jsonl": ("application/x-ndjson", write_json)}
