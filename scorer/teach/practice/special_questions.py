"""Questions about special hands, and about hands that can be counted in two ways."""

from __future__ import annotations

from scorer.explain.sums import write_points
from scorer.message import message
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Candidate
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import Answers, Question, QuestionStep
from scorer.teach.practice.random_hands import SeededDice
from scorer.teach.practice.score_questions import (
    MIN_TOP_FIGURE,
    double_steps,
    limit_step,
    point_steps,
)

FIXED_REASON = message("question.fixed")
APART_REASON = message("question.apart")
BETTER_REASON = message("question.better")

OFFERED_NAMES = 4
"""The number of special hands offered."""


def special_steps(practice_hand: PracticeHand, seed: int) -> list[QuestionStep]:
    """Return the questions about a special hand with a fixed value."""
    way = practice_hand.best
    special = _require_special(way)
    steps = [
        QuestionStep("special", (_ask_name(special, practice_hand, seed),)),
        QuestionStep("value", (_ask_value(special, way, practice_hand.rules),)),
    ]
    if practice_hand.hand.bonus:
        steps += [
            QuestionStep("apart", _ask_bonus(practice_hand, way)),
            QuestionStep("together", (_ask_sum(way),)),
        ]
    last = steps[-1].questions[-1].name
    return steps + limit_step(way.worth, practice_hand.limit, last)


def both_steps(practice_hand: PracticeHand, known_rules: frozenset[str]) -> list[QuestionStep]:
    """Return the questions about a hand that is ordinary and special: both sums; then which."""
    ordinary, way = practice_hand.ordinary, practice_hand.special
    if ordinary is None or way is None:
        raise ValueError("the hand is not both ordinary and special")
    points = point_steps(practice_hand, ordinary, known_rules, "o")
    steps = points + double_steps(practice_hand, ordinary, known_rules, points, "o")
    special = _require_special(way)
    worth = Question(
        "special",
        "worth",
        "number",
        way.worth,
        (_write_special_sum(way),),
        special.id,
        label=special.name,
        values=(int(way.fishing),),
    )
    names = (message("question.ordinary"), special.name)
    takes = Question(
        "takes",
        "takes",
        "word",
        int(practice_hand.best.special is not None),
        (BETTER_REASON,),
        "BMJA-S08",
        choices=names,
        follows=lambda answers: int(answers["special"] > answers["oproduct"]),
    )
    return [
        *(QuestionStep(each.key, each.questions, "ordinary") for each in steps),
        QuestionStep("worth", (worth,), "special"),
        QuestionStep("takes", (takes, _ask_total(practice_hand))),
    ]


def _ask_total(practice_hand: PracticeHand) -> Question:
    best, limit = practice_hand.best, practice_hand.limit

    def compute_total(answers: Answers) -> int:
        highest = max(answers["special"], answers["oproduct"])
        return highest if limit is None else min(highest, limit)

    total = best.capped_score(limit)
    cut = (f"{best.worth} → {total}",) if total < best.worth else ()
    rule = "BMJA-L01" if cut else "BMJA-S08"
    return Question("total", "total", "number", total, cut, rule, follows=compute_total)


def _require_special(way: Candidate) -> SpecialHand:
    if way.special is None:
        raise ValueError("the hand is no special hand")
    return way.special


def _ask_name(special: SpecialHand, practice_hand: PracticeHand, seed: int) -> Question:
    """Ask for the name among special hands that it is not; it may be several (BMJA-S09)."""
    rules = practice_hand.rules
    true = {way.special.id for way in practice_hand.ways if way.special}
    other_specials = [each for each in rules.specials if each.of != "event" and each.id not in true]
    choices = {
        special.id,
        *(o.id for o in SeededDice(f"names/{seed}").draw_some(other_specials, OFFERED_NAMES - 1)),
    }
    names = tuple(each.name for each in rules.specials if each.id in choices)
    return Question(
        "name",
        "fishing" if practice_hand.best.fishing else "special",
        "word",
        names.index(special.name),
        (special.sentence,),
        special.id,
        choices=names,
    )


def _ask_value(special: SpecialHand, way: Candidate, rules: Ruleset) -> Question:
    figures = {value for each in rules.specials for value in (each.value, each.fishing) if value}
    return Question(
        "value",
        "value",
        "figure",
        way.points,
        (FIXED_REASON,),
        "BMJA-F02" if way.fishing else "BMJA-S01",
        label=special.name,
        figures=tuple(sorted(figures)),
    )


def _ask_bonus(practice_hand: PracticeHand, way: Candidate) -> tuple[Question, ...]:
    """Ask what the flowers and seasons score and how often they double (BMJA-S02)."""
    lines = [line for line in practice_hand.lines(way) if line.part == "bonus"]
    points = [line.points for line in lines if line.points]
    doubles = [line for line in lines if line.doubles]
    tiles = practice_hand.hand.bonus
    return (
        Question(
            "bonus",
            "bonus",
            "figure",
            way.bonus_points,
            (APART_REASON, write_points(points)),
            "BMJA-S02",
            tiles=tiles,
            row="bonus",
            figures=_multiples(points),
        ),
        Question(
            "bonusdoubles",
            "bonusdoubles",
            "figure",
            way.bonus_doubles,
            tuple(line.sentence for line in doubles) or (write_points([]),),
            doubles[0].rule if doubles else "BMJA-S02",
            figures=tuple(range(max(MIN_TOP_FIGURE, way.bonus_doubles) + 1)),
        ),
    )


def _multiples(points: list[int]) -> tuple[int, ...]:
    """Return what some of the tiles could score; 0 alone under rules by which none scores."""
    tile_points = points[0] if points else 0
    return tuple(dict.fromkeys(tile_points * number for number in range(len(points) + 2)))


def _ask_sum(way: Candidate) -> Question:
    return Question(
        "product",
        "together",
        "number",
        way.worth,
        (_write_special_sum(way),),
        "BMJA-S02",
        follows=lambda answers: answers["value"] + (answers["bonus"] << answers["bonusdoubles"]),
    )


def _write_special_sum(way: Candidate) -> str:
    """Write the sum of a special hand, with its bonus tiles apart."""
    hand = write_points([way.points], way.doubles)
    if not way.bonus_points:
        return hand
    bonus_sum = write_points([way.bonus_points], way.bonus_doubles)
    sums = write_points([way.points << way.doubles, way.bonus_points << way.bonus_doubles])
    return "; ".join([text for text in (hand, bonus_sum) if "=" in text] + [sums])
