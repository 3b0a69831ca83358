"""Show example hands and exercises: the hand as it lies, and each question in words.

A hand is shown with its sets in their rows, all faces up, with the known facts and its score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from device.i18n.words import is_said, say, spoken, tile_name, wind_name
from device.views.score import format_working
from scorer.breakdown import Breakdown, Line, TileSet
from scorer.hand import Codes, Hand
from scorer.notation import format_hand
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.teach.practice.levels import PracticeLevel
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import MarkedAnswer, Question, QuestionStep
from vision.reading import RowName


@dataclass(frozen=True, slots=True)
class ShownSet:
    """A group of tiles."""

    name: str
    """The kind of set: `Pung`; empty for loose tiles."""
    codes: tuple[str, ...]


ShownRows = tuple[tuple[RowName, tuple[ShownSet, ...]], ...]
"""Sets row by row."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand, and its score."""

    rows: ShownRows
    """Exposed, concealed and bonus tiles; a row without tiles is left out."""
    points: tuple[Line, ...]
    doubles: tuple[Line, ...]
    total: int
    working: tuple[str, ...]
    """The sum written out, in a line or two."""
    breakdown: Breakdown
    hand_text: str
    winning_tile: str | None


def show_hand(hand: Hand, rules: Ruleset | None = None) -> ShownHand:
    """Return a hand with its score; raise HandError for an invalid hand."""
    return show_breakdown(hand, score(hand, rules))


def show_breakdown(hand: Hand, breakdown: Breakdown) -> ShownHand:
    """Return a hand with this score."""
    exposed = [show_set(each) for each in breakdown.sets if not each.concealed]
    concealed = [show_set(each) for each in breakdown.sets if each.concealed]
    return ShownHand(
        rows=arrange_rows(exposed, concealed, hand.bonus),
        points=tuple(line for line in breakdown.lines if not line.doubles),
        doubles=tuple(line for line in breakdown.lines if line.doubles),
        total=breakdown.total,
        working=format_working(breakdown),
        breakdown=breakdown,
        hand_text=format_hand(hand),
        winning_tile=hand.winning_tile,
    )


def arrange_rows(
    exposed: Sequence[ShownSet], concealed: Sequence[ShownSet], bonus: Codes
) -> ShownRows:
    """Return the sets and bonus tiles in their rows; a row without tiles is left out."""
    rows: ShownRows = (
        ("exposed", tuple(exposed)),
        ("concealed", tuple(concealed)),
        ("bonus", (ShownSet("", bonus),) if bonus else ()),
    )
    return tuple((row, sets) for row, sets in rows if sets)


def show_set(tile_set: TileSet) -> ShownSet:
    """Return a set with its name."""
    name = "" if tile_set.kind == "loose" else say(f"kind.{tile_set.kind}")
    return ShownSet(name, tile_set.tiles)


@dataclass(frozen=True, slots=True)
class HandToScore:
    """A hand as it lies, without its score."""

    rows: ShownRows
    facts: tuple[str, ...]
    """What tiles cannot show, a few words each."""
    winning_tile: str | None
    notice: str
    """The ruleset's notice, which every score must show."""

    @property
    def in_words(self) -> tuple[str, ...]:
        """Return the facts and the winning tile as text."""
        if not self.winning_tile:
            return self.facts
        return (*self.facts, f"{say('exercise.with')} {tile_name(self.winning_tile)}")


@dataclass(frozen=True, slots=True)
class LevelWords:
    """A level in words."""

    key: str
    title: str
    teaches: str


def hand_to_score(practice_hand: PracticeHand) -> HandToScore:
    """Return a hand as shown to somebody who is to score it."""
    hand = practice_hand.hand
    notice = spoken(practice_hand.rules.notice)
    return HandToScore(
        _rows_as_laid(practice_hand),
        tuple(_describe_situation(practice_hand)),
        hand.winning_tile,
        notice,
    )


def _rows_as_laid(practice_hand: PracticeHand) -> ShownRows:
    """Return the sets in their rows; the winning tile may have been claimed."""
    hand, sets = practice_hand.hand, practice_hand.best.arrangement.sets
    shown_sets = [show_set(each) for each in sets]
    number = len(hand.exposed)
    return arrange_rows(shown_sets[:number], shown_sets[number:], hand.bonus)


def _describe_situation(practice_hand: PracticeHand) -> Iterator[str]:
    hand = practice_hand.hand
    yield say("exercise.seat", wind=wind_name(hand.seat_wind))
    if practice_hand.rules.prevailing_wind:
        yield say("exercise.prevailing", wind=wind_name(hand.prevailing_wind))
    if hand.winner:
        yield say("exercise.won", how=say(f"won-how.{hand.won_by[0]}"))
    else:
        yield say("exercise.not-won")
    if hand.original_call:
        yield say("situation.original-call")


def describe_level(level: PracticeLevel, rules: Ruleset) -> LevelWords:
    """Return the title and the subject of a level under these rules."""
    ruleset_key = f"exercise.level.{level.key}.{rules.name}"
    teaches = (
        say(ruleset_key) if is_said(ruleset_key) else say(f"exercise.level.{level.key}.teaches")
    )
    return LevelWords(level.key, say(f"exercise.level.{level.key}.title"), teaches)


def ask_question(question: Question) -> str:
    """Return a question in words; for a set, the row where it lies."""
    if question.asks in ("set", "bonus"):
        return say(f"tiles.{question.row}")
    if question.asks in ("win", "double"):
        return spoken(question.label)
    key = "worth-fishing" if question.asks == "worth" and question.values[0] else question.asks
    first, second = (*question.names, "", "")[:2]
    return say(
        f"exercise.ask.{key}",
        label=question.label,
        limit=question.values[0] if question.values else "",
        first=first,
        second=second,
    )


def describe_answer(question: Question, answer: int) -> str:
    """Return an answer in words: a figure, a choice, or whether a double applies."""
    if question.form == "word":
        return spoken(question.choices[answer])
    if question.form == "tick":
        return say("exercise.applies") if answer else say("exercise.applies-not")
    return str(answer)


def describe_verdict(answer: MarkedAnswer) -> str:
    """Return in a word or two whether an answer is right."""
    if answer.right:
        return say("exercise.right")
    if answer.followed:
        return say("exercise.followed")
    return say("exercise.empty") if answer.answer is None else say("exercise.wrong")


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """The result of an earlier step."""

    words: str
    figure: str


RESULT_QUESTIONS = ("sum", "count", "product", "name", "value", "together", "worth", "score")
"""Questions whose answers later questions build on."""


def earlier_results(steps: Sequence[QuestionStep]) -> tuple[EarlierResult, ...]:
    """Return the correct results of finished steps, for the next step to build on."""
    questions = [each for step in steps for each in step.questions if each.asks in RESULT_QUESTIONS]
    return tuple(EarlierResult(ask_question(q), describe_answer(q, q.expected)) for q in questions)
