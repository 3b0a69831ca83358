"""Questions about an ordinary sum: points of sets, bonus tiles and winning; doubles; the limit."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.breakdown import TileSet
from scorer.explain.not_counted import not_counted
from scorer.explain.sums import written
from scorer.message import Words, message
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import Candidate
from scorer.scoring.pricing import Award, bonus_awards, hand_awards, sets_price, win_awards
from scorer.teach.practice.counting import Counted
from scorer.teach.practice.questions import Answers, Question, QuestionStep

CLAIMED = message("question.claimed")


def point_steps(
    found: Counted, way: Candidate, known: frozenset[str], name: str = ""
) -> list[QuestionStep]:
    """Return the questions about the points of an ordinary sum and their total."""
    lines = tuple(_questions(found, way, known, name))
    steps = [QuestionStep("points", lines)]
    if len(lines) > 1:
        total = Question(
            f"{name}sum",
            "sum",
            "number",
            way.points,
            (written([each.expected for each in lines if each.expected]),),
            follows=lambda answers: sum(answers[each.name] for each in lines),
        )
        steps.append(QuestionStep("sum", (total,)))
    return steps


def own_points(steps: list[QuestionStep], answers: Answers) -> int:
    """Return the total by the player's own figures; raise KeyError when one is missing."""
    return answers[steps[-1].questions[-1].name]


def _questions(
    found: Counted, way: Candidate, known: frozenset[str], name: str
) -> Iterator[Question]:
    figures = set_figures(found.rules)
    for place, each in enumerate(way.reading.sets):
        if each.kind != "loose":
            yield _of_set(found, way, place, each, f"{name}p{place}", figures)
    yield from _of_bonus(found, f"{name}pb")
    yield from _of_win(found, way, known, f"{name}pw")


def set_figures(rules: Ruleset) -> tuple[int, ...]:
    """Return the points that a set can score, to choose from."""
    points = {p for r in rules.by_subject["set"] for p in (r.exposed_points, r.concealed_points)}
    return tuple(sorted({0, *points}))


def _of_set(
    found: Counted, way: Candidate, place: int, each: TileSet, name: str, figures: tuple[int, ...]
) -> Question:
    awards = [award for award in found.awards(each) if not award.rule.doubles]
    expected = sum(award.points for award in awards)
    reasons: list[Words] = [award.rule.sentence for award in awards]
    # When a set scores nothing, quote a rule that says what scores instead.
    near = [r for r in found.rules.by_subject["set"] if each.kind in r.kinds and not r.doubles]
    rule = awards[0].rule if awards else near[0]
    rule_id = rule.id
    claim = way.reading.claim
    hidden = claim is not None and claim.place == place and not claim.lay_exposed
    if hidden and any(a.rule.exposed_points != a.rule.concealed_points for a in awards):
        reasons.insert(0, CLAIMED)
        rule_id = "BMJA-K02"
    return Question(
        name,
        "set",
        "figure",
        expected,
        tuple(dict.fromkeys(reasons or [rule.sentence])),
        rule_id,
        tiles=each.tiles,
        row="exposed" if place < len(found.hand.exposed) else "concealed",
        figures=tuple(sorted({*figures, expected})),
    )


def _of_bonus(found: Counted, name: str) -> Iterator[Question]:
    awards = [a for a in bonus_awards(found.rules, found.hand) if a.points]
    if awards:
        first = awards[0].rule
        each = [award.points for award in awards]
        yield Question(
            name,
            "bonus",
            "figure",
            sum(each),
            (first.sentence, *([written(each)] if len(each) > 1 else [])),
            first.id,
            tiles=found.hand.bonus,
            row="bonus",
            figures=tuple(each[0] * number for number in range(len(each) + 2)),
        )


def _of_win(found: Counted, way: Candidate, known: frozenset[str], name: str) -> Iterator[Question]:
    """Yield questions about a winner's other points, including some that do not apply."""
    if not found.hand.winner:
        return
    given = list(_awards_of_win(found, way))
    missed = {each.rule: each.reason for each in not_counted(way, found.ways, found.rules)}
    rows = [
        rule
        for rule in found.rules.rules
        if rule.of in ("win", "hand") and rule.concealed_points and rule.id in known
    ]
    figures = tuple(sorted({0, *(rule.concealed_points for rule in rows)}))
    for number, (rule_id, label) in enumerate(dict.fromkeys((r.id, r.label) for r in rows)):
        here = [a for a in given if (a.rule.id, a.rule.label) == (rule_id, label)]
        row = here[0].rule if here else next(r for r in rows if r.label == label)
        expected = sum(award.points for award in here)
        yield Question(
            f"{name}{number}",
            "win",
            "figure",
            expected,
            (row.sentence if here else missed.get(rule_id, row.sentence),),
            rule_id,
            label=label,
            figures=tuple(sorted({*figures, expected})),
        )


def _awards_of_win(found: Counted, way: Candidate) -> Iterator[Award]:
    arrangement, rules = way.reading, found.rules
    yield from win_awards(rules, found.hand)
    yield from hand_awards(rules, arrangement, sets_price(rules, arrangement).traits)
