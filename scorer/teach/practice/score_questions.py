"""Questions about an ordinary sum: points of sets, bonus tiles and winning; doubles; the limit."""

from __future__ import annotations

from collections.abc import Container, Iterator

from scorer.breakdown import TileSet
from scorer.explain.sums import write_points
from scorer.explain.uncounted_rules import find_uncounted_rules
from scorer.message import Message, Words, message
from scorer.ruleset import Rule, Ruleset
from scorer.scoring.candidates import Candidate
from scorer.scoring.pricing import Award, bonus_awards, hand_awards, sets_price, win_awards
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import Answers, Question, QuestionStep

CLAIMED_REASON = message("question.claimed")


def point_steps(
    found: PracticeHand, way: Candidate, known: frozenset[str], name: str = ""
) -> list[QuestionStep]:
    """Return the questions about the points of an ordinary sum and their total."""
    lines = tuple(_point_questions(found, way, known, name))
    steps = [QuestionStep("points", lines)]
    if len(lines) > 1:
        total = Question(
            f"{name}sum",
            "sum",
            "number",
            way.points,
            (write_points([each.expected for each in lines if each.expected]),),
            follows=lambda answers: sum(answers[each.name] for each in lines),
        )
        steps.append(QuestionStep("sum", (total,)))
    return steps


def players_points(steps: list[QuestionStep], answers: Answers) -> int:
    """Return the total by the player's own figures; raise KeyError when one is missing."""
    return answers[steps[-1].questions[-1].name]


def _point_questions(
    found: PracticeHand, way: Candidate, known: frozenset[str], name: str
) -> Iterator[Question]:
    figures = set_figures(found.rules)
    for place, each in enumerate(way.arrangement.sets):
        if each.kind != "loose":
            yield _ask_about_set(found, way, place, each, f"{name}p{place}", figures)
    yield from _ask_about_bonus(found, f"{name}pb")
    yield from _ask_about_win(found, way, known, f"{name}pw")


def set_figures(rules: Ruleset) -> tuple[int, ...]:
    """Return the points that a set can score, to choose from."""
    points = {
        p for r in rules.rules_by_subject["set"] for p in (r.exposed_points, r.concealed_points)
    }
    return tuple(sorted({0, *points}))


def _ask_about_set(
    found: PracticeHand,
    way: Candidate,
    place: int,
    each: TileSet,
    name: str,
    figures: tuple[int, ...],
) -> Question:
    awards = [award for award in found.awards(each) if not award.rule.doubles]
    expected = sum(award.points for award in awards)
    reasons: list[Words] = [award.rule.sentence for award in awards]
    # When a set scores nothing, quote a rule that says what scores instead.
    near = [
        r for r in found.rules.rules_by_subject["set"] if each.kind in r.kinds and not r.doubles
    ]
    rule = awards[0].rule if awards else near[0]
    rule_id = rule.id
    claim = way.arrangement.claim
    hidden = claim is not None and claim.place == place and not claim.lay_exposed
    if hidden and any(a.rule.exposed_points != a.rule.concealed_points for a in awards):
        reasons.insert(0, CLAIMED_REASON)
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


def _ask_about_bonus(found: PracticeHand, name: str) -> Iterator[Question]:
    awards = [a for a in bonus_awards(found.rules, found.hand) if a.points]
    if awards:
        first = awards[0].rule
        each = [award.points for award in awards]
        yield Question(
            name,
            "bonus",
            "figure",
            sum(each),
            (first.sentence, *([write_points(each)] if len(each) > 1 else [])),
            first.id,
            tiles=found.hand.bonus,
            row="bonus",
            figures=tuple(each[0] * number for number in range(len(each) + 2)),
        )


def _ask_about_win(
    found: PracticeHand, way: Candidate, known: frozenset[str], name: str
) -> Iterator[Question]:
    """Yield questions about a winner's other points, including some that do not apply."""
    if not found.hand.winner:
        return
    given = list(_winner_awards(found, way))
    missed = {each.rule: each.reason for each in find_uncounted_rules(way, found.ways, found.rules)}
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


def _winner_awards(found: PracticeHand, way: Candidate) -> Iterator[Award]:
    arrangement, rules = way.arrangement, found.rules
    yield from win_awards(rules, found.hand)
    yield from hand_awards(rules, arrangement, sets_price(rules, arrangement).traits)


MIN_OFFERED_DOUBLES, MAX_OFFERED_DOUBLES = 4, 8
"""How many doubles are offered: those that apply, and two to four others."""

MIN_TOP_FIGURE = 5
"""The offered figures go at least up to this, so that they do not give away the answer."""

ORDINARY_SUBJECTS = ("set", "bonus", "win", "hand")
"""The subjects of rules that count in an ordinary hand."""


def double_steps(
    found: PracticeHand,
    way: Candidate,
    known: frozenset[str],
    points: list[QuestionStep],
    name: str = "",
) -> list[QuestionStep]:
    """Return the questions about the doubles of an ordinary sum and its total."""
    which = tuple(_double_questions(found, way, known, name))
    weight = {each.name: each.values[0] for each in which}
    given = [line.doubles for line in found.lines(way) if line.doubles]
    count = Question(
        f"{name}count",
        "count",
        "figure",
        way.doubles,
        (write_points(given),),
        figures=tuple(range(max(MIN_TOP_FIGURE, way.doubles + 1) + 1)),
        follows=lambda answers: sum(weight[key] * answers[key] for key in weight),
    )
    product = Question(
        f"{name}product",
        "product",
        "number",
        way.worth,
        (write_points([way.points], way.doubles),),
        follows=lambda answers: players_points(points, answers) << answers[count.name],
    )
    return [
        QuestionStep("doubles", which),
        QuestionStep("count", (count,)),
        QuestionStep("product", (product,)),
    ]


def _double_questions(
    found: PracticeHand, way: Candidate, known: frozenset[str], name: str
) -> Iterator[Question]:
    lines = [line for line in found.lines(way) if line.doubles]
    missed = {each.rule: each.reason for each in find_uncounted_rules(way, found.ways, found.rules)}
    offered = _offer_doubles(
        found.rules, {(line.rule, line.label) for line in lines}, known, missed
    )
    for number, rule in enumerate(offered):
        here = sum(line.doubles for line in lines if (line.rule, line.label) == _rule_key(rule))
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


def _offer_doubles(
    rules: Ruleset, given: set[tuple[str, Message]], known: frozenset[str], missed: Container[str]
) -> list[Rule]:
    """Return the offered doubles in the ruleset's order: those that apply, and some others.

    Others that the hand nearly has are chosen first.
    """
    rows: dict[tuple[str, Message], Rule] = {}
    for rule in rules.rules:
        if (
            rule.doubles
            and rule.of in ORDINARY_SUBJECTS
            and (rule.id in known or _rule_key(rule) in given)
        ):
            rows.setdefault(_rule_key(rule), rule)
    others = sorted((key for key in rows if key not in given), key=lambda key: key[0] not in missed)
    room = max(MIN_OFFERED_DOUBLES - len(given), min(3, MAX_OFFERED_DOUBLES - len(given)), 2)
    kept = given.union(others[:room])
    return [rule for key, rule in rows.items() if key in kept]


def _rule_key(rule: Rule) -> tuple[str, Message]:
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
        (_compare_to_limit(worth, limit),),
        "BMJA-L01",
        choices=(message("question.no"), message("question.yes")),
        values=(limit,),
        follows=lambda answers: int(answers[product] > limit),
    )
    return [QuestionStep("limit", (cut,))]


def _compare_to_limit(worth: int, limit: int) -> str:
    """Write the comparison of a score with the limit: `1280 > 1000`, `960 ≤ 1000`."""
    return f"{worth} {'>' if worth > limit else '≤'} {limit}"
