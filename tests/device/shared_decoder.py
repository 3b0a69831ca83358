"""The decoder that the tests of one process share: to start another takes a third of a second."""

from __future__ import annotations

import atexit

from device.decoding.decoder import Decoder


class SharedDecoder(Decoder):
    """A decoder that its users do not end, for others go on with it."""

    def close(self) -> None:
        """Leave it running."""

    def end(self) -> None:
        """End the process; the next picture starts another, by `command`."""
        super().close()


DECODER = SharedDecoder()

atexit.register(DECODER.end)
