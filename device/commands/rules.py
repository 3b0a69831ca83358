"""`tongbox rules`: list and print rulesets, and check a table's own file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom

from device.commands.console import write
from device.commands.store_options import add_store, default_folder, readable_store
from device.rulesets import is_ruleset_key
from scorer.errors import RefusalError
from scorer.hand import RULESETS, Hand
from scorer.message import to_english
from scorer.notation import format_hand
from scorer.patterns.examples import check_it_can_be_held, example_hands
from scorer.patterns.frames import compile_pattern
from scorer.patterns.wording import describe_pattern
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.doubtful_figures import find_doubtful_figures
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text
from scorer.rulesets.reader import load_ruleset, read_ruleset
from scorer.special.effort import check_it_is_quick

SHOWN_HANDS = 3
"""How many hands of a pattern are shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="print this ruleset's file, to copy and edit"
    )
    parser.add_argument("--check", type=Path, metavar="FILE", help="check your own ruleset")
    add_store(parser)
    parser.set_defaults(data=None)  # without, only the box's own rulesets that are asked for
    parser.add_argument(
        "--pattern", help="show what a special hand's pattern allows, with three hands"
    )


def run(args: argparse.Namespace) -> int:
    """List, print or check rulesets; return 1 for an invalid file."""
    if sum(map(bool, (args.name, args.check, args.pattern))) > 1:
        args.parser.error("give a ruleset's name, --check FILE or --pattern, one of them")
    if args.pattern:
        show_pattern(args.pattern)
        return 0
    if args.name and args.name not in SAMPLES and not is_ruleset_key(args.name):
        ruleset_names = ", ".join((*RULESETS, *SAMPLES))
        args.parser.error(f"invalid choice: {args.name!r} (choose from {ruleset_names}, or ours-1)")
    if args.check:
        return check_ruleset(args.check)
    if args.name in (*RULESETS, *SAMPLES):
        load_text = load_sample_text if args.name in SAMPLES else load_builtin_text
        sys.stdout.write(load_text(args.name))
        return 0
    if not args.name:
        list_rulesets()
    if args.name or args.data or args.store:
        _print_custom(args)
    return 0


def _print_custom(args: argparse.Namespace) -> None:
    """List the custom rulesets that a box keeps, or print the file of one."""
    from device.rulesets.repository import CustomRulesets, NoSuchRulesetError

    with readable_store(args.data or default_folder(), args.store) as store:
        rulesets = CustomRulesets(store)
        if not args.name:
            for each in rulesets.list_all():
                write(f"{each.id:<10}{each.title}, version {each.newest.number}")
            return
        try:
            version = rulesets.find_version(args.name)
        except NoSuchRulesetError as failure:
            raise RefusalError(f"The box keeps no ruleset {args.name}.") from failure
        sys.stdout.write(version.text if version else "")


def list_rulesets() -> None:
    """Print the rulesets that matches can be played by, and the samples to copy and edit."""
    for name in RULESETS:
        write(f"{name:<14}{to_english(load_builtin(name).title)}")
    write("Samples, to copy and edit:")
    for name in SAMPLES:
        write(f"{name:<14}{to_english(read_ruleset(load_sample_text(name)).title)}")


def show_pattern(text: str) -> None:
    """Print what a pattern says, and some hands of it; raise PatternError where there are none."""
    pattern = compile_pattern(text)
    check_it_can_be_held(pattern)
    check_it_is_quick(pattern.text)
    write(to_english(describe_pattern(text)))
    for tiles in example_hands(pattern, SHOWN_HANDS, SystemRandom()):
        write(format_hand(Hand(concealed=tuple(sorted(tiles)))))


def check_ruleset(path: Path) -> int:
    """Print the content of a ruleset file, and return 0; raise RulesetError if it is invalid.

    For an example that is false, return 1. A figure that may be a slip is only pointed out.
    """
    ruleset = load_ruleset(path)
    from scorer.false_examples import find_false_examples  # loads the scorer

    false = [*find_false_examples(ruleset)]
    for each in false:
        sys.stderr.write(f"tongbox: {path}: {to_english(each.message)}\n")
    for doubt in find_doubtful_figures(ruleset):
        sys.stderr.write(f"tongbox: {path}: {to_english(doubt.message)}\n")
    for line in () if false else _describe_ruleset(ruleset):
        write(line)
    return 1 if false else 0


def _describe_ruleset(ruleset: Ruleset) -> Iterator[str]:
    """Yield a ruleset's title, its size and its options."""
    rules, specials = len(ruleset.every_rule), len(ruleset.specials)
    limit = "no limit" if ruleset.limit is None else f"limit {ruleset.limit:,}"
    limit += f", ordinary hands {ruleset.ordinary_limit:,}" if ruleset.has_lower_limit else ""
    yield f"{to_english(ruleset.title)} ({ruleset.name}): this ruleset is fine."
    yield f"  {_count_words(rules, 'rule')}, {_count_words(specials, 'special hand')}, {limit}"
    for option in ruleset.options:
        state = "on" if option.default else "off"
        yield f"  {state:<4}{option.name:<40}{option.rule}"
        yield f"      {to_english(option.sentence)}"


def _count_words(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
