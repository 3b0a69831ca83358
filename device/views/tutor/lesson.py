"""Show a lesson: question, answer, example, data tables, and this table's house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from device.hands.record import Agreement
from device.i18n.words import (
    group_digits,
    is_said,
    join_sentences,
    say,
    say_figures,
    sign_amount,
    tile_name,
    wind_name,
)
from device.views.tutor.exercise import ShownHand, show_hand
from device.views.tutor.rules import say_after_wash_out
from scorer.errors import HandError
from scorer.explain.sums import write_doubles
from scorer.hand import Codes, Hand
from scorer.match.settlement import Settlement, settle
from scorer.notation import parse_hand
from scorer.ruleset import Rule, Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.table_setup.east import EXCHANGE_PAIRS
from scorer.table_setup.wall import TWO_DICE_TOTALS, choose_wall
from scorer.teach.lessons.figures import collect_figures, score_quoted_hands
from scorer.teach.lessons.lessons import SECTIONS, Lesson
from scorer.tiles import RANKS, SUITS, WINDS, Tile, copies_in_set

_PLAYER_COUNT_KEYS = {2: "two", 3: "three", 5: "five"}
"""Numbers of players that change an answer, with their message keys."""


@dataclass(frozen=True, slots=True)
class LessonExample:
    """A scored hand, and what its tiles cannot show."""

    shown: ShownHand
    says: str


@dataclass(frozen=True, slots=True)
class LessonView:
    """One question with all of its answer."""

    id: str
    question: str
    answer: str
    mark: str
    """`correction` or `clarified`, or empty."""
    mark_says: str
    at_table: tuple[str, ...]
    """This table's deviations, a sentence each."""
    picture: tuple[tuple[str, Codes], ...]
    """Groups of tiles, each with a name or an empty one."""
    table: LessonTable | None
    drawn: str
    """The setup step whose drawing belongs to it; empty for none."""
    ruleset: str
    example: LessonExample | None
    rules: Codes


def order_sections(ruleset: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sections of this ruleset, then those of the others."""
    other_sections = tuple(s for name, those in SECTIONS.items() if name != ruleset for s in those)
    return SECTIONS[ruleset], other_sections


def ask_lesson(lesson: Lesson) -> str:
    """Return the question, as a newcomer asks it."""
    return say(f"lesson.{lesson.id}.question")


def answer_lesson(lesson: Lesson, rules: Ruleset) -> str:
    """Return the answer with its figures."""
    figures = {**collect_figures(rules), **score_quoted_hands(lesson, rules)}
    after = say_after_wash_out(rules)
    return say_figures(f"lesson.{lesson.id}.answer", figures, after_wash_out=after)


def lesson_view(lesson: Lesson, agreement: Agreement) -> LessonView:
    """Return a lesson as the page shows it, for a table with these agreements."""
    rules = agreement.rules_called(lesson.ruleset)
    names = [say(f"lesson-laid.{laid.replace(' ', '-')}") for laid in lesson.laid]
    mark_key = f"lesson.{lesson.id}.mark"
    return LessonView(
        id=lesson.id,
        question=ask_lesson(lesson),
        answer=answer_lesson(lesson, rules),
        mark=lesson.mark,
        mark_says=say(mark_key) if is_said(mark_key) else "",
        at_table=tuple(_describe_table_rules(lesson, rules, agreement)),
        picture=tuple(zip(names or [""] * len(lesson.picture), lesson.picture, strict=True)),
        table=lesson_table(lesson.table, rules) if lesson.table else None,
        drawn=lesson.drawn,
        ruleset=lesson.ruleset,
        example=_lesson_example(lesson.example, rules) if lesson.example else None,
        rules=lesson.rules,
    )


def _describe_table_rules(lesson: Lesson, rules: Ruleset, agreement: Agreement) -> Iterator[str]:
    """Yield the options where the table deviates from the answer."""
    for option in rules.options:
        if option.name in lesson.options and rules.is_on(option.name) != option.default:
            key = "lessons.not-at-table" if option.default else "lessons.at-table"
            yield say(key, says=option.sentence)
    if rules.name == agreement.ruleset:
        for said in _describe_agreement(lesson, rules, agreement.players):
            yield say("lessons.at-table", says=said)


def _describe_agreement(lesson: Lesson, rules: Ruleset, players: int) -> Iterator[str]:
    if "limit" in lesson.notes and rules.limit != load_builtin(rules.name).limit:
        is_unlimited = rules.limit is None
        yield (
            say("lessons.limit-off")
            if is_unlimited
            else say("lessons.limit-other", limit=group_digits(rules.limit or 0))
        )
    if "players" in lesson.notes and players in _PLAYER_COUNT_KEYS:
        yield say(f"lessons.players-{_PLAYER_COUNT_KEYS[players]}")
    if "paying" in lesson.notes and players == 2:
        yield say("lessons.paying-two")


def _lesson_example(text: str, rules: Ruleset) -> LessonExample | None:
    """Return an example with its score; None for a hand that a custom ruleset refuses."""
    hand = parse_hand(text)
    try:
        shown_hand = show_hand(hand, rules)
    except HandError:
        return None
    return LessonExample(shown_hand, join_sentences(_describe_example(hand, rules)))


def _describe_example(hand: Hand, rules: Ruleset) -> Iterator[str]:
    """Yield the facts of an example that its tiles do not show."""
    seat, prevailing = wind_name(hand.seat_wind), wind_name(hand.prevailing_wind)
    if rules.prevailing_wind:
        yield say("lessons.seat-winds", seat=seat, prevailing=prevailing)
    else:
        yield say("lessons.seat-wind", seat=seat)
    if hand.winner:
        tile, way = tile_name(hand.winning_tile or ""), say(f"won-how.{hand.won_by[0]}")
        yield say("lessons.won", tile=tile, how=way)
    else:
        yield say("lessons.not-won")


EXAMPLE_SCORES = MappingProxyType({"E": 80, "S": 84, "W": 208, "N": 416})
"""Scores of the settlement example: a small win, with East among the payers."""

MAX_KINDS_DRAWN = 8
"""With more kinds than this, one tile of each suit is drawn."""


@dataclass(frozen=True, slots=True)
class LessonTableRow:
    """One row: its name and its cells."""

    name: str
    cells: tuple[str, ...]
    codes: Codes = ()
    """Tiles drawn beside the name."""


@dataclass(frozen=True, slots=True)
class LessonTable:
    """A data table in a lesson."""

    name: str
    """Its key in `LESSON_TABLES`."""
    caption: str
    rows: tuple[LessonTableRow, ...]
    heads: tuple[str, ...] = ()
    """Headings of the cells; may be empty."""


def lesson_table(name: str, rules: Ruleset) -> LessonTable:
    """Return one of `LESSON_TABLES`; raise KeyError for any other name."""
    rows, heads = LESSON_TABLES[name], LESSON_TABLE_HEADS.get(name, ())
    scores = {seat: group_digits(score) for seat, score in EXAMPLE_SCORES.items()}
    caption = say(f"lesson-table.{name}", **scores)
    return LessonTable(name, caption, tuple(rows(rules)), tuple(map(say, heads)))


def _tile_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    sorts = [("suits", "".join(SUITS)), ("winds", "W"), ("dragons", "D")]
    total = 0
    for name, families in [*sorts, ("bonus", "FS")] if rules.bonus_tiles else sorts:
        tiles = [Tile(family, rank) for family in families for rank in RANKS[family]]
        count = sum(copies_in_set(tile) for tile in tiles)
        total += count
        key = "lesson-table.copies-one" if count == len(tiles) else "lesson-table.copies"
        sentence = say(key, kinds=len(tiles), copies=count // len(tiles))
        shown_tiles = (
            tiles if len(tiles) <= MAX_KINDS_DRAWN else [Tile(family, "5") for family in families]
        )
        codes = tuple(tile.code for tile in shown_tiles)
        yield LessonTableRow(say(f"lesson-table.{name}"), (sentence, group_digits(count)), codes)
    yield LessonTableRow(say("lesson-table.together"), ("", group_digits(total)))


def _seat_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    places = ("first", "to-right", "opposite", "to-left")
    for wind, place in zip(WINDS, places, strict=True):
        yield LessonTableRow(wind_name(wind), (say(f"lesson-table.{place}"),), (f"W{wind}",))


def _number_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    for wind, rank in zip(WINDS, RANKS["F"], strict=True):
        yield LessonTableRow(wind_name(wind), (rank,), (f"F{rank}", f"S{rank}"))


def _throw_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    for wind in WINDS:
        throws = [str(throw) for throw in TWO_DICE_TOTALS if choose_wall(throw) == wind]
        yield LessonTableRow(
            say("lesson-table.wall-of", wind=wind_name(wind)), (say("lessons.list").join(throws),)
        )


def _point_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    """Yield the sets, cheapest first: 5s for minor tiles, winds for any other."""
    for rule in reversed(_set_rules(rules)):
        code = "O5" if rule.when in ("minor", "suit") else "WS"
        codes = (code,) * (4 if "kong" in rule.kinds else 3)
        for concealed in (False, True):
            points = rule.points_for(concealed=concealed)
            yield LessonTableRow(say(rule.label_for(concealed=concealed)), (str(points),), codes)


def _set_rules(rules: Ruleset) -> list[Rule]:
    shapes = {"pung", "kong"}
    return [r for r in rules.rules_by_subject["set"] if shapes & set(r.kinds) and not r.doubles]


def _winner_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    """Yield the winner's doubles, except those of a special hand (BMJA-S32)."""
    for rule in rules.rules:
        if rule.winner_only and rule.doubles and rule.of in ("hand", "win"):
            if rule.when == "purity-concealed":
                continue
            yield LessonTableRow(say(rule.label), (_format_doubles(rule.doubles),))


def _special_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    for special in rules.specials:
        worth = [special.value, special.fishing]
        texts = [
            group_digits(value) if value else _format_doubles(special.doubles) for value in worth
        ]
        yield LessonTableRow(say(special.name), tuple(texts))


def _format_doubles(times: int) -> str:
    return write_doubles(times) or "–"


def _swap_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    for place, pairs in enumerate(EXCHANGE_PAIRS, 1):
        sentences = [
            say("lesson-table.swap-pair", one=wind_name(pair[0]), other=wind_name(pair[1]))
            for pair in pairs
        ]
        name = say("lesson-table.swap", number=place)
        yield LessonTableRow(name, (say("lessons.list").join(sentences),))


def _payment_rows(rules: Ruleset) -> Iterator[LessonTableRow]:
    settlement: Settlement = settle(EXAMPLE_SCORES, "S")
    for payment in settlement.payments:
        payer, payee = wind_name(payment.payer), wind_name(payment.payee)
        sentence = say("lesson-table.pays", payer=payer, payee=payee)
        is_doubled = "E" in (payment.payer, payment.payee)
        sum_ = say("lesson-table.doubled", amount=payment.amount // 2) if is_doubled else ""
        yield LessonTableRow(sentence, (sum_, group_digits(payment.amount)))
    for seat, change in settlement.net.items():
        name = say("lesson-table.balance", player=wind_name(seat))
        yield LessonTableRow(name, ("", sign_amount(change)))


LESSON_TABLES: Mapping[str, Callable[[Ruleset], Iterator[LessonTableRow]]] = MappingProxyType(
    {
        "tiles": _tile_rows,
        "seats": _seat_rows,
        "numbers": _number_rows,
        "throws": _throw_rows,
        "points": _point_rows,
        "winner": _winner_rows,
        "specials": _special_rows,
        "swaps": _swap_rows,
        "payments": _payment_rows,
    }
)
"""The function that makes the rows of each table, by the name in the lesson."""

LESSON_TABLE_HEADS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"specials": ("lesson-table.won", "lesson-table.fishing")}
)
