"""The tutor's menu and its lessons: a newcomer's questions by section, and a search in them."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from device.views.tutor.lesson import lesson_view, order_sections
from device.views.tutor.search import MAX_QUERY_CHARACTERS, search_entries, search_entries_for
from device.web.fields import query
from device.web.links import requested_way_back
from device.web.tutor.rules import agreement_in_force
from scorer.teach.lessons.lessons import lessons_in

lesson_pages = Blueprint("lessons", __name__, url_prefix="/learn/lessons")


@lesson_pages.get("/")
def show() -> str:
    """Show the sections, first those of the rules in force."""
    own, others = order_sections(agreement_in_force().ruleset)
    return render_template(
        "tutor/lessons.html", own=_count_lessons(own), others=_count_lessons(others)
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
    found = search_entries_for(words, search_entries(agreement_in_force())) if words else ()
    own, others = order_sections(agreement_in_force().ruleset)
    return render_template("tutor/search.html", query=words, found=found, sections=(*own, *others))


def _count_lessons(sections: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return each section with the number of its questions."""
    return [(name, len(lessons_in(name))) for name in sections]


learn_pages = Blueprint("learn", __name__, url_prefix="/learn")


@learn_pages.get("/", endpoint="show")
def show_menu() -> str:
    """Show the tutor's menu."""
    return render_template("tutor/learn.html")
