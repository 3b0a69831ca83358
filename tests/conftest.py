"""What all tests share."""

from __future__ import annotations

import signal

from hypothesis import settings

# No deadlines: how long an example takes says more of the machine's other work than of the code.
settings.register_profile("tongbox", deadline=None)
settings.load_profile("tongbox")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background deaf to Ctrl-C, and every program started here
    # would inherit that: those that are to end by it would not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
