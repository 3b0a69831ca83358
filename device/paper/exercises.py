"""A sheet of hands to score with a pencil, its answers on pages of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from device.paper.blocks import Block, Entry, TileRow, sheet
from device.web.tableau import symbol
from device.web.tutor.exercise_view import answer_words, asked, hand_to_score, level_words
from device.web.tutor.shown import shown_hand
from device.web.words import say, tile_name, translated
from scorer.practice.counting import Counted
from scorer.practice.exercise import Exercise, exercise
from scorer.practice.levels import levels
from scorer.practice.questions import Question, Step
from scorer.ruleset import Ruleset
from scorer.tiles import WINDS

HANDS = 10
BLANK = "........"


def exercise_sheet(level: str, seed: int, rules: Ruleset) -> bytes:
    """Return ten hands of a level, or of all levels rising, as PDF; raise NoExerciseError."""
    found = exercises(level, seed, rules)
    hands = [_hand(number, each) for number, each in enumerate(found, 1)]
    answers = [_answers(number, each) for number, each in enumerate(found, 1)]
    lead = " ".join(filter(None, (say("exercise.sheet-lead", number=seed), rules.notice)))
    return sheet(say("exercise.title"), lead, [*hands, *answers])


def exercises(level: str, seed: int, rules: Ruleset) -> tuple[Exercise, ...]:
    """Return ten exercises, each with its own number; without a level from easy to hard."""
    keys = [each.key for each in levels(rules)]
    return tuple(
        exercise(level or keys[place * len(keys) // HANDS], seed + place, rules)
        for place in range(HANDS)
    )


def _hand(number: int, found: Exercise) -> Block:
    """Return a hand, and a line for each thing to fill in."""
    four = len(found.table) > 1
    facts = [Entry("", " · ".join(_facts(each))) for each in found.table]
    return Block(
        title=_title(number, found),
        total="",
        rows=tuple(row for each in found.table for row in _rows(each, four=four)),
        entries=(*facts, *(entry for step in found.steps for entry in _blanks(step))),
    )


def _title(number: int, found: Exercise) -> str:
    words = level_words(found.made.level, found.made.rules)
    return f"{number}. {words.title}"


def _facts(found: Counted) -> list[str]:
    shown = hand_to_score(found)
    facts = list(shown.facts)
    if shown.winning_tile:
        facts.append(f"{say('exercise.with')} {tile_name(shown.winning_tile)}")
    return facts


def _rows(found: Counted, *, four: bool) -> Iterator[TileRow]:
    wind = str(translated(WINDS[found.hand.seat_wind]))
    for row, sets in hand_to_score(found).rows:
        name = say(f"tiles.{row}")
        tiles = tuple(tuple(map(symbol, each.codes)) for each in sets)
        yield TileRow(f"{wind}: {name}" if four else name, tiles)


def _blanks(step: Step) -> Iterator[Entry]:
    """Yield what is to be filled in; which doubles apply, on one line."""
    if step.key == "doubles":
        yield Entry(BLANK, f"{say('exercise.step.doubles')} {BLANK * 8}")
        return
    for question in step.questions:
        choices = " / ".join(answer_words(question, n) for n in range(len(question.choices)))
        yield Entry(BLANK, f"{_about(question)} {choices}".strip())


def _about(question: Question) -> str:
    """Return what a line asks, its tiles named."""
    names = list(dict.fromkeys(map(tile_name, question.tiles)))
    if not names:
        return asked(question)
    alike = f"{len(question.tiles)} × " if len(names) == 1 else ""
    return f"{asked(question)}: {alike}{', '.join(names)}"


def _answers(number: int, found: Exercise) -> Block:
    """Return how the scorer counts it."""
    rules = found.made.rules
    scores = [shown_hand(each.hand, rules) for each in found.table]
    lines = [line for each in scores[:1] for line in (*each.points, *each.doubles)]
    entries: Sequence[Entry] = [
        Entry(str(line.points) if not line.doubles else " ".join(["×2"] * line.doubles),
              str(translated(line.label)), line.rule)
        for line in lines
    ]  # fmt: skip
    if len(scores) > 1:
        entries = [
            Entry(answer_words(q, q.expected), asked(q), q.rule)
            for step in found.steps
            for q in step.questions
        ]
    elif len(found.steps) > 1 and found.steps[-1].key in ("limit", "takes"):
        entries = [
            *entries,
            *(Entry("", f"{asked(q)} {answer_words(q, q.expected)}", q.rule)
              for step in found.steps[-2:] for q in step.questions if q.asks != "product"),
        ]  # fmt: skip
    return Block(
        title=_title(number, found),
        total="" if len(scores) > 1 else str(scores[0].total),
        entries=tuple(entries),
        working=() if len(scores) > 1 else scores[0].working,
        new_page=number == 1,
    )
