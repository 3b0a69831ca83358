"""`tongbox settle`: say who pays whom after a deal, and why."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from device.commands.console import write
from device.commands.json_lines import answer_lines
from scorer.errors import HandProblem, english_error
from scorer.hand import PLAYER_COUNTS
from scorer.match.settlement import SettlementError, Terms
from scorer.match.settlement_json import (
    SEATS_IN_PLAY,
    NamedSettlement,
    SettlementRequest,
    answer_request,
    settle_json,
)
from scorer.message import to_english
from scorer.parsing import parse_int
from scorer.tiles import WINDS

MAX_QUOTED_CHARACTERS = 60
"""Length to which an invalid word is cut in an error message."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "scores",
        nargs="*",
        metavar="WHO=SCORE",
        help="by wind (East=80 or E=80), by name in order of play with --east, or the scores "
        "alone, from East on or with --east 1 to 4",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--winner", metavar="WHO", help="who went out")
    choice.add_argument(
        "--wash-out",
        action="store_true",
        help="nobody went out: nobody pays, and a goulash follows",
    )
    parser.add_argument("--east", metavar="WHO", help="who is East, with scores by name")
    parser.add_argument(
        "--players",
        type=int,
        choices=PLAYER_COUNTS,
        help="number of players; of 5 one sits out",
    )
    parser.add_argument(
        "--in-full",
        action="store_true",
        help="losers pay each other whole scores, not differences; totals are the same",
    )
    parser.add_argument(
        "--double", choices=tuple(WINDS), default="E", help="the wind that doubles, if not East"
    )
    parser.add_argument("--json", action="store_true", help="print the payments as JSON")
    parser.add_argument(
        "--jsonl",
        action="store_true",
        help="settle deals from standard input, one a line, such as "
        '{"scores": {"E": 80, "W": 84}, "winner": "W"}',
    )


def run(args: argparse.Namespace) -> None:
    """Settle one deal or many; raise ScorerError if the one deal cannot be settled."""
    if args.jsonl == bool(args.scores):
        args.parser.error("give either scores or --jsonl")
    if args.jsonl:
        answer_lines(sys.stdin.buffer, settle_json)
        return
    if args.winner is None and not args.wash_out:
        args.parser.error("say who won with --winner, or that nobody did with --wash-out")
    settlement = answer_request(_parse_request(args))
    write(
        json.dumps(settlement.to_json()) if args.json else "\n".join(_describe_payments(settlement))
    )


def _parse_request(args: argparse.Namespace) -> SettlementRequest:
    """Return the request; raise SettlementError that lists every invalid word."""
    scores: list[tuple[str, int]] = []
    problems: list[HandProblem] = []
    for word in _add_names(args.scores, by_number=args.east is not None):
        player, _, score_text = word.rpartition("=")
        score = parse_int(score_text)
        if player and score is not None:
            scores.append((player, score))
        else:
            quoted_word = repr(word[:MAX_QUOTED_CHARACTERS])
            message = f"{quoted_word} is no score; write it as East=80, with a whole number."
            problems.append(english_error("score", message))
    SettlementError.raise_for(problems)
    terms = Terms(double=args.double, in_full=args.in_full)
    return SettlementRequest(tuple(scores), args.winner, args.east, args.players, terms)


def _add_names(words: list[str], *, by_number: bool) -> list[str]:
    """Return the words, with names added to scores that have none.

    Bare scores are in order of play: by number if `--east` is given, else from East.
    """
    if any(parse_int(word, 0) is None for word in words) or len(words) not in SEATS_IN_PLAY:
        return words
    names = map(str, range(1, len(words) + 1)) if by_number else iter(SEATS_IN_PLAY[len(words)])
    return [f"{name}={word}" for name, word in zip(names, words, strict=True)]


def _describe_payments(settlement: NamedSettlement) -> Iterator[str]:
    """Yield the payments, the gain or loss of each player, and the remarks."""
    for payment in settlement.settlement.payments:
        yield f"{payment.amount:>8}  {to_english(payment.why)}  ({', '.join(payment.rules)})"
    if not settlement.settlement.payments:
        yield "          Nobody pays anything."
    yield ""
    for seat, gain in settlement.settlement.net.items():
        sign = "−" if gain < 0 else "+" if gain else ""
        yield f"{sign}{abs(gain)}".rjust(8) + f"  {_player_name(settlement, seat)}"
    for problem in settlement.problems:
        yield f"    note  {problem.text}"


def _player_name(settlement: NamedSettlement, seat: str) -> str:
    """Return the wind or the player's name; a named East is marked."""
    player_name = settlement.names[seat]
    if player_name == seat:
        return WINDS[seat]
    return f"{player_name} (East)" if seat == "E" else player_name
