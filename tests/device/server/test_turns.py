"""Whose turn it is: each address's, whatever another asks."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.server.turns import FairQueue


@dataclass(frozen=True)
class Task:
    """A request of an address."""

    client: str
    number: int = 0


def begun(turns: FairQueue) -> str:
    """Return the addresses in whose order all that may begin does."""
    return "".join(turns.popleft().client for _ in iter(turns.__bool__, False))


@pytest.mark.parametrize(
    ("asked", "at_once", "order", "why"),
    [
        ("", 2, "", "nobody asks"),
        ("abc", 2, "abc", "as they come"),
        ("aaab", 2, "aba", "b is not behind all of a, and the third of a waits for another"),
        ("aaaaabbbbc", 9, "abcabababa", "in turns"),
        ("aaaa", 1, "a", "one at once"),
    ],
)
def test_addresses_take_turns(asked: str, at_once: int, order: str, why: str) -> None:
    turns = FairQueue(at_once)
    for client in asked:
        turns.append(Task(client))
    assert begun(turns) == order, why


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
    turns.done("a")
    assert turns.popleft() == Task("a", 1), "an address's own stay in order"


@given(st.lists(st.sampled_from("aaaaaaaaabcd")), st.integers(1, 4))
def test_a_turn_is_never_further_than_the_number_of_addresses(
    asked: list[str], at_once: int
) -> None:
    turns = FairQueue(at_once)
    for client in asked:
        turns.append(Task(client))
    waited: dict[str, int] = {}
    for _ in asked:  # one thread: each ends before the next begins
        client = turns.popleft().client
        turns.done(client)
        for other in set(asked) - {client}:
            waited[other] = waited.get(other, 0) + 1
        waited[client] = 0
        assert all(waited[o] < 4 for o in waited if any(t.client == o for t in _left(turns)))
    assert not turns


def _left(turns: FairQueue) -> list[Task]:
    return [Task(task.client) for tasks in turns._waiting.values() for task in tasks]
