"""The tutor's menu, its lessons, a page for each rule and special hand, and the reference card.

All follow the rules in force: those of the current match, else the box's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from flask import Blueprint, abort, g, render_template

from device.hands.record import Agreement
from device.i18n.words import say
from device.store.errors import UnreachableError
from device.tutoring.first_evening import EVENING_RULESET, STEPS, finished_steps
from device.views.tutor.box_answers import BOX_SECTION, box_answers
from device.views.tutor.card import card_view
from device.views.tutor.lesson import lesson_view, order_sections
from device.views.tutor.rules import rule_view, say_rule, say_section, special_page
from device.views.tutor.search import MAX_QUERY_CHARACTERS, search
from device.web.contexts import records, room
from device.web.errors import error_page
from device.web.fields import query
from device.web.links import citing_page, reading_start, requested_way_back
from device.web.phone_identity import pupil_name
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.teach.lessons.examples import special_example
from scorer.teach.lessons.lessons import lessons_about, lessons_in
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
    in_force = rules_in_force()
    if rule not in RULE_IDS and rule not in rule_ids_in(in_force):
        return error_page(say("rulepage.unknown", rule=rule[:MAX_ID_CHARS]), 404)
    rules = rules_named(book_of(rule)) if rule in RULE_IDS else in_force
    back = citing_page()
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


def rule_ids_in(rules: Ruleset) -> frozenset[str]:
    """Return the ids of the rows and special hands of a ruleset, also those that are its own."""
    return frozenset({row.id for row in rules.every_rule} | rules.specials_by_id.keys())


def sort_by_value(rules: Ruleset) -> Sequence[SpecialHand]:
    """Return the special hands, the most valuable first. Equal ones keep the file's order."""
    return sorted(rules.specials, key=lambda special: -special.value)


def _scoring_groups(rules: Ruleset) -> Iterator[tuple[str, list[Rule]]]:
    """Yield the rules that score in groups: each group's name and its rules in force."""
    scoring = [row for row in rules.rules if row.of not in ("special", "apart") and row.gives]
    # Two ways to win with a tile from the live wall are one line.
    rows = {
        (row.id, row.heading, row.exposed_points, row.concealed_points, row.doubles,
         row.winner_only): row
        for row in scoring
    }.values()  # fmt: skip
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
    """Return what is played here; looked up once per request, for a page has many lessons."""
    if "agreement" not in g:
        g.agreement = room().agreement_here
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


lesson_pages = Blueprint("lessons", __name__, url_prefix="/learn/lessons")


@lesson_pages.get("/", endpoint="show")
def show_sections() -> str:
    """Show the sections, first those of the rules in force."""
    own, others = order_sections(agreement_in_force().ruleset)
    return render_template(
        "tutor/lessons.html",
        own=[*_count_lessons(own), (BOX_SECTION, len(list(box_answers())))],
        others=_count_lessons(others),
    )


@lesson_pages.get(f"/{BOX_SECTION}")
def box_section() -> str:
    """Show the questions about using the box. Each opens to its answer."""
    return render_template(
        "tutor/box_answers.html",
        answers=list(box_answers()),
        section=BOX_SECTION,
        opened=query().word("open"),
    )


@lesson_pages.get("/<section>")
def section(section: str) -> str:
    """Show the questions of a section. Each opens to its answer."""
    own, others = order_sections(agreement_in_force().ruleset)
    if section not in own + others:
        abort(404)
    theirs = own if section in own else others
    after = theirs[theirs.index(section) + 1 :]
    return render_template(
        "tutor/section.html",
        section=section,
        lessons=[lesson_view(lesson, agreement_in_force()) for lesson in lessons_in(section)],
        opened=query().word("open"),
        back=requested_way_back(),
        after=after[0] if after else None,
    )


@lesson_pages.get("/search")
def find() -> str:
    """Show what was found for some words."""
    words = query().text("q", MAX_QUERY_CHARACTERS)  # shown as it was typed
    found = search(words, agreement_in_force()) if words else ()
    own, others = order_sections(agreement_in_force().ruleset)
    return render_template(
        "tutor/search.html", query=words, found=found, sections=(*own, BOX_SECTION, *others)
    )


def _count_lessons(sections: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return each section with the number of its questions."""
    return [(name, len(lessons_in(name))) for name in sections]


learn_pages = Blueprint("learn", __name__, url_prefix="/learn")


@learn_pages.get("/", endpoint="show")
def show_menu() -> str:
    """Show the tutor's menu, first the first evening if its rules are in force."""
    return render_template("tutor/learn.html", evening=_evening_progress())


def _evening_progress() -> dict[str, int] | None:
    """Return how many steps of the first evening are done, and of how many; None to leave it out.

    It is left out under other rules, and while the store does not answer: the evening needs the
    store, but the lessons on the same page do not.
    """
    try:
        if agreement_in_force().ruleset != EVENING_RULESET:
            return None
        finished_ids = finished_steps(records().practice.progress(pupil_name()))
    except UnreachableError:
        return None
    return {"done": len(finished_ids), "count": len(STEPS)}
