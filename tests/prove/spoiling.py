"""Spoil one event in logs of play: no page may fail, and no other match may change.

    python -m tests.prove.spoiling [--count 2000] [--seed 1]

tests/README.md has the last figures.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from pathlib import Path

from tests.device.log_fuzz import trials


def main() -> int:
    """Print the counts of all trials; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable(logging.ERROR)
    damaged_count = failed_count = changed_count = stuck_count = disagreed_count = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, trial in trials(Path(folder), args.count, args.seed):
            damaged_count += trial.damage_count > 0
            changed_count += len(trial.changed_matches)
            stuck_count += not trial.begins
            failed_count += len(trial.failures)
            disagreed_count += len(trial.disagreements) > 0
            for what in (*trial.failures, *trial.disagreements):
                sys.stdout.write(f"{number}: {what}\n")
    sys.stdout.write(
        f"{args.count} spoilt logs, {damaged_count} of them told of; "
        f"{failed_count} answers of 5xx, {changed_count} other matches changed, "
        f"{stuck_count} boxes on which no match could be begun, "
        f"{disagreed_count} of which /health, doctor and pages told different things\n"
    )
    return 1 if failed_count + changed_count + stuck_count + disagreed_count else 0


if __name__ == "__main__":
    raise SystemExit(main())
