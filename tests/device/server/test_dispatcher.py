"""Whose turn it is: each address's, whatever another asks."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.server.server import FairDispatcher, FairQueue
from tests.device.fake_camera import wait_until


@dataclass(frozen=True)
class Task:
    """A request of an address."""

    client: str
    number: int = 0


def begin_next(turns: FairQueue) -> str:
    """Return the addresses in whose order all that may begin does."""
    return "".join(turns.popleft().client for _ in iter(turns.__bool__, False))


@pytest.mark.parametrize(
    ("addresses", "max_parallel", "order", "reason"),
    [
        ("", 2, "", "nobody asks"),
        ("abc", 2, "abc", "as they come"),
        ("aaab", 2, "aba", "b is not behind all of a, and the third of a waits for another"),
        ("aaaaabbbbc", 9, "abcabababa", "in turns"),
        ("aaaa", 1, "a", "one at once"),
    ],
)
def test_addresses_take_turns(addresses: str, max_parallel: int, order: str, reason: str) -> None:
    turns = FairQueue(max_parallel)
    for client in addresses:
        turns.append(Task(client))
    assert begin_next(turns) == order, reason


def test_what_ended_lets_the_next_begin() -> None:
    turns = FairQueue(1)
    for number in range(3):
        turns.append(Task("a", number))
    assert turns.popleft() == Task("a", 0)
    assert (bool(turns), len(turns)) == (False, 0)
    with pytest.raises(IndexError):
        turns.popleft()
    turns.append(Task("b"))
    assert len(turns) == 1
    assert turns.popleft() == Task("b")
    turns.finish_request("a")
    assert turns.popleft() == Task("a", 1), "an address's own stay in order"


@given(st.lists(st.sampled_from("aaaaaaaaabcd")), st.integers(1, 4))
def test_a_turn_is_never_further_than_the_number_of_addresses(
    asked: list[str], max_parallel: int
) -> None:
    turns = FairQueue(max_parallel)
    for client in asked:
        turns.append(Task(client))
    wait_counts: dict[str, int] = {}
    left = Counter(asked)
    for _ in asked:  # one thread: each ends before the next begins
        client = turns.popleft().client
        turns.finish_request(client)
        left[client] -= 1
        for other in set(asked) - {client}:
            wait_counts[other] = wait_counts.get(other, 0) + 1
        wait_counts[client] = 0
        assert all(wait_counts[other] < 4 for other in wait_counts if left[other])
    assert not turns


@dataclass(frozen=True, eq=False)
class Slow(Task):
    """A request that is under way until it is let go on."""

    dispatcher: FairDispatcher | None = None
    stays: bool = False
    """It lets the address's next request begin, though it goes on."""
    has_begun: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def service(self) -> None:
        """Answer it, in a thread."""
        assert self.dispatcher is not None
        self.has_begun.set()
        if self.stays:
            self.dispatcher.finish_request(self.client)
        assert self.go_on.wait(10)
        if not self.stays:
            self.dispatcher.finish_request(self.client)

    def cancel(self) -> None:
        """Give it up."""


@contextmanager
def dispatching(max_threads: int, max_parallel: int = 2) -> Iterator[FairDispatcher]:
    dispatcher = FairDispatcher(max_threads, max_parallel)
    yield dispatcher
    dispatcher.stop()
    dispatcher.shutdown()
    assert not dispatcher.threads


def test_requests_one_after_another_need_one_thread() -> None:
    with dispatching(8) as dispatcher:
        assert not dispatcher.threads, "none is there before anybody asks"
        for client in "abcabc":
            task = Slow(client, dispatcher=dispatcher)
            task.go_on.set()
            dispatcher.add_task(task)
            assert task.has_begun.wait(10)
            wait_until(lambda: not dispatcher.active_count)
        assert len(dispatcher.threads) == 1


class WatchedDispatcher(FairDispatcher):
    """Notes for each start of a thread whether other threads could have come in between."""

    def __init__(self) -> None:
        super().__init__(max_threads=4, max_per_address=1)
        self.others_could_come: list[bool] = []

    def set_thread_count(self, count: int) -> None:
        """Start threads, or end them."""
        with ThreadPoolExecutor(1) as other:
            self.others_could_come.append(other.submit(self._is_free).result())
        super().set_thread_count(count)

    def _is_free(self) -> bool:
        has_lock = self.lock.acquire(blocking=False)
        if has_lock:
            self.lock.release()
        return has_lock


def test_threads_are_counted_and_started_in_one_step() -> None:
    """Or else who counted before another started one would end that."""
    dispatcher = WatchedDispatcher()
    task = Slow("a", dispatcher=dispatcher)
    task.go_on.set()
    dispatcher.add_task(task)
    assert task.has_begun.wait(10)
    dispatcher.stop()
    dispatcher.shutdown()
    assert dispatcher.others_could_come[:2] == [False, False]


@pytest.mark.parametrize(
    ("addresses", "stays", "under_way", "reason"),
    [
        ("abc", False, 3, "each has a thread"),
        ("aab", False, 3, "two of one address, too"),
        ("aaa", False, 2, "a third of one address waits for one of them, not for a thread"),
        ("abcdef", False, 4, "there are no more threads than there may be"),
        ("aaaa", True, 4, "who stays for long lets the address's next begin"),
    ],
)
def test_a_request_waits_for_no_thread_while_there_may_be_another(
    addresses: str, stays: bool, under_way: int, reason: str
) -> None:
    with dispatching(4) as dispatcher:
        tasks = [Slow(client, dispatcher=dispatcher, stays=stays) for client in addresses]
        for count, task in enumerate(tasks, 1):
            dispatcher.add_task(task)
            may_begin = min(count, under_way)
            wait_until(lambda: sum(task.has_begun.is_set() for task in tasks) == may_begin)  # noqa: B023
        assert len(dispatcher.threads) == under_way, reason
        for task in tasks:
            task.go_on.set()
        wait_until(lambda: all(task.has_begun.is_set() for task in tasks))


def test_nothing_begins_once_it_stops() -> None:
    with dispatching(4) as dispatcher:
        dispatcher.stop()
        dispatcher.add_task(Slow("a", dispatcher=dispatcher))
        assert not dispatcher.threads
