"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# No deadlines: how long an example takes says more of the machine's other work than of the code.
settings.register_profile("tongbox", deadline=None)
settings.load_profile("tongbox")
