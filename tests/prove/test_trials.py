"""The trials that take minutes: `make prove` runs each; its exit status says how it went.

What they print is in tests/README.md; each can be run by itself, with other seeds.
"""

from __future__ import annotations

import sys

import pytest

from tests import trial

TRIALS = {
    "spoiling --count 250": "logs with something wrong in them",
    "salvaging --damages 12 --kills 20": "logs on a bad card",
    "walk --requests 8000 --batch 200": "odd requests",
    "forms --requests 3000": "well-formed values in random order, on both stores",
    "club_evening --deals 9 --rounds 0": "two rounds of winds, six tables with rules of their own",
    "keyboards --every 12": "keys taken for tiles, alone and beside hands; needs the photographs",
    "wind_markers --every 6": "wind markers taken for tiles; needs the photographs",
    "hidden_names": "who is hidden is named nowhere",
    "pictures --count 1000": "damaged and large pictures",
    "doors": "phones that would shut others out",
    "rights": "phones that ask for what is not theirs",
    "doors --https --only idle crowd news": "the same by HTTPS",
    "database_hang": "a database that is stopped",
    "database_hang --stopped backends": "a database of which all open connections are stopped",
    "cutting --every 8 --only update picked": "updates cut off",
    "cutting --every 6 --only first": "first starts cut off",
    "lock_hashes": "packages whose hash is not on the lock; needs the registry",
    "debian_numpy": "the tests of the reading, with each Debian's own NumPy; needs the registry",
}
"""Programs of this folder with their options, and what each tries."""


def name_of(words: str) -> str:
    """Return a name for a trial: the program and its options, joined by hyphens."""
    return "-".join(word.lstrip("-") for word in words.split())


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            words, id=name_of(words), marks=[pytest.mark.alone] * words.startswith("doors")
        )
        for words in TRIALS
    ],
)
def test_a_trial_ends_well(words: str) -> None:
    program, *options = words.split()
    trial.run(name_of(words), sys.executable, "-m", f"tests.prove.{program}", *options)


@pytest.mark.prove
@pytest.mark.timeout(3600)
def test_each_property_holds_for_many_more_examples() -> None:
    options = ("-m", "hypothesis and not prove", "--hypothesis-profile=thorough")
    trial.run("properties", sys.executable, "-m", "pytest", "-q", "-n", "auto", *options)
