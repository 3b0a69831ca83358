"""Questions about doubles: which apply, how many there are, the doubled points."""

from __future__ import annotations

from collections.abc import Container, Iterator

from scorer.explain.not_counted import not_counted
from scorer.explain.sums import written
from scorer.message import message
from scorer.ruleset import Rule, Ruleset
from scorer.scoring.candidates import Candidate
from scorer.teach.practice.counting import Counted
from scorer.teach.practice.points import own_points
from scorer.teach.practice.questions import Question, QuestionStep

LEAST, MOST = 4, 8
"""How many doubles are offered: those that apply, and two to four others."""

FEW_DOUBLES = 5
"""The offered figures go at least up to this, so that they do not give away the answer."""

ORDINARY = ("set", "bonus", "win", "hand")
"""The subjects of rules that count in an ordinary hand."""


def double_steps(
    found: Counted,
    way: Candidate,
    known: frozenset[str],
    points: list[QuestionStep],
    name: str = "",
) -> list[QuestionStep]:
    """Return the questions about the doubles of an ordinary sum and its total."""
    which = tuple(_which(found, way, known, name))
    weight = {each.name: each.values[0] for each in which}
    given = [line.doubles for line in found.lines(way) if line.doubles]
    count = Question(
        f"{name}count",
        "count",
        "figure",
        way.doubles,
        (written(given),),
        figures=tuple(range(max(FEW_DOUBLES, way.doubles + 1) + 1)),
        follows=lambda answers: sum(weight[key] * answers[key] for key in weight),
    )
    product = Question(
        f"{name}product",
        "product",
        "number",
        way.worth,
        (written([way.points], way.doubles),),
        follows=lambda answers: own_points(points, answers) << answers[count.name],
    )
    return [
        QuestionStep("doubles", which),
        QuestionStep("count", (count,)),
        QuestionStep("product", (product,)),
    ]


def _which(found: Counted, way: Candidate, known: frozenset[str], name: str) -> Iterator[Question]:
    lines = [line for line in found.lines(way) if line.doubles]
    missed = {each.rule: each.reason for each in not_counted(way, found.ways, found.rules)}
    offered = _offered(found.rules, {(line.rule, line.label) for line in lines}, known, missed)
    for number, rule in enumerate(offered):
        here = sum(line.doubles for line in lines if (line.rule, line.label) == _key(rule))
        yield Question(
            f"{name}d{number}",
            "double",
            "tick",
            int(bool(here)),
            (rule.sentence if here else missed.get(rule.id, rule.sentence),),
            rule.id,
            label=rule.label,
            values=(here or rule.doubles,),
        )


def _offered(
    rules: Ruleset, given: set[tuple[str, str]], known: frozenset[str], missed: Container[str]
) -> list[Rule]:
    """Return the offered doubles in the ruleset's order: those that apply, and some others.

    Others that the hand nearly has are chosen first.
    """
    rows: dict[tuple[str, str], Rule] = {}
    for rule in rules.rules:
        if rule.doubles and rule.of in ORDINARY and (rule.id in known or _key(rule) in given):
            rows.setdefault(_key(rule), rule)
    others = sorted((key for key in rows if key not in given), key=lambda key: key[0] not in missed)
    room = max(LEAST - len(given), min(3, MOST - len(given)), 2)
    kept = given.union(others[:room])
    return [rule for key, rule in rows.items() if key in kept]


def _key(rule: Rule) -> tuple[str, str]:
    return rule.id, rule.label


def limit_step(worth: int, limit: int | None, product: str, name: str = "") -> list[QuestionStep]:
    """Return the question whether the limit cuts a score; none without a limit."""
    if limit is None:
        return []
    cut = Question(
        f"{name}cut",
        "cut",
        "word",
        int(worth > limit),
        (_compared(worth, limit),),
        "BMJA-L01",
        choices=(message("question.no"), message("question.yes")),
        values=(limit,),
        follows=lambda answers: int(answers[product] > limit),
    )
    return [QuestionStep("limit", (cut,))]


def _compared(worth: int, limit: int) -> str:
    """Write the comparison of a score with the limit: `1280 > 1000`, `960 ≤ 1000`."""
    return f"{worth} {'>' if worth > limit else '≤'} {limit}"
