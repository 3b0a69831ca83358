"""`tongbox score --jsonl` over many hands: in short, on several cores, from a pipe, interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from device.commands.json_lines import LINES_PER_BATCH, MAX_BATCHES_WAITING_PER_CORE
from tests.scorer.oracle.deals import deals

pytestmark = pytest.mark.slow

SCORE = (sys.executable, "-m", "device.cli", "score", "--jsonl")

HAND = json.dumps({"hand": "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E won=wall"})

EXPLANATION_FIELDS = {"sets", "not_counted", "compared", "waits", "nearest", "options"}


def lines() -> list[str]:
    """Return hands of every kind, more than a batch of them, with lines between that are none."""
    lines_found = []
    for number, (_, hand) in enumerate(deals(3 * LINES_PER_BATCH, 7)):
        fields = {name: getattr(hand, name) for name in hand.__match_args__}
        lines_found += [
            json.dumps(fields),
            *(["{", '{"hand": "B9X | |"}'] if number % 40 == 0 else []),
        ]
    return lines_found


def answers(*words: str) -> list[str]:
    text = "\n".join(lines())
    process = subprocess.run(
        [*SCORE, *words], input=text, capture_output=True, text=True, check=True
    )
    assert not process.stderr
    return process.stdout.splitlines()


@pytest.fixture(scope="module")
def in_full() -> list[str]:
    return answers()


def test_several_cores_say_what_one_says_line_for_line(in_full: list[str]) -> None:
    assert len(in_full) == len(lines()) > 3 * LINES_PER_BATCH
    assert answers("--jobs", "3") == in_full


def test_in_short_all_is_the_same_but_not_explained(in_full: list[str]) -> None:
    scored_count = 0
    for short, full in zip(
        map(json.loads, answers("--brief")), map(json.loads, in_full), strict=True
    ):
        scored_count += "total" in full
        assert short == {
            name: value for name, value in full.items() if name not in EXPLANATION_FIELDS
        }
        assert full.keys() >= EXPLANATION_FIELDS or full.keys() == {"problems"}
    assert scored_count > LINES_PER_BATCH


@contextmanager
def start_scoring(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Start the program in a group of its own; nothing of it may be left at the end."""
    program = subprocess.Popen(
        [*SCORE, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield program
        program.wait(20)
        assert is_gone(program.pid)
    finally:
        if not is_gone(program.pid):
            os.killpg(program.pid, signal.SIGKILL)
        for stream in (program.stdin, program.stdout, program.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()


def is_gone(group: int) -> bool:
    """Return whether no process of the group is left within a moment."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def ask(program: subprocess.Popen[str], count: int) -> str:
    """Send so many hands, without an end; return the first answer."""
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(f"{HAND}\n" * count)
    program.stdin.flush()
    return program.stdout.readline()


@pytest.mark.parametrize(
    ("jobs", "count"), [(1, 1), (2, 2 * MAX_BATCHES_WAITING_PER_CORE * LINES_PER_BATCH)]
)
def test_answers_come_before_the_input_has_an_end(jobs: int, count: int) -> None:
    with start_scoring("--jobs", str(jobs)) as program:
        assert json.loads(ask(program, count))["total"] == 224
        assert program.stdin is not None
        program.stdin.close()
        assert program.stdout is not None
        assert len(program.stdout.readlines()) == count - 1
        assert program.wait(20) == 0


@pytest.mark.parametrize(
    ("jobs", "sent_signal", "status"),
    [(2, signal.SIGINT, {130}), (2, signal.SIGTERM, {143, -signal.SIGTERM})],
)
def test_ctrl_c_ends_all_of_it_without_a_word(
    jobs: int, sent_signal: signal.Signals, status: set[int]
) -> None:
    with start_scoring("--jobs", str(jobs)) as program:
        ask(program, 2 * MAX_BATCHES_WAITING_PER_CORE * LINES_PER_BATCH)
        if sent_signal == signal.SIGINT:  # a terminal sends it to all of the program's processes
            os.killpg(program.pid, sent_signal)
        else:
            program.send_signal(sent_signal)
        assert program.wait(20) in status
        assert program.stderr is not None
        assert program.stderr.read() == ""


def test_whoever_has_read_enough_ends_it() -> None:
    with start_scoring("--jobs", "2") as program:
        ask(program, 2 * MAX_BATCHES_WAITING_PER_CORE * LINES_PER_BATCH)
        assert program.stdout is not None
        program.stdout.close()
        assert program.stdin is not None
        program.stdin.write(f"{HAND}\n" * LINES_PER_BATCH)
        program.stdin.close()
        assert program.wait(20) == 1
        assert program.stderr is not None
        assert program.stderr.read() == ""
