"""Every rule and every special hand on a page of its own, with an example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flask import Blueprint, render_template

from device.i18n.words import say
from device.views.tutor.rules import (
    capital,
    rule_said,
    rule_view,
    section_said,
    special_page,
)
from device.web.citing import came_from, set_out_from
from device.web.errors import page
from device.web.tutor.in_force import rules_called, rules_in_force
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.teach.lessons.lessons import lessons_about
from scorer.teach.lessons.rulebook import RULE_IDS, book_of, rows_of, section_of
from scorer.teach.lessons.special_examples import example

pages = Blueprint("rules", __name__, url_prefix="/learn/rules")

LONGEST_ID = 20
"""Characters of an unknown rule's id that are repeated to whoever asked for it."""


@pages.get("/")
def show() -> str:
    """Show all rules of the ruleset in force: what scores first, then section by section."""
    rules = rules_in_force()
    return render_template(
        "tutor/rules.html",
        rules=rules,
        groups=list(_groups(rules)),
        sections=list(_sections(rules)),
        capital=capital,
    )


@pages.get("/special/")
def specials() -> str:
    """Show the special hands of the ruleset in force, dearest first."""
    rules = rules_in_force()
    return render_template(
        "tutor/specials.html", rules=rules, specials=by_worth(rules), example=example
    )


@pages.get("/<rule>")
def rule(rule: str) -> str | tuple[str, int]:
    """Show one rule."""
    if rule not in RULE_IDS:
        return page(say("rulepage.unknown", rule=rule[:LONGEST_ID]), 404)
    rules, back = rules_called(book_of(rule)), came_from()
    special = rules.special_named.get(rule)
    return render_template(
        "tutor/rule.html",
        view=rule_view(rule, rules),
        special=special_page(special, rules) if special else None,
        rules=rules,
        lessons=lessons_about(rule, rules.name),
        back=back,
        set_out=set_out_from(back),
        capital=capital,
    )


def by_worth(rules: Ruleset) -> Sequence[SpecialHand]:
    """Return the special hands, dearest first; those of one worth as the file has them."""
    return sorted(rules.specials, key=lambda special: -special.value)


def _groups(rules: Ruleset) -> Iterator[tuple[str, list[Rule]]]:
    """Yield what scores, in groups: the name of each, and its rows that are in force."""
    rows = [row for row in rules.rules if row.of not in ("special", "apart") and row.gives]
    yield "points", [row for row in rows if not row.doubles]
    yield "doubles", [row for row in rows if row.doubles and not row.winner_only]
    yield "winner", [row for row in rows if row.doubles and row.winner_only]


def _sections(rules: Ruleset) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each section's name and its other rules: id and sentence."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for each in RULE_IDS:
        if book_of(each) == rules.name and each not in rules.special_named:
            sections.setdefault(section_of(each), []).append((each, _said(each, rules)))
    for rows in sections.values():
        yield section_said(rows[0][0]), rows


def _said(rule: str, rules: Ruleset) -> str:
    """Return a rule in a sentence: its own, or that of its row or of the choice named after it."""
    sentences = [row.sentence for row in rows_of(rule, rules)]
    sentences += [option.sentence for option in rules.options if option.rule == rule]
    return rule_said(rule, rules) or sentences[0]
