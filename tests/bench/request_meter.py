"""The `tongbox` command, which notes what each answer takes: for measurements alone.

    .venv/bin/python -m tests.bench.request_meter FILE serve …

Written to the file at the end, as JSON, is by kind of request how many there were, the processor
time of the thread that answered, in seconds, sending included, and how long they waited for one.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from array import array
from collections import defaultdict
from pathlib import Path
from typing import Any, TypedDict

from flask import Flask, request

from device import cli
from device.server.connection import Connection


class Cost(TypedDict):
    """What the answers of a kind took, one by one, in seconds."""

    processor: array[float]
    waited: array[float]
    """From their last byte until a thread began on them."""


def _nothing() -> Cost:
    return Cost(processor=array("f"), waited=array("f"))  # small: memory is measured, too


class Meter:
    """Notes it, in this process."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = defaultdict(_nothing)
        self._now = threading.local()

    def watch(self) -> None:
        """Look on whenever a request is answered."""
        dispatched, served = Flask.full_dispatch_request, Connection.service

        def dispatch(app: Flask) -> Any:  # noqa: ANN401
            answer = dispatched(app)
            self._now.kind = f"{request.method} {request.endpoint} {answer.status_code}"
            return answer

        def service(connection: Connection) -> None:
            waited, began = time.time() - connection._heard, time.thread_time()
            self._now.kind = "none"
            served(connection)
            cost = self.costs[self._now.kind]
            cost["processor"].append(time.thread_time() - began)
            cost["waited"].append(waited)

        setattr(Flask, "full_dispatch_request", dispatch)  # noqa: B010
        setattr(Connection, "service", service)  # noqa: B010


def main() -> int:
    """Run the command, and write what it took."""
    file, *command = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background ignores
    meter = Meter()
    meter.watch()
    try:
        return cli.main(command)
    finally:
        Path(file).write_text(json.dumps(meter.costs, default=list), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
