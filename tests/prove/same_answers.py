"""Compare every answer of the scorer with another version's, byte for byte.

    .venv/bin/python -m tests.prove.same_answers --version 4852d6c5 --hands 100000

Whoever makes the scorer quicker runs it. A part is some hundred random hands under one ruleset: the
British and Safalra's rules, the samples, or the British rules with hands and choices of a table's
own. Some lines are spoiled, so that refusals are compared, too. Parts that were the same are noted
in `var/`: a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.rulesets.editing import TomlValue, add_block, write_values
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.line_numbers import KeyPath
from scorer.rulesets.reader import RulesetError, load_ruleset
from tests.bench.versions import SCORE_COMMAND, check_out
from tests.reporting import say
from tests.scorer.oracle.deals import KINDS
from tests.scorer.oracle.deals_own import deal_hands, deal_own

HANDS_PER_PART = 500
SAMPLES = ("western", "thirty-hands", "classical")
RULES = ("bmja", *SAMPLES, "own", "own")
"""The rulesets of the parts, in turn; each part with `own` has another one."""

OWN_HANDS = 4
"""Special hands that a ruleset of a table's own adds."""

SPOILED_SHARE = 0.03
"""Lines with one sign changed."""

SIGNS = "BCOWDFS123456789ERN|[]+= JKwon"


def main() -> int:
    """Print how many answers are the same, and the first that is not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default="4852d6c5", help="the version to compare with")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    record = Path(f"var/same-answers-{args.version}-{args.seed}")
    record.parent.mkdir(exist_ok=True)
    finished_parts = set(record.read_text().split()) if record.exists() else set()
    with check_out(args.version) as other, tempfile.TemporaryDirectory() as folder:
        if other is None:
            say(f"git does not have {args.version} here")
            return 1
        for part in range(args.hands // HANDS_PER_PART):
            if str(part) not in finished_parts:
                difference = compare(part, Random(f"{args.seed} {part}"), other, Path(folder))
                if difference:
                    say(f"part {part}: {difference}")
                    return 1
                with record.open("a") as file:
                    file.write(f"{part}\n")
    say(f"{args.hands:,} hands of seed {args.seed}: every answer is that of {args.version}")
    return 0


def compare(part: int, rng: Random, other: Path, folder: Path) -> str:
    """Score the hands of a part with both versions; return the first difference, or nothing."""
    name, lines = RULES[part % len(RULES)], folder / "lines"
    options, hands = ["--rules", name], deal_any(rng)
    if name in SAMPLES:
        options[-1] = str(other / "scorer" / "rulesets" / "samples" / f"{name}.toml")
    elif name == "own":
        options[-1] = str(folder / "own.toml")
        hands = write_own_rules(Path(options[-1]), rng)
    elif part % 2:
        options = []
    hand_lines = [write_line(hand, rng) for hand in islice(hands, HANDS_PER_PART)]
    lines.write_text("\n".join(hand_lines) + "\n", "utf-8")
    for extra_options in ((), ("--brief",)):
        other_answers, current_answers = (
            run(lines, cwd, (*options, *extra_options)) for cwd in (other, Path.cwd())
        )
        for line, before, after in zip(hand_lines, other_answers, current_answers, strict=True):
            if before != after:
                return f"{' '.join((*options, *extra_options))}: {line}\n  {before!r}\n  {after!r}"
    return ""


def run(lines: Path, folder: Path, options: Sequence[str]) -> list[bytes]:
    """Return the lines that the version in a folder answers."""
    with lines.open("rb") as file:
        result = subprocess.run(
            (*SCORE_COMMAND, *options), stdin=file, capture_output=True, check=True, cwd=folder
        )
    return result.stdout.splitlines()


def deal_any(rng: Random) -> Iterator[Hand]:
    """Yield hands of all kinds that the oracle deals."""
    while True:
        yield KINDS[rng.choice([*KINDS])](rng)


def write_own_rules(file: Path, rng: Random) -> Iterator[Hand]:
    """Write a ruleset of a table's own; return hands that suit it, and others."""
    while True:
        text, patterns = load_builtin_text("bmja"), []
        for place in range(OWN_HANDS):
            own_special = deal_own(rng)[0]
            patterns.append(own_special.pattern)
            figures = (
                {"doubles": own_special.doubles}
                if own_special.doubles
                else {"value": own_special.value}
            )
            values: dict[str, TomlValue] = {
                "id": f"OURS-{place}",
                "name": f"Our hand {place}",
                "pattern": own_special.pattern,
                "concealed": own_special.concealed,
                "claim": own_special.claim,
                **figures,
                **({"fishing": own_special.fishing} if own_special.fishing else {}),
            }
            text = add_block(text, "special", values)
        choices = text.count("[[option]]")
        changes: dict[KeyPath, TomlValue | None] = {
            ("option", place, "default"): rng.random() < 0.5 for place in range(choices)
        }
        file.write_text(write_values(text, changes), "utf-8")
        try:
            load_ruleset(file)
        except RulesetError:
            continue
        return mix(deal_any(rng), patterns, rng)


def mix(hands: Iterator[Hand], patterns: Sequence[str], rng: Random) -> Iterator[Hand]:
    """Yield these hands and, as often, hands of these patterns."""
    for hand in hands:
        yield hand
        yield from deal_hands(rng.choice(patterns), 1, rng)


def write_line(hand: Hand, rng: Random) -> str:
    """Return the line of a hand; a few are spoiled."""
    text = format_hand(hand)
    if rng.random() < SPOILED_SHARE:
        position = rng.randrange(len(text))
        text = text[:position] + rng.choice(SIGNS) + text[position + 1 :]
    return json.dumps({"hand": text})


if __name__ == "__main__":
    sys.exit(main())
