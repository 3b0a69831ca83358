"""The options that name a ruleset: `--rules`, and those of the box that keeps custom ones."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.commands.store_options import add_store, readable_store
from device.rulesets import parse_custom_key
from scorer.errors import english_error
from scorer.hand import RULESETS
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import SAMPLES


def add_rules(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Declare `--rules`, `--data` and `--store`; `purpose` is done by these rules."""
    parser.add_argument(
        "--rules",
        metavar="RULES",
        help=f"{purpose} by bmja, safalra, a file (tongbox rules) or a box's own rules: ours-1",
    )
    add_store(parser)


def load_rules(args: argparse.Namespace) -> Ruleset | None:
    """Return the ruleset that the options name; None without one. Raises RulesetError."""
    name = args.rules
    if name is None:
        return None
    if name in RULESETS:
        return load_builtin(name)
    # Late: most commands need no such file.
    from scorer.rulesets.reader import RulesetError, load_ruleset

    if parse_custom_key(name):
        return _load_custom(name, args)
    if not {".", "/"} & set(name) and not Path(name).exists():
        problem = (
            f"There are no rules and no file named {name!r}. --rules takes {', '.join(RULESETS)}, "
            "a file, or a box's own rules such as ours-1. `tongbox rules NAME > FILE` makes a file "
            f"of a sample: {', '.join(SAMPLES)}. `tongbox rules --data DIR` lists all, also a "
            "box's own."
        )
        raise RulesetError((english_error("no-ruleset", problem),))
    return load_ruleset(Path(name))


def _load_custom(key: str, args: argparse.Namespace) -> Ruleset:
    """Return a ruleset that a box keeps; raise RulesetError if it does not."""
    from device.rulesets.repository import CustomRulesets, NoSuchRulesetError
    from device.store import StoreError
    from scorer.rulesets.reader import RulesetError

    try:
        with readable_store(args.data, args.store) as store:
            return CustomRulesets(store).rules(key)
    except NoSuchRulesetError as failure:
        problem = (
            f"The box keeps no ruleset {key}. `tongbox rules --data DIR` lists those it keeps."
        )
        raise RulesetError((english_error("no-ruleset", problem),)) from failure
    except StoreError as failure:
        raise RulesetError((english_error("no-box", str(failure)),)) from failure
