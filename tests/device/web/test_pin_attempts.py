"""How long guessing at the PIN takes, and that it makes nobody else wait."""

from __future__ import annotations

import threading

import pytest

from device.access import PIN_DIGITS
from device.store import Store
from device.store.errors import UnwritableError
from device.store.pin_tries import ClockTime, PinTries
from device.web import pin_attempts as module
from device.web.pin_attempts import FREE_ATTEMPTS, MAX_WAIT_S, PinAttempts, ProcessAttempts

HALF = 10**PIN_DIGITS // 2
"""As many PINs, tried one after another, have the right one among them every second time."""

DAY = 24 * 3600.0


AnyTries = ProcessAttempts | PinAttempts


class Clock:
    """A clock that a test sets."""

    now = 0.0
    boot = "first"

    def __call__(self) -> float:
        return self.now

    def moment(self) -> ClockTime:
        """Return the same as the clock of a computer that was started some time."""
        return ClockTime(self.boot, self.now)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def process_attempts(clock: Clock) -> ProcessAttempts:
    return ProcessAttempts(clock)


@pytest.fixture
def stored_attempts(store: Store, clock: Clock) -> PinAttempts:
    return PinAttempts(store.log, clock.moment)


@pytest.fixture(params=["process_attempts", "stored_attempts"])
def tries(request: pytest.FixtureRequest) -> AnyTries:
    """Return those of one process's memory, and those beside a log."""
    attempts: AnyTries = request.getfixturevalue(request.param)
    return attempts


def test_each_wrong_try_after_the_third_waits_twice_as_long(tries: AnyTries, clock: Clock) -> None:
    waits = []
    for _ in range(18):
        wait = tries.begin("a")
        waits.append(wait)
        clock.now += wait
        if wait:
            assert tries.begin("a") == 0, "it has waited"
    minutes = [wait / 60 for wait in waits]
    assert minutes[:FREE_ATTEMPTS] == [0] * FREE_ATTEMPTS
    assert minutes[FREE_ATTEMPTS : FREE_ATTEMPTS + 12] == [0.5 * 2**n for n in range(12)]
    assert waits[FREE_ATTEMPTS + 12 :] == [MAX_WAIT_S] * 3


def test_a_try_that_comes_too_soon_makes_the_wait_no_longer(tries: AnyTries, clock: Clock) -> None:
    for _ in range(FREE_ATTEMPTS):
        assert tries.begin("a") == 0
    for second in range(30):
        clock.now = float(second)
        assert tries.begin("a") == 30 - second
    clock.now = 30.0
    assert tries.begin("a") == 0


def test_nobody_waits_for_another(tries: AnyTries) -> None:
    for _ in range(10):
        tries.begin("a")
    assert [tries.begin("b") for _ in range(FREE_ATTEMPTS)] == [0] * FREE_ATTEMPTS


def test_the_right_pin_is_a_new_beginning(tries: AnyTries, clock: Clock) -> None:
    for _ in range(FREE_ATTEMPTS + 1):
        clock.now += tries.begin("a")
    tries.right("a")
    tries.right("never seen")
    assert [tries.begin("a") for _ in range(FREE_ATTEMPTS)] == [0] * FREE_ATTEMPTS


def test_at_the_same_moment_no_more_tries_count_than_one_after_another(
    tries: AnyTries,
) -> None:
    results = []
    start = threading.Barrier(20)

    def guess() -> None:
        start.wait()
        results.append(tries.begin("a"))

    threads = [threading.Thread(target=guess) for _ in range(20)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert results.count(0) == FREE_ATTEMPTS


def test_no_more_addresses_are_remembered_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, store: Store, clock: Clock
) -> None:
    monkeypatch.setattr(module, "MAX_KNOWN_ADDRESSES", 10)
    own, stored = ProcessAttempts(clock), PinAttempts(store.log, clock.moment)
    for number in range(100):
        clock.now = float(number)
        own.begin(str(number))
        stored.begin(str(number))
    assert PinTries(store.log, clock.moment, 10).count() == 10
    for tries in (own, stored):
        waits = [tries.begin(address) for address in ("99", "0") for _ in range(FREE_ATTEMPTS)]
        free, is_known = [0] * FREE_ATTEMPTS, waits[FREE_ATTEMPTS - 1] > 0
        assert (is_known, waits[FREE_ATTEMPTS:]) == (True, free), "the newest are remembered"


def test_a_try_is_forgotten_in_a_day(tries: AnyTries, clock: Clock) -> None:
    for _ in range(FREE_ATTEMPTS):
        tries.begin("a")
    clock.now = 2 * DAY + 30
    assert [tries.begin("a") for _ in range(FREE_ATTEMPTS)] == [0, 0, 30], (
        "of three, two are forgotten"
    )


def guess(tries: PinAttempts, times: int) -> None:
    for _ in range(times):
        assert tries.begin("a") == 0


@pytest.mark.parametrize(
    ("boot", "uptime", "min_wait_s", "max_wait_s", "reason"),
    [
        ("first", 1010.0, 20, 20, "the same start: ten seconds have passed"),
        ("second", 5.0, 30, 30, "another start: nobody can say how long it was off"),
        ("second", 9e9, 30, 30, "or how its clock stands"),
        ("first", 0.0, 30, 30, "a clock that was set back lets nobody wait longer than ever"),
    ],
)
def test_a_start_forgets_nobody_and_lets_nobody_wait_for_ever(
    store: Store,
    clock: Clock,
    boot: str,
    uptime: float,
    min_wait_s: float,
    max_wait_s: float,
    reason: str,
) -> None:
    clock.now = 1000.0
    guess(PinAttempts(store.log, clock.moment), FREE_ATTEMPTS)
    clock.boot, clock.now = boot, uptime
    after = PinAttempts(store.log, clock.moment)
    assert min_wait_s <= after.begin("a") <= max_wait_s, reason
    clock.now += 30
    assert after.begin("a") == 0, reason
    assert after.begin("a") == 60, reason


def test_while_the_store_takes_nothing_each_process_counts_by_itself(
    stored_attempts: PinAttempts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who knows the PIN is let in though the card is full, and nobody guesses faster there."""

    def refuse(*_: object) -> None:
        raise UnwritableError("a card that is read-only")

    for what in ("change", "forget"):
        monkeypatch.setattr(PinTries, what, refuse)
    guess(stored_attempts, FREE_ATTEMPTS)
    assert stored_attempts.begin("a") > 0
    stored_attempts.right("a")
    guess(stored_attempts, FREE_ATTEMPTS)


def guessing(
    tries: ProcessAttempts, clock: Clock, count: int, burst: int, days_away: float
) -> float:
    """Return the seconds that so many tries take.

    Of each burst, every try comes as soon as it counts; after it the address stays away for days.
    """
    for number in range(count):
        if wait := tries.begin("a"):
            clock.now += wait
            assert tries.begin("a") == 0
        if (number + 1) % burst == 0:
            clock.now += days_away * DAY
    return clock.now


@pytest.mark.parametrize(
    ("burst", "days_away"),
    [(HALF, 0.0), (3, 1.01), (3, 3.01), (8, 1.01), (10, 1.05), (14, 1.8), (14, 14.0), (1, 1.0)],
)
@pytest.mark.parametrize(
    ("addresses", "min_time", "reason"),
    [(1, 13 * 365 * DAY, "13 years"), (250, 6 * DAY, "a network full of addresses: six days")],
)
def test_half_of_all_pins_take_long(
    process_attempts: ProcessAttempts,
    clock: Clock,
    burst: int,
    days_away: float,
    addresses: int,
    min_time: float,
    reason: str,
) -> None:
    assert guessing(process_attempts, clock, HALF // addresses, burst, days_away) > min_time, reason
