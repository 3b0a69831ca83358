"""The evidence of a disputed score: the photo beside each line, tile, correction and what-if."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request

from device.hands.record import HandRecord, ways_to_win
from device.i18n.words import day_of, say
from device.views.hand_page import hand_view
from device.views.table.evidence import answer_what_if, evidence_lines, exhibits
from device.web.box import box
from device.web.fields import query
from device.web.name_gate import name_gate
from device.web.sheets import FAMILIES
from device.web.table.hand_in_match import at_table
from scorer.rulesets.builtin import load_builtin

pages = Blueprint("dispute", __name__, url_prefix="/hand/<id:hand>")


@pages.get("/dispute")
def show(hand: str) -> str:
    """Show how a hand was scored, with every tile and every line."""
    record = name_gate().hand(box().hands.get(hand))
    return render_template(
        "dispute.html",
        **_evidence(record),
        supposed=answer_what_if(record, request.args, query().place("tile", default=None)),
        asked=request.args,
        ways=[(w, say(f"how.{w}")) for w in ways_to_win() if w != record.situation.won_by],
        families=FAMILIES,
    )


@pages.get("/referee")
def referee(hand: str) -> str:
    """Show the same on one A4 page, for a referee without a phone at the table."""
    return render_template("referee.html", **_evidence(name_gate().hand(box().hands.get(hand))))


def _evidence(record: HandRecord) -> dict[str, Any]:
    view = hand_view(record, box().hands)
    lines = evidence_lines(record, view.score)
    return {
        "record": record,
        "view": view,
        "lines": lines,
        "tiles": exhibits(record, view, lines),
        "at_table": at_table(record),
        "rules": load_builtin(record.rules).title,
        "networks": ", ".join(f"{name} {start}" for name, start in record.models.items()),
        "version": box().machine.version_of("tongbox") or "?",
        "taken": f"{day_of(record.taken_at)}, {record.taken_at.astimezone():%H:%M}",
    }
