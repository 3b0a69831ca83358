"""`tongbox rules`: list and print rulesets, and check a table's own file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from device.commands.console import write
from scorer.hand import RULESETS
from scorer.message import to_english
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin, load_builtin_text
from scorer.rulesets.reader import RulesetError, load_ruleset

EXAMPLES = """\
examples:
  tongbox rules                        the rulesets by name
  tongbox rules safalra > ours.toml    a copy to edit
  tongbox rules --check ours.toml      is it fine, and what does it say?
  tongbox score --rules ours.toml ...  score a hand by it
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "name", nargs="?", choices=RULESETS, help="print this ruleset's file, to copy and edit"
    )
    parser.add_argument("--check", type=Path, metavar="FILE", help="check a table's own ruleset")


def run(args: argparse.Namespace) -> int:
    """List, print or check rulesets; return 1 for an invalid file."""
    if args.name and args.check:
        args.parser.error("give either a ruleset's name or --check FILE")
    if args.check:
        return check_ruleset(args.check)
    if args.name:
        sys.stdout.write(load_builtin_text(args.name))
    else:
        for name in RULESETS:
            write(f"{name:<10}{to_english(load_builtin(name).title)}")
    return 0


def check_ruleset(path: Path) -> int:
    """Print the content of a ruleset file; print its problems and return 1 if invalid."""
    try:
        ruleset = load_ruleset(path)
    except RulesetError as failure:
        for problem in failure.problems:
            sys.stderr.write(f"tongbox: {problem.text}\n")
        return 1
    for line in _describe_ruleset(ruleset):
        write(line)
    return 0


def _describe_ruleset(ruleset: Ruleset) -> Iterator[str]:
    """Yield a ruleset's title, its size and its options."""
    rules, specials = len(ruleset.every_rule), len(ruleset.specials)
    limit = "no limit" if ruleset.limit is None else f"limit {ruleset.limit:,}"
    yield f"{to_english(ruleset.title)} ({ruleset.name}): this ruleset is fine."
    yield f"  {_count_words(rules, 'rule')}, {_count_words(specials, 'special hand')}, {limit}"
    for option in ruleset.options:
        state = "on" if option.default else "off"
        yield f"  {state:<4}{option.name:<40}{option.rule}"
        yield f"      {to_english(option.sentence)}"


def _count_words(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
