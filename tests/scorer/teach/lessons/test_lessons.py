"""What the lessons say is what the scorer does, and they answer all that newcomers ask."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.i18n.words import load
from scorer.errors import HandError
from scorer.match.entries import WashOut, WonDeal
from scorer.match.game import Deal, Game
from scorer.match.settlement import settle, wash_out
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.table_setup.east import EXCHANGE_PAIRS, EXCHANGED_TILES
from scorer.table_setup.wall import break_wall, deal, wall_rules
from scorer.teach.lessons.lessons import SECTIONS, Lesson, lessons_about, lessons_in, lessons_of
from scorer.teach.lessons.rulebook import RULE_IDS
from scorer.tiles import CODES, FACE_DOWN, JOKER, TILES, Tile
from tests.scorer.walls import BMJA as BMJA_WALL
from vision.hand.assembly import LaidSet, assemble

ROOT = Path(__file__).parents[4]
CLAIMS: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "claims.toml").read_text("utf-8")
)
FACTS = Path(os.environ.get("TONGBOX_DATA", ROOT.parent / "shared")) / "rules" / "teaching.md"
WORDS = load()
LESSONS = [lesson for ruleset in SECTIONS for lesson in lessons_of(ruleset)]
HANDS = [*CLAIMS["hand"]]

OF_THE_TABLE = {
    "bird": "how makers paint a tile",
    "characters": "how a tile is read",
    "what-else": "what lies in the box",
    "shuffling": "who shuffles",
    "first-flowers": "who begins to replace",
    "turn": "the order of a turn",
    "discard-stays": "the order of a turn",
    "where-discards-go": "the order of a turn",
    "say-mah-jong": "a word that is said",
    "claiming-in-time": "a matter of agreement",
    "who-may-claim": "nobody tells the box of claims",
    "claims-at-once": "nobody tells the box of claims",
    "whence-the-rules": "history",
    "word-dead-tile": "a word",
    "word-pow": "a word",
    "word-tong-box": "a word",
    "word-session": "a word",
    "saf-turn": "the order of a turn",
}
"""Lessons that no code can gainsay, each with the reason."""

UNPICTURED_LESSONS = {
    "what-else": "dice, discs and racks are no tiles",
    "tallies": "sticks are no tiles",
    "without-tallies": "a count is no tiles",
    "kong-box-empty": "nothing lies there any more",
    "how-many-play": "about people",
    "no-minimum": "its two figures stand in the answer",
    "turn": "any tile may be drawn, and any thrown away",
    "discard-stays": "any tile may be thrown away",
    "where-discards-go": "any tile may be thrown away",
    "say-mah-jong": "a word that is said",
    "wrong-count": "its figure stands in the answer",
    "claiming-in-time": "a moment",
    "who-may-claim": "about people",
    "claims-at-once": "about people",
    "wash-out": "no tiles make it",
    "limit-and-east": "its two figures stand in the answer",
    "two-players": "what tiles there are is the same",
    "whence-the-rules": "history",
    "other-games": "not of this game",
    "word-dead-tile": "any tile may be one",
    "word-pow": "a word that is said",
    "word-tong-box": "no tiles",
    "word-session": "a length of time",
    "word-wash-out": "no tiles make it",
    "word-limit": "a figure",
    "saf-turn": "any tile may be drawn, and any thrown away",
    "saf-fewer": "about people; its figures stand in the answer",
    "saf-nothing-else": "about what there is not",
}
"""Lessons without tiles, table or example, each with the reason."""


def test_whatever_can_be_seen_is_shown() -> None:
    picture_ids = {x.id for x in LESSONS if x.picture or x.table or x.example or x.drawn}
    assert picture_ids.isdisjoint(UNPICTURED_LESSONS)
    assert {lesson.id for lesson in LESSONS} == picture_ids | UNPICTURED_LESSONS.keys()


def test_every_fact_is_answered() -> None:
    assert {fact for lesson in LESSONS for fact in lesson.facts} == set(range(1, 74))


@pytest.mark.skipif(not FACTS.exists(), reason="the rule texts are not at hand")
def test_there_are_no_more_facts_than_those() -> None:
    numbers = [int(n) for n in re.findall(r"^(\d+)\. ", FACTS.read_text("utf-8"), re.M)]
    assert numbers == list(range(1, 74))


def test_ids_are_of_their_own_kind() -> None:
    ids = [lesson.id for lesson in LESSONS]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", each) for each in ids)


def test_every_lesson_rests_on_rules_that_there_are() -> None:
    assert {rule for lesson in LESSONS for rule in lesson.rules} <= set(RULE_IDS)
    assert [lesson.id for lesson in LESSONS if not lesson.rules] == ["whence-the-rules"]


def test_lessons_are_found_by_rule_and_by_section() -> None:
    for lesson in LESSONS:
        assert lesson in lessons_in(lesson.section)
        assert all(lesson in lessons_about(rule, lesson.ruleset) for rule in lesson.rules)
    assert lessons_about("BMJA-C11", "safalra") == ()
    with pytest.raises(KeyError):
        lessons_in("nowhere")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_marks_and_notes_are_known(lesson: Lesson) -> None:
    assert lesson.mark in ("", "correction", "clarified")
    assert (f"lesson.{lesson.id}.mark" in WORDS) == bool(lesson.mark)
    assert set(lesson.notes) <= {"limit", "players", "paying"}


def test_every_choice_that_tables_make_is_told() -> None:
    names = {name for lesson in LESSONS for name in lesson.options}
    options = load_builtin("bmja").options
    assert names == {option.name for option in options}
    lesson_ids = {lesson.id for lesson in lessons_of("bmja")}
    assert {name for option in options for name in option.lessons} <= lesson_ids


OPTIONS_WITHOUT_CHOICE = {
    "fishing_intrinsic_includes_bonus": "the-ordinary-way: flowers are among the points",
    "purity_loose_tile_scores": "drawn-tile: Purity scores a loose tile",
    "original_call_winner_extra": "word-original-call: once more for the winner",
    "bouquet_includes_own": "flower-points: the own flower is among the two",
    "purity_intrinsic_concealed": "the-ordinary-way: Purity may be all concealed",
    "buried_treasure_last_pung_claimable": "claimed-to-win: Buried treasure is not spoilt",
    "last_tile_from_live_wall": "drawn-tile: the last tile is of the live wall",
    "clean_hand": "dirty-hands: one suit with honours doubles",
    "two_player_minimum": "two-players: so many doubles or points",
}
"""The choices that the answers take for granted; of all others, that nobody makes them."""


def test_the_answers_are_written_for_what_is_usual() -> None:
    """What differs from the usual is told beside an answer: if that moves, so must the answer."""
    usual = {option.name for option in load_builtin("bmja").options if option.default}
    assert usual == OPTIONS_WITHOUT_CHOICE.keys()


@pytest.mark.parametrize("lesson", [x for x in LESSONS if x.example], ids=lambda lesson: lesson.id)
def test_no_table_refuses_an_example(lesson: Lesson) -> None:
    rules = load_builtin(lesson.ruleset)
    for option in rules.options:
        choice = f"{option.name}:{'off' if option.default else 'on'}"
        assert score(parse_hand(lesson.example), rules.with_choices((choice,))).total > 0


@pytest.mark.parametrize("lesson", [x for x in LESSONS if x.picture], ids=lambda lesson: lesson.id)
def test_a_picture_shows_what_it_says(lesson: Lesson) -> None:
    assert {code for group in lesson.picture for code in group} <= {*CODES, FACE_DOWN, JOKER}
    assert len(lesson.laid) in (0, len(lesson.picture))
    for group, laid in zip(lesson.picture, lesson.laid, strict=False):
        assert laid in names_of(group, lesson), group


def names_of(group: tuple[str, ...], lesson: Lesson) -> set[str]:
    """Return what the reader of photographs calls such a set: `kong`, and `concealed kong`."""
    if JOKER in group:  # what a joker stands for no photograph tells
        group = tuple(code if code != JOKER else group[0] for code in group)
    sets = [LaidSet(tuple(range(len(group))), "exposed")]
    (assembled_set,) = assemble(group, sets, lesson.ruleset).sets
    return {assembled_set.kind, f"{assembled_set.row} {assembled_set.kind}"}


@pytest.mark.parametrize("claim", HANDS, ids=lambda claim: f"{claim['lesson']}: {claim['why']}")
def test_hands_score_as_the_lessons_say(claim: dict[str, Any]) -> None:
    hand = parse_hand(claim["hand"])
    if "refused" in claim:
        with pytest.raises(HandError) as refusal:
            score(hand)
        assert claim["refused"] in [problem.code for problem in refusal.value.problems]
        return
    breakdown = score(hand)
    rules = {line.rule for line in breakdown.lines}
    assert breakdown.total == claim.get("total", breakdown.total)
    assert set(claim.get("has", ())) <= rules
    assert set(claim.get("lacks", ())).isdisjoint(rules)
    assert set(claim.get("not_counted", ())) <= {each.rule for each in breakdown.not_counted}
    assert (breakdown.special or "") == claim.get("special", breakdown.special or "")
    for rule, points in claim.get("gives", {}).items():
        line_points = [line.points for line in breakdown.lines if line.rule == rule]
        assert set(line_points or [0]) == {points}, rule
    for rule, doubles in claim.get("doubles", {}).items():
        assert [line.doubles for line in breakdown.lines if line.rule == rule] == [doubles], rule
    if "beats" in claim:
        (other,) = [each for each in breakdown.compared if each.rule == claim["beats"]]
        assert other.total < breakdown.total


@pytest.mark.parametrize("claim", CLAIMS["settlement"], ids=lambda claim: claim["why"])
def test_settlements_are_as_the_lessons_say(claim: dict[str, Any]) -> None:
    settlement = settle(claim["scores"], claim["winner"])
    assert {p.payer + p.payee: p.amount for p in settlement.payments} == claim["pays"]


@pytest.mark.parametrize("claim", CLAIMS["break"], ids=lambda claim: claim["why"])
def test_walls_break_where_the_lessons_say(claim: dict[str, Any]) -> None:
    wall = break_wall(claim["throws"], wall_rules(load_builtin(claim.get("ruleset", "bmja"))))
    assert f"{wall.broken_at.wall}{wall.broken_at.number}" == claim["at"]


PLAYERS = ("Ann", "Bob", "Cy", "Di")
SCORES = dict.fromkeys(PLAYERS, 20)


def after(*log: WonDeal | WashOut, ruleset: str = "bmja") -> Deal:
    """Return the deal that follows these."""
    return Game(PLAYERS, ruleset=ruleset, log=log).course.next_deal


def _next_east() -> None:
    assert after(WonDeal("Ann", SCORES)).seats["E"] == "Ann", "East has won"
    assert after(WashOut()).seats["E"] == "Ann", "nobody has won"
    seats = after(WonDeal("Di", SCORES)).seats
    assert seats == {"E": "Bob", "S": "Cy", "W": "Di", "N": "Ann"}, "though North has won"


def _next_east_by_safalra() -> None:
    assert after(WonDeal("Cy", SCORES), ruleset="safalra").seats["E"] == "Cy"
    assert after(WashOut(), ruleset="safalra").seats["E"] == "Ann"


def _prevailing() -> None:
    entries = [WonDeal(winner, SCORES) for winner in ("Bob", "Cy", "Di", "Ann")]
    winds = [after(*entries[:count]).prevailing_wind for count in range(5)]
    assert winds == ["E", "E", "E", "E", "S"], "until Ann is East again"


def _after_a_wash_out() -> None:
    assert wash_out("ESWN").payments == ()
    assert after(WashOut()).goulash
    assert not after(WashOut(), WonDeal("Ann", SCORES)).goulash


def _kong_box_is_kept_apart() -> None:
    wall = break_wall((8, 3), BMJA_WALL)
    assert len(wall.kong_box) == 2 * wall.rules.kong_box[4]
    assert set(wall.kong_box).isdisjoint(wall.live)
    (first, second) = wall.loose
    assert (first.pair.number, second.pair.number) == (9, 10), "side by side, the first further off"


def _east_has_one_tile_more() -> None:
    counts = deal(break_wall((8, 3), BMJA_WALL)).counts
    assert {counts["E"] - counts[seat] for seat in "SWN"} == {1}


def _round_the_table() -> None:
    assert list(Game(PLAYERS).first_seating.seats) == list("ESWN"), "to the right of East is South"
    assert [packet.seat for packet in deal(break_wall((8, 3), BMJA_WALL)).packets[:4]] == list(
        "ESWN"
    )
    assert (
        "".join(dict.fromkeys(place.wall for place in break_wall((5, 5), BMJA_WALL).live)) == "ENWS"
    )


def _what_one_pays_another_receives() -> None:
    assert sum(settle({"E": 80, "S": 84, "W": 208, "N": 416}, "S").net.values()) == 0


def _majors() -> None:
    (lesson,) = [lesson for lesson in LESSONS if lesson.id == "major-tiles"]
    codes = {code for group in lesson.picture for code in group}
    assert codes == {tile.code for tile in TILES if tile.is_major}
    assert not Tile.parse("B1").is_honour


def _check_each() -> None:
    (lesson,) = [lesson for lesson in LESSONS if lesson.id == "word-major"]
    minor, major, honour = (Tile.parse(codes[0]) for codes in lesson.picture)
    assert minor.is_minor
    assert major.is_major
    assert not major.is_honour
    assert honour.is_honour


def _bonus_tiles() -> None:
    (lesson,) = [lesson for lesson in LESSONS if lesson.id == "word-bonus-tile"]
    codes = {code for group in lesson.picture for code in group}
    assert codes == {tile.code for tile in TILES if tile.is_bonus}


def _fifth_comes_in() -> None:
    five = Game((*PLAYERS, "Eve"), log=(WonDeal("Bob", SCORES),)).course
    assert (five.next_deal.dreamer, five.next_deal.seats["N"]) == ("Ann", "Eve")


def _two_change_winds() -> None:
    two = Game(PLAYERS[:2], log=(WonDeal("Bob", dict.fromkeys(PLAYERS[:2], 20)),)).course
    assert two.next_deal.seats == {"E": "Bob", "W": "Ann"}


def _three_tiles_three_times() -> None:
    assert (EXCHANGED_TILES, len(EXCHANGE_PAIRS)) == (3, 3)


def _one_tile_short() -> None:
    for name in ("fishing", "word-fishing"):
        (lesson,) = [lesson for lesson in LESSONS if lesson.id == name]
        text = " ".join("+".join(codes) for codes in lesson.picture)
        assert [wait.tile for wait in score(parse_hand(f"| {text} |")).waits] == ["DG"]


BY_CODE: dict[str, Callable[[], None]] = {
    "east-passes-on": _next_east,
    "how-many-play": _fifth_comes_in,
    "saf-east": _next_east_by_safalra,
    "prevailing-wind": _prevailing,
    "word-winds": _prevailing,
    "wash-out": _after_a_wash_out,
    "word-wash-out": _after_a_wash_out,
    "kong-box": _kong_box_is_kept_apart,
    "kong-box-empty": _kong_box_is_kept_apart,
    "word-walls": _kong_box_is_kept_apart,
    "who-starts": _east_has_one_tile_more,
    "which-way-round": _round_the_table,
    "without-tallies": _what_one_pays_another_receives,
    "major-tiles": _majors,
    "word-major": _check_each,
    "word-bonus-tile": _bonus_tiles,
    "two-players": _two_change_winds,
    "goulash": _three_tiles_three_times,
    "fishing": _one_tile_short,
    "word-fishing": _one_tile_short,
}
"""What no single hand shows, by the lesson that says it."""


@pytest.mark.parametrize("lesson", BY_CODE)
def test_the_rest_is_as_the_lessons_say(lesson: str) -> None:
    BY_CODE[lesson]()


def test_every_lesson_is_held_to_the_rules() -> None:
    lesson_ids = {claim["lesson"] for claims in CLAIMS.values() for claim in claims}
    lesson_ids |= {lesson.id for lesson in LESSONS if lesson.table or lesson.laid or lesson.example}
    lesson_ids |= {each.id for each in LESSONS if "{" in WORDS[f"lesson.{each.id}.answer"]}
    lesson_ids |= BY_CODE.keys()
    assert lesson_ids.isdisjoint(OF_THE_TABLE)
    assert {lesson.id for lesson in LESSONS} == lesson_ids | OF_THE_TABLE.keys()
