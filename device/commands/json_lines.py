"""Answer JSON lines: one output line per input line, in order, on one core or several."""

from __future__ import annotations

import json
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice

from device.commands.console import write
from scorer.errors import HandError, HandProblem, ScorerError, english_error
from scorer.parsing import parse_int
from scorer.score_json import format_json_line, problems_to_json

Answer = Callable[[object], object]
"""Answers the data of one line; raises ScorerError."""

LINES_PER_BATCH = 50
"""About 20 ms of scoring for a core: far more than the cost of handing lines over."""

MAX_BATCHES_WAITING_PER_CORE = 4
"""Limits the queue, so that the input is never held in memory as a whole."""


def answer_lines(lines: Iterable[bytes], answer: Answer, jobs: int = 1) -> None:
    """Print one line of JSON for every line of JSON: the answer, or the problems with it.

    One job answers each line at once; several jobs answer in batches.
    """
    if jobs == 1:
        for line in lines:
            write(_answer_line(line, answer))
    else:
        with closing(_answer_on_cores(_batch_lines(lines), answer, jobs)) as batches:
            for answers in batches:
                write("\n".join(answers))


def _answer_line(line: bytes, answer: Answer) -> str:
    try:
        return format_json_line(answer(_parse_line(line)))
    except ScorerError as failure:
        return format_json_line(problems_to_json(failure))


def _parse_line(line: bytes) -> object:
    """Return the data of a line of JSON; raise HandError.

    A number with too many digits for `scorer.parsing` becomes a float.
    """
    try:
        return json.loads(line, parse_int=_parse_number)
    except RecursionError:
        raise HandError((_bad_json("its brackets are nested too deeply"),)) from None
    except ValueError as failure:
        raise HandError((_bad_json(str(failure)),)) from failure


def _parse_number(digits: str) -> int | float:
    number = parse_int(digits)
    return float(digits) if number is None else number


def _bad_json(reason: str) -> HandProblem:
    return english_error("bad-json", f"This line is not JSON: {reason}.")


def _batch_lines(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    left = iter(lines)
    while batch := list(islice(left, LINES_PER_BATCH)):
        yield batch


def _answer_on_cores(
    batches: Iterable[list[bytes]], answer: Answer, jobs: int
) -> Generator[list[str], None, None]:
    """Yield the answers to each batch in order; raise the error of a failed job."""
    from concurrent.futures import Future, ProcessPoolExecutor  # loaded for several jobs alone
    from multiprocessing import get_context

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    # Forked jobs inherit the answer function and its rules, which cannot be pickled.
    pool = ProcessPoolExecutor(jobs, get_context("fork"), _begin_worker, (answer,))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    pool.submit(int)  # start the jobs; Ctrl-C waits until they run
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    futures: deque[Future[list[str]]] = deque()
    try:
        for batch in batches:
            futures.append(pool.submit(_answer_batch, batch))
            if len(futures) == jobs * MAX_BATCHES_WAITING_PER_CORE:
                yield futures.popleft().result()
        while futures:
            yield futures.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


_worker_answer: Answer
"""The answer function of a worker process."""


def _begin_worker(answer: Answer) -> None:
    """Set up a worker process; Ctrl-C is left to its parent."""
    global _worker_answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _worker_answer = answer


def _answer_batch(lines: list[bytes]) -> list[str]:
    return [_answer_line(line, _worker_answer) for line in lines]
