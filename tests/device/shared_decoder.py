"""The decoder that the tests of one process share: to start another takes a third of a second."""

from __future__ import annotations

import atexit

from device.decoding.decoder import Decoder


class SharedDecoder(Decoder):
    """A decoder that its users do not end, for others go on with it."""

    def close(self) -> None:
        """Leave it running."""


DECODER = SharedDecoder()

atexit.register(Decoder.close, DECODER)
