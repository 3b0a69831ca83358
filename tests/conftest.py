"""What all tests share."""

from __future__ import annotations

import gc
import signal

from hypothesis import settings

# No deadlines: how long an example takes says more of the machine's other work than of the code.
settings.register_profile("tongbox", deadline=None)
settings.load_profile("tongbox")

# To look for rings through all that a test run has imported and collected, every 700 objects, takes
# a fourteenth of its time: what is there before the first test is never looked at again.
gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background deaf to Ctrl-C, and every program started here
    # would inherit that: those that are to end by it would not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
