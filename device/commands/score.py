"""`tongbox score`: score a hand given as text, or many as JSON lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from device.commands.console import paint, parse_jobs, write
from device.commands.json_lines import answer_lines
from device.commands.ruleset_options import add_rules, load_rules
from scorer.breakdown import Breakdown
from scorer.diff import describe_diff, diff
from scorer.errors import HandError
from scorer.explain.foreign_rules import find_foreign_hands, find_foreign_rules
from scorer.explain.sums import write_doubles, write_score
from scorer.hand import Hand
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.score import score, score_unexplained
from scorer.score_json import breakdown_to_json, hand_from_json
from scorer.validate.circumstance_checks import choose_rules
from scorer.what_if import ImpossibleIf, WhatIf, describe_outcome, what_if


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    example = 'such as "B222 C44+JK | C345 |"; JK is a joker'
    parser.add_argument("hand", nargs="*", metavar="HAND_TEXT", help=example)
    parser.add_argument(
        "--jsonl", action="store_true", help="score hands from standard input, one a line"
    )
    parser.add_argument(
        "--brief", action="store_true", help="with --jsonl: totals and lines without explanations"
    )
    parser.add_argument(
        "--jobs",
        type=parse_jobs,
        default=1,
        metavar="N",
        help="with --jsonl: number of cores; answers then come some lines at a time (1)",
    )
    add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options about one hand, shared with `tongbox snap`."""
    parser.add_argument("--json", action="store_true", help="print the breakdown as JSON")
    parser.add_argument(
        "--against", metavar="HAND_TEXT", help="show what changes from the hand to this one"
    )
    parser.add_argument(
        "--what-if", action="store_true", help="show which house rules would change the score"
    )
    add_rules(parser, "score")


def run(args: argparse.Namespace) -> None:
    """Score one hand or many; raise ScorerError if the one hand cannot be scored."""
    if args.jsonl == bool(args.hand):
        args.parser.error("give either a hand or --jsonl")
    if args.jsonl and (args.against or args.what_if):
        args.parser.error("--against and --what-if go with one hand")
    if not args.jsonl and (args.brief or args.jobs > 1):
        args.parser.error("--brief and --jobs go with --jsonl")
    rules = load_rules(args)
    if args.jsonl:
        score_values = score_unexplained if args.brief else score
        answer_lines(
            sys.stdin.buffer, lambda data: score_values(hand_from_json(data), rules), args.jobs
        )
    else:
        write(score_hand(" ".join(args.hand), args, rules))


def score_hand(text: str, args: argparse.Namespace, rules: Ruleset | None) -> str:
    """Return the score of a hand text with the requested comparisons; raise ScorerError."""
    hand = parse_hand(text)
    breakdown = _score_or_refuse(hand, rules)
    other = score(parse_hand(args.against), rules) if args.against else None
    choices = what_if(hand, rules) if args.what_if else ()
    if not args.json:
        return "\n".join(
            (
                *_describe_score(hand, breakdown, rules),
                *_describe_differences(breakdown, other, choices),
            )
        )
    data = breakdown_to_json(breakdown)
    if other:
        changes = [to_english(each) for each in describe_diff(diff(breakdown, other))]
        data |= {"against": breakdown_to_json(other), "difference": changes}
    if args.what_if:
        data["what_if"] = [
            {
                "option": each.option.name,
                "rule": each.option.rule,
                "outcome": _describe_outcome(each),
            }
            for each in choices
        ]
    return json.dumps(data)


def _score_or_refuse(hand: Hand, rules: Ruleset | None) -> Breakdown:
    """Return the score; raise HandError that also says which other rules have such a hand."""
    try:
        return score(hand, rules)
    except HandError as failure:
        hand_rules = choose_rules(hand, rules)
        foreign_hands = find_foreign_hands(hand, hand_rules, failure.problems)
        raise HandError((*failure.problems, *foreign_hands)) from failure


def _describe_score(hand: Hand, breakdown: Breakdown, rules: Ruleset | None) -> Iterator[str]:
    """Yield a score as readable lines: points, doubles, the sum, the rest."""
    for line in breakdown.lines:
        amount = str(line.points) if line.points else write_doubles(line.doubles)
        yield f"{amount:>8}  {to_english(line.label):<42} {' '.join(line.tiles):<12} {line.rule}"
    yield paint(f"{breakdown.total:>8}  {to_english(write_score(breakdown))}", "total")
    for problem in breakdown.problems:
        yield f"    note  {problem.text}"
    foreign_rules = find_foreign_rules(hand, breakdown, choose_rules(hand, rules))
    for rule in (*breakdown.not_counted, *foreign_rules):
        yield f"     not  {to_english(rule.reason)} ({rule.rule})"
    for way in breakdown.compared[1:]:
        yield f"      or  {way.total}: {to_english(way.label)}, {to_english(way.working)}"
    if breakdown.waits:
        waits = (f"{wait.tile} {wait.total}" for wait in breakdown.waits)
        yield f"   waits  for {', '.join(waits)}"
    for near in breakdown.nearest:
        yield f"    near  {to_english(near.name)} lacks {' '.join(near.needed)} ({near.rule})"
    limit = "no limit" if breakdown.limit is None else f"limit {breakdown.limit}"
    option_texts = (
        f", {each.name}:{'on' if each.value else 'off'}"
        for each in breakdown.options
        if not each.is_usual
    )
    yield f"   rules  {_name_rules(breakdown, rules)}, {limit}{''.join(option_texts)}"
    if breakdown.notice:
        yield f"          {to_english(breakdown.notice)}"


def _name_rules(breakdown: Breakdown, rules: Ruleset | None) -> str:
    """Return the name of a game's own rules, or the title and version of a table's."""
    if rules is None or rules is load_builtin(breakdown.ruleset):
        return breakdown.ruleset
    version = f", version {rules.version}" if rules.version else ""
    return f"{to_english(rules.title)}{version}"


def _describe_differences(
    breakdown: Breakdown, other: Breakdown | None, choices: tuple[WhatIf | ImpossibleIf, ...]
) -> Iterator[str]:
    """Yield the effect of another hand and of other house rules."""
    if other:
        yield from (
            f" against  {to_english(each)}" for each in describe_diff(diff(breakdown, other))
        )
    for choice in choices:
        option = choice.option
        state = "off" if option.value else "on"
        yield f" what if  {option.name}:{state}: {_describe_outcome(choice)} ({option.rule})"


def _describe_outcome(choice: WhatIf | ImpossibleIf) -> str:
    return " ".join(map(to_english, describe_outcome(choice)))
