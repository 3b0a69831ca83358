"""The rules in force, a page for each rule and special hand, and the reference card.

In force are the rules of the current match, else the box's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from flask import Blueprint, g, render_template

from device.hands.record import Agreement
from device.i18n.words import say
from device.views.tutor.card import card_view
from device.views.tutor.rules import rule_view, say_rule, say_section, special_page
from device.web.box import box
from device.web.errors import error_page
from device.web.links import citing_page, reading_start
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.teach.lessons.examples import special_example
from scorer.teach.lessons.lessons import lessons_about
from scorer.teach.lessons.rulebook import RULE_IDS, book_of, rows_of, section_of

rule_pages = Blueprint("rules", __name__, url_prefix="/learn/rules")

MAX_ID_CHARS = 20
"""Characters of an unknown rule id that the error page repeats."""


@rule_pages.get("/")
def show() -> str:
    """Show all rules of the ruleset in force: first what scores, then the others by section."""
    rules = rules_in_force()
    return render_template(
        "tutor/rules.html",
        rules=rules,
        groups=list(_scoring_groups(rules)),
        sections=list(_rule_sections(rules)),
    )


@rule_pages.get("/special/")
def specials() -> str:
    """Show the special hands of the ruleset in force, the most valuable first."""
    rules = rules_in_force()
    return render_template(
        "tutor/specials.html", rules=rules, specials=sort_by_value(rules), example=special_example
    )


@rule_pages.get("/<rule>")
def rule(rule: str) -> str | tuple[str, int]:
    """Show one rule."""
    if rule not in RULE_IDS:
        return error_page(say("rulepage.unknown", rule=rule[:MAX_ID_CHARS]), 404)
    rules, back = rules_named(book_of(rule)), citing_page()
    special = rules.specials_by_id.get(rule)
    return render_template(
        "tutor/rule.html",
        view=rule_view(rule, rules),
        special=special_page(special, rules) if special else None,
        rules=rules,
        lessons=lessons_about(rule, rules.name),
        back=back,
        set_out=reading_start(back),
    )


def sort_by_value(rules: Ruleset) -> Sequence[SpecialHand]:
    """Return the special hands, the most valuable first. Equal ones keep the file's order."""
    return sorted(rules.specials, key=lambda special: -special.value)


def _scoring_groups(rules: Ruleset) -> Iterator[tuple[str, list[Rule]]]:
    """Yield the rules that score in groups: each group's name and its rules in force."""
    rows = [row for row in rules.rules if row.of not in ("special", "apart") and row.gives]
    yield "points", [row for row in rows if not row.doubles]
    yield "doubles", [row for row in rows if row.doubles and not row.winner_only]
    yield "winner", [row for row in rows if row.doubles and row.winner_only]


def _rule_sections(rules: Ruleset) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each section's name and its rules: id and sentence."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for each in RULE_IDS:
        if book_of(each) == rules.name and each not in rules.specials_by_id:
            sections.setdefault(section_of(each), []).append((each, _rule_sentence(each, rules)))
    for rows in sections.values():
        yield say_section(rows[0][0]), rows


def _rule_sentence(rule: str, rules: Ruleset) -> str:
    """Return a rule's sentence: its own, else that of its row or of the option with its id."""
    sentences = [row.sentence for row in rows_of(rule, rules)]
    sentences += [option.sentence for option in rules.options if option.rule == rule]
    return say_rule(rule, rules) or say(sentences[0])


def agreement_in_force() -> Agreement:
    """Return the agreement of the current match; without one, the plain ruleset of the table.

    Looked up once per request, because a page of lessons needs it for each lesson.
    """
    if "agreement" not in g:
        match = box().matches.current()
        g.agreement = match.agreement if match else Agreement(ruleset=box().rules_here)
    return cast(Agreement, g.agreement)


def rules_in_force() -> Ruleset:
    """Return the ruleset in force, with the table's options and limit."""
    return agreement_in_force().rules


def rules_named(name: str) -> Ruleset:
    """Return a ruleset by name, with the table's options if it is in force."""
    return agreement_in_force().rules_called(name)


card_pages = Blueprint("card", __name__, url_prefix="/learn/card")


@card_pages.get("/", endpoint="show")
def show_card() -> str:
    """Show the reference card."""
    return render_template("tutor/card.html", card=card_view(rules_in_force()))
