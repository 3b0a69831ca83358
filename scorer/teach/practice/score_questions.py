"""Questions about an ordinary sum: points of sets, bonus tiles and winning; doubles; the limit."""

from __future__ import annotations

from collections.abc import Container, Iterator

from scorer.breakdown import TileSet
from scorer.explain.sums import write_points
from scorer.explain.uncounted_rules import find_uncounted_rules
from scorer.message import Message, Words, message
from scorer.ruleset import Rule, Ruleset
from scorer.scoring.candidates import Candidate
from scorer.scoring.pricing import Award, bonus_awards, hand_awards, win_awards
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import Answers, Question, QuestionStep

CLAIMED_REASON = message("question.claimed")


def point_steps(
    practice_hand: PracticeHand, way: Candidate, known_rules: frozenset[str], name: str = ""
) -> list[QuestionStep]:
    """Return the questions about the points of an ordinary sum and their total."""
    lines = tuple(_point_questions(practice_hand, way, known_rules, name))
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
    practice_hand: PracticeHand, way: Candidate, known_rules: frozenset[str], name: str
) -> Iterator[Question]:
    figures = set_figures(practice_hand.rules)
    for place, each in enumerate(way.arrangement.sets):
        if each.kind != "loose":
            yield _ask_about_set(practice_hand, way, place, each, f"{name}p{place}", figures)
    yield from _ask_about_bonus(practice_hand, f"{name}pb")
    yield from _ask_about_win(practice_hand, way, known_rules, f"{name}pw")


def set_figures(rules: Ruleset) -> tuple[int, ...]:
    """Return the points that a set can score, to choose from."""
    points = {
        p for r in rules.rules_by_subject["set"] for p in (r.exposed_points, r.concealed_points)
    }
    return tuple(sorted({0, *points}))


def _ask_about_set(
    practice_hand: PracticeHand,
    way: Candidate,
    place: int,
    tile_set: TileSet,
    name: str,
    figures: tuple[int, ...],
) -> Question:
    awards = [award for award in practice_hand.awards(tile_set) if not award.rule.doubles]
    expected = sum(award.points for award in awards)
    reasons: list[Words] = [award.rule.sentence for award in awards]
    # When a set scores nothing, quote a rule that says what scores instead.
    similar_rules = [
        r
        for r in practice_hand.rules.rules_by_subject["set"]
        if tile_set.kind in r.kinds and not r.doubles
    ]
    rule = awards[0].rule if awards else similar_rules[0]
    rule_id = rule.id
    claim = way.arrangement.claim
    is_hidden = claim is not None and claim.place == place and not claim.lay_exposed
    if is_hidden and any(a.rule.exposed_points != a.rule.concealed_points for a in awards):
        reasons.insert(0, CLAIMED_REASON)
        rule_id = "BMJA-K02"
    return Question(
        name,
        "set",
        "figure",
        expected,
        tuple(dict.fromkeys(reasons or [rule.sentence])),
        rule_id,
        tiles=tile_set.tiles,
        row="exposed" if place < len(practice_hand.hand.exposed) else "concealed",
        figures=tuple(sorted({*figures, expected})),
    )


def _ask_about_bonus(practice_hand: PracticeHand, name: str) -> Iterator[Question]:
    awards = [a for a in bonus_awards(practice_hand.rules, practice_hand.hand) if a.points]
    if awards:
        first = awards[0].rule
        tile_points = [award.points for award in awards]
        yield Question(
            name,
            "bonus",
            "figure",
            sum(tile_points),
            (first.sentence, *([write_points(tile_points)] if len(tile_points) > 1 else [])),
            first.id,
            tiles=practice_hand.hand.bonus,
            row="bonus",
            figures=tuple(tile_points[0] * number for number in range(len(tile_points) + 2)),
        )


def _ask_about_win(
    practice_hand: PracticeHand, way: Candidate, known_rules: frozenset[str], name: str
) -> Iterator[Question]:
    """Yield questions about a winner's other points, including some that do not apply."""
    if not practice_hand.hand.winner:
        return
    awards = list(_winner_awards(practice_hand, way))
    reasons = {
        each.rule: each.reason
        for each in find_uncounted_rules(way, practice_hand.ways, practice_hand.rules)
    }
    rows = [
        rule
        for rule in practice_hand.rules.rules
        if rule.of in ("win", "hand") and rule.concealed_points and rule.id in known_rules
    ]
    figures = tuple(sorted({0, *(rule.concealed_points for rule in rows)}))
    for number, (rule_id, label) in enumerate(dict.fromkeys((r.id, r.label) for r in rows)):
        rule_awards = [a for a in awards if (a.rule.id, a.rule.label) == (rule_id, label)]
        row = rule_awards[0].rule if rule_awards else next(r for r in rows if r.label == label)
        expected = sum(award.points for award in rule_awards)
        yield Question(
            f"{name}{number}",
            "win",
            "figure",
            expected,
            (row.sentence if rule_awards else reasons.get(rule_id, row.sentence),),
            rule_id,
            label=label,
            figures=tuple(sorted({*figures, expected})),
        )


def _winner_awards(practice_hand: PracticeHand, way: Candidate) -> Iterator[Award]:
    arrangement, rules = way.arrangement, practice_hand.rules
    yield from win_awards(rules, practice_hand.hand)
    yield from hand_awards(rules, arrangement)


MIN_OFFERED_DOUBLES, MAX_OFFERED_DOUBLES = 4, 8
"""How many doubles are offered: those that apply, and two to four others."""

MIN_TOP_FIGURE = 5
"""The offered figures go at least up to this, so that they do not give away the answer."""

ORDINARY_SUBJECTS = ("set", "bonus", "win", "hand")
"""The subjects of rules that count in an ordinary hand."""


def double_steps(
    practice_hand: PracticeHand,
    way: Candidate,
    known_rules: frozenset[str],
    points: list[QuestionStep],
    name: str = "",
) -> list[QuestionStep]:
    """Return the questions about the doubles of an ordinary sum and its total."""
    questions = tuple(_double_questions(practice_hand, way, known_rules, name))
    weight = {each.name: each.values[0] for each in questions}
    line_doubles = [line.doubles for line in practice_hand.lines(way) if line.doubles]
    count = Question(
        f"{name}count",
        "count",
        "figure",
        way.doubles,
        (write_points(line_doubles),),
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
        QuestionStep("doubles", questions),
        QuestionStep("count", (count,)),
        QuestionStep("product", (product,)),
    ]


def _double_questions(
    practice_hand: PracticeHand, way: Candidate, known_rules: frozenset[str], name: str
) -> Iterator[Question]:
    lines = [line for line in practice_hand.lines(way) if line.doubles]
    reasons = {
        each.rule: each.reason
        for each in find_uncounted_rules(way, practice_hand.ways, practice_hand.rules)
    }
    offered_rules = _offer_doubles(
        practice_hand.rules, {(line.rule, line.label) for line in lines}, known_rules, reasons
    )
    for number, rule in enumerate(offered_rules):
        rule_doubles = sum(
            line.doubles for line in lines if (line.rule, line.label) == _rule_key(rule)
        )
        yield Question(
            f"{name}d{number}",
            "double",
            "tick",
            int(bool(rule_doubles)),
            (rule.sentence if rule_doubles else reasons.get(rule.id, rule.sentence),),
            rule.id,
            label=rule.label,
            values=(rule_doubles or rule.doubles,),
        )


def _offer_doubles(
    rules: Ruleset,
    given_keys: set[tuple[str, Message]],
    known_rules: frozenset[str],
    missed_rules: Container[str],
) -> list[Rule]:
    """Return the offered doubles in the ruleset's order: those that apply, and some others.

    Others that the hand nearly has are chosen first.
    """
    rows: dict[tuple[str, Message], Rule] = {}
    for rule in rules.rules:
        if (
            rule.doubles
            and rule.of in ORDINARY_SUBJECTS
            and (rule.id in known_rules or _rule_key(rule) in given_keys)
        ):
            rows.setdefault(_rule_key(rule), rule)
    other_keys = sorted(
        (key for key in rows if key not in given_keys), key=lambda key: key[0] not in missed_rules
    )
    room = max(
        MIN_OFFERED_DOUBLES - len(given_keys), min(3, MAX_OFFERED_DOUBLES - len(given_keys)), 2
    )
    shown_keys = given_keys.union(other_keys[:room])
    return [rule for key, rule in rows.items() if key in shown_keys]


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
