"""The evidence of a score in dispute, suppositions about it, claims, and putting it right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord, ways_to_win
from device.hands.repository import ChangeRefusedError
from device.i18n.words import moment_of, ruleset_title, say, say_limit, wind_name
from device.matches.corrections import apply_correction, plan_hand_correction
from device.matches.match import Match
from device.matches.repository import OvertakenError
from device.matches.seats import preview_row, scores_by_player, seat_hands
from device.store.events import ContextSet, DealCorrected, WinnerEntered
from device.views.hand_page import hand_view
from device.views.table.claims import CLAIM_GROUPS, answer_claim, list_claims
from device.views.table.correction_changes import DealChange, describe_deal_change
from device.views.table.evidence import evidence_lines, exhibits
from device.views.table.history import find_part
from device.views.table.suppositions import (
    MAX_SUPPOSITION_CHARS,
    MAX_SUPPOSITIONS,
    SupposedScore,
    Supposition,
    compare_scores,
    read_suppositions,
    suppose_options,
    supposed_change,
    supposed_sets,
    supposition_views,
)
from device.web.contexts import records, upkeep
from device.web.fields import FieldsSent, form, query
from device.web.hand_page import redirect_to_hand
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.table.current_match import (
    acting_player,
    change_match,
    match_to_correct,
    seen_version,
)
from device.web.table.hand_in_match import FoundHand, find_hand
from device.web.table.seats import seats_address
from scorer.errors import ScorerError
from scorer.tiles import TILE_FAMILIES, WINDS

pages = Blueprint("dispute", __name__, url_prefix="/hand/<id:hand>")


@dataclass(frozen=True, slots=True)
class DisputedDeal:
    """What the suppositions would change in the hand's deal."""

    change: DealChange | None
    """Scores and payments, before and after; None where the deal is not scored yet."""
    may_save: bool
    is_only_hand: bool = False
    """Whether the hand alone would change: its score and all payments in its match stay."""
    seats: str = ""
    """The address where a supposed seat is changed for the whole match; empty without one."""
    match: str = ""
    version: int = 0
    """The match's version; 0 for a hand without a match."""


@pages.get("/dispute")
def show(hand: str) -> str:
    """Show how a hand was scored, with every tile and every line, and what was asked."""
    found_hand = find_hand(hand)
    record = found_hand.record
    suppositions = _suppositions(record, query())
    evidence = _evidence(found_hand)
    has_score = evidence["view"].score is not None
    supposed_score = compare_scores(record, suppositions)
    claim = query().word("claim")
    return render_template(
        "dispute.html",
        **evidence,
        texts=[each.text for each in suppositions],
        supposed=supposition_views(record, suppositions),
        comparison=supposed_score,
        is_so=not suppositions and any(name in query() for name in _SUPPOSING_FIELDS),
        deal=_disputed_deal(found_hand, suppositions, supposed_score) if supposed_score else None,
        options=suppose_options(record) if "options" in query() else (),
        asked=request.args,
        sets=supposed_sets(record, suppositions),
        picked=query().place("pick", default=None),
        ways=[(way, say(f"how.{way}")) for way in ways_to_win()],
        now=supposed_score.record.situation if supposed_score else record.situation,
        winds=[(wind, wind_name(wind)) for wind in WINDS],
        families=TILE_FAMILIES,
        claims=list_claims(record.agreement.rules) if has_score else (),
        claim_groups=CLAIM_GROUPS,
        answer=answer_claim(record, claim) if claim and has_score else None,
    )


@pages.post("/dispute")
def save(hand: str) -> AnyResponse:
    """Put the suppositions into the hand, and the new score into its deal if that is settled."""
    found_hand = find_hand(hand)
    record = found_hand.record
    suppositions = _suppositions(record, form())
    comparison = compare_scores(record, suppositions)
    if comparison is None or form().seq("version") != record.version:
        raise ChangeRefusedError("the hand has changed, or nothing is supposed")
    match = match_to_correct(found_hand.match.id) if found_hand.match else None
    if match and seen_version() not in (0, match.version):
        raise OvertakenError(match)
    if match and any(each.subject == "seat" for each in suppositions):
        raise ChangeRefusedError("seats are changed for the whole match")
    event = _deal_event(match, comparison) if match else None
    if match and found_hand.place and found_hand.place.over is not None and event is None:
        raise ChangeRefusedError("the hand does not count in its deal")
    player = acting_player(hand)
    hand_changes = tuple(
        records().hands.change(hand, structs.replace(change, by=player))
        for change in (supposed_change(each, record) for each in suppositions)
        if change and not (match and isinstance(change, ContextSet))  # the deal says how it ended
    )
    if event and hand_changes:
        event = structs.replace(event, hand=hand, hand_changes=hand_changes)
    if match and event:
        change_match(match, event, seen_version())
    if not isinstance(event, DealCorrected) or match is None:
        return redirect_to_hand(hand)
    part_end = find_part(match, event.number)
    return redirect_to("history.show", match=match.id, until=part_end)


@pages.get("/referee")
def referee(hand: str) -> str:
    """Show the same on one A4 page, for a referee without a phone at the table."""
    return render_template("referee.html", **_evidence(find_hand(hand)))


def _evidence(found_hand: FoundHand) -> dict[str, Any]:
    record = found_hand.record
    view, rules = hand_view(record), record.agreement.rules
    lines = evidence_lines(record, view.score)
    return {
        "record": record,
        "view": view,
        "lines": lines,
        "tiles": exhibits(record, view, lines),
        "at_table": found_hand.place,
        "rules": say("punctuation.pair", first=ruleset_title(rules), second=say_limit(rules)),
        "networks": ", ".join(f"{name} {start}" for name, start in record.models.items()),
        "version": upkeep().machine.version_of("tongbox") or "?",
        "taken": moment_of(record.taken_at),
    }


def _suppositions(record: HandRecord, fields: FieldsSent) -> tuple[Supposition, ...]:
    """Return the suppositions of an address or a form, with what was just chosen in a list."""
    texts = list(fields.texts("if", MAX_SUPPOSITION_CHARS, MAX_SUPPOSITIONS))
    tile, code = fields.word("tile"), fields.word("code")
    if tile and code:
        texts.append(f"tile.{tile}.{code}")
    texts += [f"{key}.{fields.word(name)}" for key, name in _CHOICES.items() if name in fields]
    return read_suppositions(record, texts)


_CHOICES = {"way": "won_by", "seat": "seat_wind"}
"""The field of a list for each circumstance that may be supposed."""

_SUPPOSING_FIELDS = ("if", "tile", *_CHOICES.values())
"""The fields of an address that suppose something."""


def _deal_event(match: Match, comparison: SupposedScore) -> DealCorrected | WinnerEntered | None:
    """Return what changes in the hand's deal besides the hand; None for nothing."""
    record, ending = comparison.record, match.deal.ending
    if match.deal.holders.get(record.id) and not match.ended:
        situation = record.situation
        is_other_way = ending is not None and situation.winner and situation.won_by != ending.won_by
        if not is_other_way or ending is None:
            return None
        return WinnerEntered(ending.winner, situation.won_by, situation.original_call)
    if comparison.after is None:
        return None
    return plan_hand_correction(match, record.id, comparison.after, record.situation.won_by)


def _disputed_deal(
    found_hand: FoundHand, suppositions: tuple[Supposition, ...], comparison: SupposedScore
) -> DisputedDeal:
    place, record = found_hand.place, found_hand.record
    is_same_score = comparison.after is not None and comparison.after == comparison.before
    if found_hand.match is None or place is None:
        may_save = found_hand.match is None and comparison.after is not None
        return DisputedDeal(None, may_save=may_save)
    match = name_gate().match(found_hand.match)
    deal_place = match.place_of(record.id)
    seats = ""
    if deal_place and any(each.subject == "seat" for each in suppositions):
        other_player = deal_place[0].seats.get(comparison.record.situation.seat_wind)
        seats = seats_address(match, deal_place[2], other_player)
    change = None
    if comparison.after is not None:
        change = _payments_now_and_then(match, place.player, comparison)
    is_same_ending = change.is_same if change else all(s.subject != "way" for s in suppositions)
    counts = change is not None if place.over else place.open and place.typed is None
    return DisputedDeal(
        change,
        may_save=counts and comparison.after is not None and not seats,
        is_only_hand=is_same_score and is_same_ending,
        seats=seats,
        match=match.id,
        version=match.version,
    )


def _payments_now_and_then(
    match: Match, player: str, comparison: SupposedScore
) -> DealChange | None:
    """Return the deal's payments now and with the supposed score; None while some are missing."""
    if comparison.after is None:
        return None
    if match.deal.holders.get(comparison.record.id) and not match.ended:
        scores = scores_by_player(seat_hands(match, records().hands))
        try:
            was = preview_row(match, scores)
            new_row = preview_row(match, {**scores, player: comparison.after})
        except ScorerError:
            return None
        return describe_deal_change(match, was, new_row)
    event = plan_hand_correction(
        match, comparison.record.id, comparison.after, comparison.record.situation.won_by
    )
    if event is None:
        return None
    was_settled = match.row(event.number)
    after = apply_correction(match, event).row(event.number)
    if was_settled is None or after is None:
        return None
    return describe_deal_change(match, was_settled, after)
