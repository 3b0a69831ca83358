"""Show what pages are built from: two pages of the demo, for developers and translators.

One shows every text in all languages side by side. The other shows every macro that templates
share, with its states. Look at it in both themes and with big text; a phone chooses them on *This
phone*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, abort, render_template, url_for

from device.hands.record import HandRecord
from device.i18n.words import LANGUAGES, load_files, own_texts, tile_name
from device.matches.match import GivenHand
from device.matches.seats import SeatHand
from device.matches.summary import FinalResult, Placing
from device.views import photo_overlay
from device.views.club.tournament import RankingLine, RoundView, TableView, TournamentSeat
from device.views.hand_page import hand_view
from device.views.table.correction_changes import (
    BeforeAfter,
    CorrectionChanges,
    DealChange,
    PlayerChange,
)
from device.views.table.history import (
    LastAction,
)
from device.views.table.match_graph import GraphLine, GraphTick, MatchGraph
from device.views.tutor.exercise import (
    ask_question,
    hand_to_score,
    show_hand,
)
from device.views.tutor.play import OpenSeat, RackTile
from device.views.tutor.quiz import SET_QUIZ, TILE_QUIZ
from device.web.contexts import photo_desk, records
from device.web.name_gate import name_gate
from device.web.table.match_form import ruleset_choices
from device.web.table.table_page import SeatView
from device.web.table.tile_conflicts import ConflictSentences
from device.web.tutor.practice import NameChoices
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.exercises import make_exercise
from scorer.teach.practice.questions import Question
from scorer.tiles import TILE_FAMILIES

text_pages = Blueprint("texts", __name__, url_prefix="/texts")


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text's key and what each language says; a language without this text is left out."""

    key: str
    texts: Mapping[str, str]


@text_pages.get("/", endpoint="show")
def show_texts() -> str:
    """Show all texts."""
    _require_demo()
    return render_template("texts.html", files=_rows_by_file())


def _rows_by_file() -> dict[str, tuple[TextRow, ...]]:
    """Return the rows of each file, in the order of the files; each key stands in one row."""
    texts_by_language = {language: own_texts(language) for language in LANGUAGES}
    keys: dict[str, dict[str, None]] = {}
    seen_keys: set[str] = set()
    for language in LANGUAGES:
        for name, texts in load_files(language).items():
            keys.setdefault(name, {}).update(
                dict.fromkeys(key for key in texts if key not in seen_keys)
            )
            seen_keys |= texts.keys()
    return {
        name: tuple(_row(key, texts_by_language) for key in of_file)
        for name, of_file in keys.items()
    }


def _row(key: str, texts_by_language: Mapping[str, Mapping[str, str]]) -> TextRow:
    return TextRow(
        key, {name: texts[key] for name, texts in texts_by_language.items() if key in texts}
    )


def _require_demo() -> None:
    """Answer 404 unless this is the demo, which offers samples."""
    if not photo_desk().samples:
        abort(404)


component_pages = Blueprint("components", __name__, url_prefix="/components")

Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Component:
    """A macro of a template, with its states."""

    file: str
    macro: str
    states: Mapping[str, Arguments]
    """The arguments of one call for each state, by what the state is called."""
    around: str = "|"
    """The HTML that the macro needs around it; `|` stands for the macro."""
    positional: tuple[object, ...] = ()
    """Arguments without a name, for a macro that takes any number of them."""


@component_pages.get("/", endpoint="show")
def show_components() -> str:
    """Show all macros."""
    _require_demo()
    recent = map(name_gate().hand, records().hands.recent())
    record = next((each for each in recent if each.is_read and each.photo), None)
    return render_template(
        "components.html",
        components=(
            *_tiles(),
            *_controls(),
            *_club(),
            *_table(),
            *_before_after(),
            *_tutor(),
            *_conflicts(),
            *_exercise(),
            *_practice_deal(),
            *_of_hand(record),
        ),
        record=record,
        view=hand_view(record) if record else None,
        may_learn=True,
        asked=ask_question,
    )


_CODES = ("B3", "C7", "WE", "DR", "F2", "??")
_SHORT, _LONG = "Ann", "Maximiliane-Alexandra"
_HAND = "B222 | C333 DRRR WEE O678 | F1 seat=E won=wall with=C3"
_FIELD = '<label class="field">|</label>'
_TRAY_FRAME = '<div class="tray">|</div>'
_RULE = "BMJA-B02"


def _tiles() -> Iterator[Component]:
    file = "_macros.html"
    symbols: dict[str, object] = {"symbols": ("tile-B3", "tile-unknown")}
    yield Component(file, "drawing", {"unknown": {"symbol": "tile-unknown"}})
    yield Component(file, "face", {code: {"code": code} for code in _CODES})
    yield Component(file, "icon", {name: {"name": name} for name in ("camera", "check", "undo")})
    yield Component(file, "small_tiles", {"with names": {"codes": _CODES}})
    yield Component(file, "decorative_tiles", {"without names": {"codes": _CODES}})
    hidden_option = {"hidden": True}
    yield Component(file, "small_drawings", {"spoken": symbols, "hidden": symbols | hidden_option})
    yield Component(file, "wind_mark", {wind: {"wind": wind} for wind in "ESWN"}, _TRAY_FRAME)
    seat = {"wind": "E", "points": "+120"}
    yield Component(file, "sits", {name: seat | {"player": name} for name in (_SHORT, _LONG)})
    yield Component(file, "doubling", {str(times): {"times": times} for times in (1, 3)})
    yield Component(file, "all_tiles", {"all": {"families": TILE_FAMILIES}})
    likely = {"likely": ("B3", "B2"), "families": TILE_FAMILIES[:1]}
    yield Component(
        file, "names_to_choose", {"likely": likely, "doubtful": likely | {"doubtful": True}}
    )


def _controls() -> Iterator[Component]:
    file = "_macros.html"
    choice = {"name": "one", "value": 1, "chosen": False, "label": _LONG}
    chosen_option = {"chosen": True}
    yield Component(
        file,
        "choice",
        {"free": choice, "chosen": choice | chosen_option},
        '<div class="segments">|</div>',
    )
    other_choice = choice | {"name": "other", "hint": "A sentence about it."}
    states = {
        "free": other_choice,
        "chosen": other_choice | chosen_option,
        "disabled": other_choice | {"disabled": True},
    }
    yield Component(file, "explained_choice", states)
    options = {"choices": (("a", _SHORT), ("b", _LONG)), "chosen": "b"}
    yield Component(file, "options", {"chosen": options}, '<select aria-label="options">|</select>')
    points = {"name": "points", "value": 12}
    yield Component(
        file, "points_input", {"filled": points, "empty": points | {"value": None}}, _FIELD
    )
    yield Component(file, "photo_form", {"form": {"action": "#"}})
    heads = ("settle.player", "settle.total")
    yield Component(file, "column_heads", {"two": {}}, "<table>|</table>", heads)
    yield Component(file, "copy_button", {"button": {"id": "copied"}})
    yield Component(file, "paper_notes", {"a name": {"texts": ["محمد"]}})
    door = {"where": "#", "picture": "camera", "title": _SHORT, "hint": "What is behind it."}
    yield Component(file, "door", {"plain": door, "first": door | {"first": True}})
    photo = {"icon_name": "camera", "words": "Photograph"}
    yield Component(file, "photo_button", {"plain": photo, "primary": photo | {"primary": True}})
    switch = {"name": "on", "on": False, "says": "By itself", "hint": "When the hand lies still."}
    yield Component(file, "switch", {"off": switch, "on": switch | {"on": True}})
    yield Component(file, "names_known", {"list": {"names": (_SHORT, _LONG)}})
    yield Component(file, "countdown", {str(left): {"seconds": left} for left in (4000, 59, -61)})
    yield Component(file, "organiser_only", {"link": {"back": "/"}})


def _club() -> Iterator[Component]:
    file = "club/_club_macros.html"
    yield Component(file, "still", {"some left": {"left": 3}, "none left": {"left": 0}})
    pages = {
        "a match": {"tournament": "", "match": "c2eecbeb7557"},
        "a typed result": {"tournament": "2388f480ad01", "match": "2388f480ad01-1-1"},
    }
    yield Component(file, "result_page", pages)
    file = "club/_tournament_macros.html"
    seats = tuple(
        TournamentSeat(wind, player, "+12")
        for wind, player in zip("ESWN", (_SHORT, _LONG, "Cy", "Di"), strict=True)
    )
    tables = {
        "played": TableView(1, "1", seats, is_in=True, is_corrected=False),
        "corrected, differs": TableView(2, "2", seats, is_in=True, is_corrected=True, differs=True),
        "in play": TableView(3, "3", seats, is_in=False, is_corrected=False, progress="playing"),
        "no result": TableView(4, "4", seats, is_in=False, is_corrected=False),
    }
    tournament = {"id": "0" * 16}
    rounds = {
        key: {"now": tournament, "round": RoundView(1, (of,), "", 0)} for key, of in tables.items()
    }
    yield Component(file, "tables", rounds)
    shared_line = RankingLine(1, True, _SHORT, 1, "4", "+120", (), "")
    yield Component(file, "place", {"shared": {"each": shared_line}}, "<p>|</p>")


def _table() -> Iterator[Component]:
    file = "table/_table_macros.html"
    agreed_hand = SeatHand("Cy", "W", GivenHand(), None, 64, "agreed")
    read = SeatHand("Di", "N", GivenHand(), None, None, "check")
    seats = {
        "mine, after a deal": SeatView("bottom", _SHORT, 0, "E", 1234, "+120", True, None),
        "long": SeatView("left", _LONG, 1, "S", -123456789, "", False, None),
        "hand agreed": SeatView("top", "Cy", 2, "W", 0, "", False, agreed_hand),
        "hand read": SeatView("right", "Di", 3, "N", 0, "", False, read),
    }
    cards = {key: {"seat": seat, "href": "#"} for key, seat in seats.items()}
    yield Component(file, "seat_card", cards, '<div class="felt">|</div>')
    placings = tuple(Placing(1, True, name, 3, 120, 1120) for name in (_SHORT, _LONG))
    yield Component(file, "placings", {"shared": {"final": FinalResult(placings, (), 8)}})
    yield from _score_sheet()
    last_actions = {
        "done": LastAction(1, f"{_LONG} won."),
        "undone": None,
        "undo": "#",
        "redo": "#",
    }
    undone_actions = last_actions | {"undone": LastAction(2, f"{_SHORT} won.")}
    yield Component(
        file, "undo_line", {"done": last_actions, "done and undone": undone_actions}, _TRAY_FRAME
    )
    yield Component(file, "stale_hand", {"a hand": {"hand": "0" * 12}})
    proposal = {"asked": {"ruleset": "bmja", "limit": 1000}, "rulesets": ruleset_choices(())}
    yield Component("table/_rules.html", "rules", {"as usual": proposal})


def _score_sheet() -> Iterator[Component]:
    file = "table/_sheet_macros.html"
    graph_lines = (
        GraphLine(_SHORT[:8], "60,200 130,120 200,40", (200, 40), 40),
        GraphLine(_LONG[:8], "60,200 130,150 200,50", (200, 50), 61),
    )
    ticks = (GraphTick(200, "2000", True), GraphTick(20, "3000", False))
    graph = MatchGraph("", 60, 200, 214, graph_lines, ticks, "", "", True)
    graphs = {"marked": graph, "long": replace(graph, is_marked=False)}
    yield Component(file, "match_graph", {key: {"graph": each} for key, each in graphs.items()})


def _before_after() -> Iterator[Component]:
    file = "table/_before_after.html"
    equal, other = BeforeAfter("Ann", "Ann"), BeforeAfter("84", "1000")
    yield Component(file, "pair", {"same": {"each": equal}, "other": {"each": other}})
    players = tuple(
        PlayerChange(name, BeforeAfter(*winds), other, BeforeAfter("−12", "+3408"), other)
        for name, winds in ((_SHORT, "EE"), (_LONG, "SW"))
    )
    deal_change = DealChange(1, "Deal 1", equal, equal, players, only_totals=False)
    yield Component(file, "table", {"two players": {"each": deal_change}})
    totals = ((_SHORT, 2000, 2000), (_LONG, 1904, 10512))
    yield Component(file, "numbers", {"totals": {"title": _LONG, "rows": totals}})
    shown_totals: dict[str, Arguments] = {
        "totals": {"totals": totals, "recounts": ()},
        "and hands": {"totals": totals, "recounts": (_LONG,)},
    }
    yield Component(file, "totals_and_recounts", shown_totals)
    changes = CorrectionChanges(None, (deal_change,), (deal_change,), 1)
    yield Component(file, "other_entries", {"one of each": {"found": changes}})


def _tutor() -> Iterator[Component]:
    file = "tutor/_tutor_macros.html"
    shown_hand = show_hand(parse_hand(_HAND))
    yield Component(file, "lay", {"two sets": {"groups": (("B2", "B2", "B2"), ("??", "C5"))}})
    yield Component(file, "hand", {"a whole hand": {"shown": shown_hand}})
    line = {"line": shown_hand.points[1]}
    frame = '<ul class="rows sums-of"><li>|</li></ul>'
    yield Component(file, "sum_line", {"plain": line, "tiles": line | {"tiles": True}}, frame)
    yield Component(file, "sums", {"lit": {"shown": shown_hand, "lit": shown_hand.points[0].rule}})
    file = "tutor/_card.html"
    rules = load_builtin("bmja")
    cards = {
        quiz.key: {"card": quiz.card(quiz.levels(rules)[-1], 7, 0, rules)}
        for quiz in (TILE_QUIZ, SET_QUIZ)
    }
    yield Component(file, "shown", cards)
    yield Component(file, "why", cards)
    choices = NameChoices("", False, (_SHORT, _LONG), "", "")
    refused_choices = NameChoices(_SHORT, True, (), "", "Please type a name.")
    questions: dict[str, Arguments] = {
        "first": {"choices": choices},
        "refused": {"choices": replace(refused_choices, then="/")},
    }
    yield Component("tutor/_who.html", "ask", questions)


def _conflicts() -> Iterator[Component]:
    short_conflicts, long_conflicts = (
        ConflictSentences(tiles=(_LONG,)),
        ConflictSentences((_LONG,), (_LONG,) * 3),
    )
    yield Component(
        "_macros.html",
        "conflicts",
        {"one": {"found": short_conflicts}, "more": {"found": long_conflicts}},
    )


def _exercise() -> Iterator[Component]:
    file = "tutor/_exercise_macros.html"
    words: dict[str, Any] = {"reasons": ("Three tiles alike.",), "rule": _RULE}
    questions = {
        "tick": Question("a", "double", "tick", 1, label="Own flower", **words),
        "number": Question("b", "set", "number", 8, row="exposed", tiles=("B2",) * 3, **words),
        "figure": Question("c", "set", "figure", 4, row="concealed", figures=(2, 4, 8), **words),
        "word": Question("d", "set", "word", 1, row="bonus", choices=(_SHORT, _LONG), **words),
    }
    hand = hand_to_score(make_exercise("pairs", 7, load_builtin("bmja")).table[0])
    yield Component(file, "hand_and_facts", {"a hand": {"hand": hand}})
    yield Component(file, "tiles_of", {"tiles": {"question": questions["number"]}})
    marked_questions = {key: {"question": each, "given": "1"} for key, each in questions.items()}
    yield Component(file, "ask", marked_questions)


def _practice_deal() -> Iterator[Component]:
    file = "tutor/_play_macros.html"
    seat = OpenSeat("S", _LONG, 7, (("B2",) * 3,), ("F1",), ("C1", "O9"), True, False, True)
    seats = {
        "whose turn it is": seat,
        "fishing": replace(seat, sets=(), is_turn=False, fishing=True, has_last_discard=False),
    }
    states = {key: {"each": each, "name": each.name} for key, each in seats.items()}
    yield Component(file, "seat", states, '<ul class="players">|</ul>')
    tiles = [RackTile(code, tile_name(code), code, code == "B3") for code in _CODES[:5]]
    rack: Arguments = {"tiles": tiles, "kind": "radio", "name": "tile"}
    yield Component(file, "rack", {"one is chosen": rack}, _TRAY_FRAME)
    choices: Arguments = {"counts": (2, 3, 4), "levels": ("gentle", "plain", "sharp")}
    yield Component(file, "opponents", {"gentle": {**choices, "level": "gentle"}})


def _of_hand(record: HandRecord | None) -> Iterator[Component]:
    """Yield the macros that show a hand: the newest that was read. None without one."""
    read = record.tiles[0].read if record and record.tiles else None
    if record is None or record.photo is None or read is None:
        return
    crop = photo_overlay.tile_crop(read.quad)
    url = url_for("hand.photo", hand=record.id)
    tile_values = {"photo": record.photo, "url": url, "crop": crop, "title": "tile 1"}
    yield Component("_macros.html", "crop_of", {"a tile": tile_values})
    window = photo_overlay.close_up(record)
    yield Component("_macros.html", "photo_svg", {"hand": {"record": record, "window": window}})
    for name in ("figure", "strip", "tiles", "score"):
        yield Component(f"_{name}.html", name, {"the newest hand": {}})
    if hand_view(record).score:
        yield Component("_asides.html", "asides", {"the newest hand": {}})
