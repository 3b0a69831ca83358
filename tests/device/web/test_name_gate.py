"""Who reads names past the gate: each module of the page that does is listed, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).parents[3] / "device" / "web"

RAW = {
    "matches": {
        "get", "get_if_whole", "so_far", "current", "find_newest", "all_on", "listed",
        "newest_begun", "newest_of_all",
    },
    "tournaments": {"get", "so_far", "find_newest", "listed", "so_far_listed"},
    "hands": {"get", "get_if_whole", "recent_and_torn", "by_itself"},
}  # fmt: skip
"""What returns names as they were written, by what it is asked of."""

MAKERS = {"PeopleRepository", "Register", "load_statistics", "Anonymiser"}
"""What the names of people, of matches that are over and of who is hidden come from."""

AT_THE_TABLE = "shows the match that is played to phones at its table"
CHANGES = "looks up what a phone changes; shows no name"
THROUGH = "hands what it reads to the gate"

READS: dict[str, str] = {
    "name_gate.py": "the gate itself",
    "hand_entry.py": CHANGES,
    "box_camera.py": CHANGES,
    "club/overview.py": THROUGH,
    "club/players.py": "asks the register who is hidden; tells names to an organiser",
    "club/season.py": "asks the register, which leaves out who is hidden",
    "club/table_choice.py": THROUGH,
    "club/tables.py": "looks up what a phone changes, and whether a match is on; shows no name",
    "club/tournament.py": THROUGH,
    "club/tournament_tables.py": THROUGH,
    "club/tournaments.py": "lists titles, and offers names: of nobody who is hidden",
    "data_consent.py": "lists people by the register: nobody who is hidden",
    "hand_page.py": CHANGES,
    "hand_sheets.py": THROUGH,
    "home.py": AT_THE_TABLE,
    "log_damage.py": CHANGES,
    "permissions/__init__.py": CHANGES,
    "table/current_match.py": AT_THE_TABLE,
    "table/deal.py": AT_THE_TABLE,
    "table/hand_in_match.py": THROUGH,
    "table/match_form.py": "offers names: of nobody who is hidden",
    "table/match_pages.py": THROUGH,
    "table/table_photo.py": AT_THE_TABLE,
    "tutor/asking.py": "asks where the game stands, for rules and winds",
    "tutor/practice.py": "offers names: of nobody who is hidden",
    "tutor/rules.py": "asks by which rules is played",
    "tutor/table_setup.py": "asks where the game stands, for winds and walls",
    "uploads.py": "shows a hand that the gate let through",
}
"""By module. One that is not here asks the gate, as nearly every new page should."""


def _owner(of: ast.expr) -> str:
    """Return the last name of what is asked: `matches` of `box().matches.at_table(table)`."""
    if isinstance(of, ast.Call):
        of = of.func
        if isinstance(of, ast.Attribute) and of.attr == "at_table":
            return _owner(of.value)
    return of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""


def reads(module: ast.Module) -> Iterator[str]:
    """Yield what a module calls that returns names as they were written."""
    for call in (each for each in ast.walk(module) if isinstance(each, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in MAKERS:
            yield call.func.id
        elif isinstance(call.func, ast.Attribute):
            owner = _owner(call.func.value)
            if call.func.attr in RAW.get(owner, ()):
                yield f"{owner}.{call.func.attr}"


def test_only_modules_that_are_listed_read_names_past_the_gate() -> None:
    found = {
        str(path.relative_to(WEB)): sorted(set(reads(ast.parse(path.read_text("utf-8")))))
        for path in WEB.rglob("*.py")
    }
    assert {name: calls for name, calls in found.items() if calls and name not in READS} == {}
    assert {name for name in READS if not found.get(name)} == set(), "each row is needed"


def test_who_hands_names_to_the_gate_asks_it() -> None:
    for name, why in READS.items():
        if why == THROUGH:
            assert "name_gate()" in (WEB / name).read_text("utf-8"), name


def test_the_search_finds_what_it_is_made_for() -> None:
    page = (
        "box().matches.at_table(table).current(); tournaments().get(x); "
        "PeopleRepository(s); box().hands.get(h)"
    )
    assert set(reads(ast.parse(page))) == {
        "matches.current", "tournaments.get", "PeopleRepository", "hands.get",
    }  # fmt: skip
