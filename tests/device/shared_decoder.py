"""The decoder that the tests of one process share: to start another takes a third of a second."""

from __future__ import annotations

import atexit

from device.decoding.decoder import Decoder

DECODER = Decoder()

atexit.register(DECODER.close)
