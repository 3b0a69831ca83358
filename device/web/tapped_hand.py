"""Make a special hand by tapping: fourteen tiles, what may differ, then its name and its worth.

What was tapped and answered stands in the address: nothing is kept before the last form is sent.
Each step can be gone back to, and all of it works without a script.
"""

from __future__ import annotations

from dataclasses import replace
from random import SystemRandom

from flask import Blueprint, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import group_digits, say, tile_name
from device.rulesets.repository import CustomRuleset
from device.store.errors import ConcurrentChangeError
from device.views.custom_rules import check_name, say_row_fault
from device.views.tapped_hand import (
    LYING_CHOICES,
    TappedHand,
    find_sample,
    in_hand_order,
    load_samples,
    name_of_hand,
    other_hands,
    rows_to_add,
    say_pattern,
)
from device.web.contexts import records
from device.web.custom_rules import MAX_FIELD_CHARS, describe_change, keep_rows
from device.web.fields import FieldsSent, form, query
from device.web.hand_entry import KEYPAD_ROWS
from device.web.name_gate import name_gate
from scorer.hand import HAND_SIZE, RULESETS
from scorer.message import Message
from scorer.patterns.frames import PLACE_BY_CODE
from scorer.patterns.generalise import CHOICES, TappedAnswers
from scorer.patterns.groupings import MAX_GROUPINGS
from scorer.rulesets import rows
from scorer.rulesets.files import SAMPLES
from scorer.rulesets.reader import RulesetError

pages = Blueprint("tapped_hand", __name__, url_prefix="/settings/rules")

WORTH_FIELDS = ("name", "value", "exposed", "fishing")
"""What is typed for a hand, after what is tapped."""

_INVALID_STATUS, _CONFLICT_STATUS = 422, 409

_Answer = AnyResponse | tuple[str, int]


def _read_hand(request_fields: FieldsSent) -> TappedHand:
    """Return what was tapped so far, with the tile that is tapped or taken out by this tap."""
    codes = request_fields.word("tiles").split()
    drop, add = request_fields.word("drop"), request_fields.word("add")
    if drop in codes:
        codes.remove(drop)
    sample = find_sample(request_fields.word("like"))
    if sample and not (drop or add) and not codes:
        codes = [*sample.tiles]
    hand = TappedHand()
    for code in codes if not add else [*codes, add]:
        if code not in PLACE_BY_CODE:
            abort(400)
        if hand.can_take(code):
            hand = replace(hand, tiles=(*hand.tiles, code))
    answers = {
        name: request_fields.choice(name, CHOICES[name], default="these") for name in CHOICES
    }
    usual = "yes" if sample and sample.special.concealed else "no"
    return TappedHand(
        in_hand_order(hand.tiles),
        request_fields.place("meant", MAX_GROUPINGS - 1, default=0),
        TappedAnswers(**answers),
        request_fields.choice("lying", LYING_CHOICES, default=usual),
        sample.key if sample and not (drop or add) else "",
    )


def _read_whole_hand(request_fields: FieldsSent) -> TappedHand:
    hand = _read_hand(request_fields)
    return hand if hand.is_whole else abort(400)


def _read_entries(request_fields: FieldsSent) -> dict[str, str]:
    return {name: request_fields.text(name, MAX_FIELD_CHARS) for name in WORTH_FIELDS}


def _load_ruleset(ruleset: str) -> CustomRuleset:
    return name_gate().ruleset(records().rulesets.get(ruleset))


@pages.get("/<id:ruleset>/tap/")
def tiles(ruleset: str) -> str:
    """Show the keypad, and the tiles tapped so far."""
    custom, hand = _load_ruleset(ruleset), _read_hand(query())
    counts = {"count": len(hand.tiles), "wanted": HAND_SIZE}
    return render_template(
        "settings/tapped_tiles.html",
        custom=custom,
        hand=hand,
        count=say("tapped.count", **counts),
        keys=[
            [(code, tile_name(code), hand.can_take(code)) if code in PLACE_BY_CODE else None
             for code in row]
            for row in KEYPAD_ROWS
        ],
    )  # fmt: skip


@pages.get("/<id:ruleset>/tap/samples")
def samples(ruleset: str) -> str:
    """List the special hands of all rules that come with the box, to begin from."""
    titles = {name: say(f"tapped.rules.{name}") for name in (*RULESETS, *SAMPLES)}
    by_rules = [
        (titles[name], [(each.key, say(each.special.name), say_pattern(each.pattern.text))
                        for each in hands])
        for name, hands in load_samples().items()
    ]  # fmt: skip
    return render_template(
        "settings/tapped_samples.html", custom=_load_ruleset(ruleset), samples=by_rules
    )


@pages.get("/<id:ruleset>/tap/pattern")
def pattern(ruleset: str) -> str:
    """Ask what may differ from the tiles, and show which hands that makes."""
    hand = _read_whole_hand(query())
    custom = _load_ruleset(ruleset)
    return render_template(
        "settings/tapped_pattern.html",
        custom=custom,
        hand=hand,
        fields=hand.fields,
        meant=[[unit.codes for unit in each] for each in hand.groupings],
        says=say_pattern(hand.pattern),
        hands=other_hands(hand.pattern, hand.tiles, SystemRandom()),
        known=name_of_hand(hand.tiles, custom.rules),
        problems=_find_problems(custom, hand, {"name": "?", "value": "1", "exposed": "1"}),
        sample=hand.sample and say(hand.sample.special.name),
        lying=LYING_CHOICES,
    )


@pages.get("/<id:ruleset>/tap/worth")
def worth(ruleset: str) -> str:
    """Ask for the name and the worth of a hand."""
    hand, entries = _read_whole_hand(query()), _read_entries(query())
    if hand.sample and not any(entries.values()):
        special = hand.sample.special
        entries |= {"name": say(special.name), "value": str(special.value or "")}
        entries["fishing"] = str(special.fishing or "")
    return _worth_page(records().rulesets.get(ruleset), hand, entries)


@pages.post("/<id:ruleset>/tap/worth")
def keep(ruleset: str) -> _Answer:
    """Keep the hand in the next version of the rules, or show what is wrong with it."""
    custom, hand, entries = (
        records().rulesets.get(ruleset),
        _read_whole_hand(form()),
        _read_entries(form()),
    )
    try:
        if form().seq("seen") != custom.seen:
            return _worth_page(custom, hand, entries, is_stale=True), _CONFLICT_STATUS
        text = _add(custom.newest.text, rows_to_add(hand, entries))
        return keep_rows(custom, text, "specials")
    except RulesetError:
        problems = _find_problems(custom, hand, entries)
        return _worth_page(custom, hand, entries, problems=problems), _INVALID_STATUS
    except ConcurrentChangeError:
        newest = records().rulesets.get(ruleset)
        return _worth_page(newest, hand, entries, is_stale=True), _CONFLICT_STATUS


def _add(text: str, new_rows: list[dict[str, str]]) -> str:
    """Return a file with these special hands; raise RulesetError for a name that is taken."""
    new = rows.new_specials(text, len(new_rows))
    for row, its_fields in zip(new, new_rows, strict=True):
        check_name(text, row, its_fields)
    return rows.change_rows(text, zip(new, new_rows, strict=True))


def _find_problems(custom: CustomRuleset, hand: TappedHand, entries: dict[str, str]) -> list[str]:
    """Return why the rules cannot have the hand; empty if they can."""
    text, new_rows = custom.newest.text, rows_to_add(hand, entries)
    new = rows.new_specials(text, len(new_rows))
    try:
        text = _add(text, new_rows)
        records().rulesets.check_version(custom.id, text)
    except RulesetError as failure:
        sentences = [_say_fault(text, new, each.message) for each in failure.problems]
        return [*dict.fromkeys(sentences)]
    return []


def _say_fault(text: str, new: tuple[rows.EditableRow, ...], fault: Message) -> str:
    """Return what is wrong with one of the new rows, by the names of the form."""
    lines = ((row, rows.find_row_lines(text, row)) for row in new)
    its_row = (row for row, its_lines in lines if fault.values.get("line") in (its_lines or ()))
    return say_row_fault(text, next(its_row, new[0]), fault)


def _worth_page(
    custom: CustomRuleset,
    hand: TappedHand,
    entries: dict[str, str],
    *,
    problems: list[str] | None = None,
    is_stale: bool = False,
) -> str:
    limit = custom.rules.limit
    custom = name_gate().ruleset(custom)
    return render_template(
        "settings/tapped_worth.html",
        custom=custom,
        hand=hand,
        fields=hand.fields,
        typed=entries,
        says=say_pattern(hand.pattern),
        groups=[unit.codes for unit in hand.grouping],
        limit=group_digits(limit) if limit else "",
        longest=MAX_FIELD_CHARS,
        faults=problems,
        stale=describe_change(custom, "stale-row") if is_stale else "",
    )
