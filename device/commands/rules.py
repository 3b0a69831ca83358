"""`tongbox rules`: list and print rulesets, and check a table's own file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from device.commands.console import write
from scorer.errors import error
from scorer.hand import RULESETS
from scorer.message import plain_text, to_english
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin, load_builtin_text
from scorer.rulesets.reader import RulesetError, read_ruleset

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
            sys.stderr.write(f"tongbox: {path}: {problem.text}\n")
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


MAX_RULESET_BYTES = 10**6
"""Limit of a ruleset's file; the British rules take less than 30,000 bytes."""


def load_ruleset(path: Path) -> Ruleset:
    """Read the ruleset in a file; raise RulesetError with everything that is wrong with it."""
    return read_ruleset(_read_text(path))


def _read_text(path: Path) -> str:
    """Read the text of a file; raise RulesetError if it cannot be a ruleset."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RULESET_BYTES + 1)
    except OSError as failure:
        message = f"The file cannot be opened: {failure.strerror}."
        raise RulesetError((error("no-file", plain_text(message)),)) from failure
    if len(data) > MAX_RULESET_BYTES:
        message = f"The file is over {MAX_RULESET_BYTES:,} bytes, too large for a ruleset."
        raise RulesetError((error("too-large", plain_text(message)),))
    try:
        return data.decode()
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        message = f"Line {line}: This is not UTF-8 text; save the file as UTF-8."
        raise RulesetError((error("not-utf-8", plain_text(message)),)) from failure
