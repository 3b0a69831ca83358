"""`tongbox score`: a hand in one line of text, or hands as JSON lines, to its breakdown."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from device.commands.read import Subparsers
from scorer.breakdown import Breakdown
from scorer.contract import breakdown_to_json, hand_from_json, problems_to_json
from scorer.errors import HandError, ScorerError, error
from scorer.explain import sum_text
from scorer.notation import parse_hand
from scorer.score import score


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser("score", help="score a hand given as text or JSON")
    parser.add_argument("hand", nargs="*", metavar="HAND_TEXT", help='such as "B222 | C345 |"')
    parser.add_argument("--json", action="store_true", help="print the breakdown as JSON")
    parser.add_argument(
        "--jsonl", action="store_true", help="score hands from the standard input, one a line"
    )
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace) -> int:
    """Score one hand or many; return 1 when the one hand cannot be scored."""
    if args.jsonl == bool(args.hand):
        args.parser.error("give either a hand or --jsonl")
    if args.jsonl:
        score_lines(sys.stdin.buffer)
        return 0
    try:
        breakdown = score(parse_hand(" ".join(args.hand)))
    except ScorerError as failure:
        if args.json:
            _write(json.dumps(problems_to_json(failure)))
        else:
            for problem in failure.problems:
                sys.stderr.write(f"tongbox: {problem.message}\n")
        return 1
    _write(
        json.dumps(breakdown_to_json(breakdown)) if args.json else "\n".join(_readable(breakdown))
    )
    return 0


def score_lines(lines: Iterable[bytes]) -> None:
    """Print one line of JSON for every line: a breakdown, or the problems with the hand."""
    for line in lines:
        _write(json.dumps(_score_line(line)))


def _score_line(line: bytes) -> dict[str, Any]:
    try:
        return breakdown_to_json(score(hand_from_json(json.loads(line))))
    except ScorerError as failure:
        return problems_to_json(failure)
    except (ValueError, RecursionError) as failure:  # all that json.loads has against a line
        problem = error("bad-json", f"This line is not JSON: {failure}.")
        return problems_to_json(HandError((problem,)))


def _readable(breakdown: Breakdown) -> Iterator[str]:
    """Yield a score as a person would write it out: points, doubles, the sum, the rest."""
    for line in breakdown.lines:
        amount = str(line.points) if line.points else " ".join(["×2"] * line.doubles)
        yield f"{amount:>8}  {line.label:<42} {' '.join(line.tiles):<12} {line.rule}"
    yield f"{breakdown.total:>8}  {sum_text(breakdown)}"
    for problem in breakdown.problems:
        yield f"    note  {problem.message}"
    for rule in breakdown.not_counted:
        yield f"     not  {rule.reason} ({rule.rule})"


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()  # line by line, for whoever reads us through a pipe
