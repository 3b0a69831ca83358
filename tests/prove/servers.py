"""Compare servers: how soon another phone is answered while one address takes what it can.

    python -m venv /tmp/servers
    /tmp/servers/bin/pip install gunicorn granian cheroot hypercorn
    python -m tests.prove.servers --bin /tmp/servers/bin [NAME...]

Each serves `page` with 28 threads (hypercorn with those of Python's own pool). The figures are
milliseconds of a phone of another address: median and longest of ten pages, or `none`.
`docs/decisions.md` has the table.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.parallel import in_threads
from tests.reporting import percentile, say

PORT = 28700
OTHER_PHONE = "127.0.0.3"
OPEN_FILES = 8000

SERVERS = {
    "ours": "{python} -m tests.prove.servers --serve ours",
    "waitress": "{python} -m tests.prove.servers --serve waitress",
    "gunicorn": "{bin}/gunicorn -w 1 -k gthread --threads 28 --worker-connections 4000 "
    "--keep-alive 20 -b 0.0.0.0:28700 tests.prove.servers:page",
    "granian": "{bin}/granian --interface wsgi --host 0.0.0.0 --port 28700 --workers 1 "
    "--blocking-threads 28 --backlog 1024 tests.prove.servers:page",
    "cheroot": "{bin}/cheroot --bind 0.0.0.0:28700 --threads 28 --timeout 20 "
    "--request-queue-size 1024 tests.prove.servers:page",
    "hypercorn": "{bin}/hypercorn -w 1 -b 0.0.0.0:28700 --backlog 1024 --keep-alive 20 "
    "--read-timeout 20 wsgi:tests.prove.servers:page",
}

GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
NEWS = GET.replace(b"/ ", b"/news ", 1)
HALF_BODY = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\nx"
BODY = b"x" * 20_000


def page(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
    """Answer with 20 kB after 5 ms of work; under /news, go on; read what is sent."""
    is_news = environ["PATH_INFO"] == "/news"
    headers = [] if is_news else [("Content-Length", str(len(BODY)))]
    start_response("200 OK", [("Content-Type", "text/event-stream"), *headers])
    if is_news:
        listen = environ.get("tongbox.listener")
        return [b"data: 1\n\n"] if listen and listen(lambda: None) else _endless_news()
    while environ["wsgi.input"].read(2**16) if environ["REQUEST_METHOD"] == "POST" else b"":
        pass
    end = time.thread_time() + 0.005
    while time.thread_time() < end:
        pass
    return [BODY]


def _endless_news() -> Iterator[bytes]:
    while True:
        yield b"data: 1\n\n"
        time.sleep(1)


def main() -> None:
    """Serve, or measure each server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="*")
    parser.add_argument("--bin", type=Path, default=Path("/tmp/servers/bin"))  # noqa: S108
    parser.add_argument("--serve", choices=("ours", "waitress"))
    args = parser.parse_args()
    if args.serve:
        serve(args.serve)
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    for name in args.servers or SERVERS:
        say(f"{name}:")
        command = SERVERS[name].format(bin=args.bin, python=sys.executable).split()
        with running(command) as process:
            for label, trial in TRIALS.items():
                say(f"  {label}: {trial()}")
            say(f"  memory: {resident_mib(process)} MiB")


def serve(name: str) -> None:
    """Serve by this project's server, or by waitress as it is."""
    if name == "waitress":
        import waitress

        options = {"connection_limit": 640, "channel_timeout": 20, "cleanup_interval": 2}
        waitress.serve(page, port=PORT, threads=28, asyncore_use_poll=True, **options)
    else:
        from device.server.limits import ServerLimits, within_open_files
        from device.server.server import Server

        listener = socket.create_server(("", PORT), backlog=1024)
        limits = within_open_files(ServerLimits(threads=28))
        Server(page, listener, limits, lambda *_: 25 * 2**20).run()


@contextmanager
def running(command: list[str]) -> Iterator[int]:
    """Run a server until the block ends; yield its process."""
    environ = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, env=environ, stdout=quiet, stderr=quiet, start_new_session=True
    )
    try:
        for _ in range(100):
            with suppress(OSError):
                ask(OTHER_PHONE)
                break
            time.sleep(0.2)
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        time.sleep(1)


def line(address: str, timeout: float = 6) -> socket.socket:
    """Return a connection that an address opens."""
    return socket.create_connection(("127.0.0.1", PORT), timeout, source_address=(address, 0))


def ask(address: str) -> None:
    """Ask for a page on a connection of its own; raise OSError without an answer."""
    with closing(line(address)) as connection:
        ask_on(connection)


def ask_on(connection: socket.socket) -> None:
    """Ask for a page on an open connection."""
    connection.sendall(GET)
    answer = b""
    while not answer.endswith(BODY):
        piece = connection.recv(2**16)
        if not piece:
            raise ConnectionError("hung up")
        answer += piece


def time_pages(count: int = 10) -> str:
    """Return how long pages of another phone take; the first without an answer ends it."""
    times = []
    for _ in range(count):
        start = time.monotonic()
        try:
            ask(OTHER_PHONE)
        except OSError:
            return "none"
        times.append(1000 * (time.monotonic() - start))
    return f"{percentile(times, 0.5):.0f}, {max(times):.0f}"


def count_answers(seconds: float = 5) -> str:
    """Return the answers a second that eight phones get together."""
    end, answers = time.monotonic() + seconds, []

    def look(number: int) -> None:
        connection = line(f"127.0.1.{number + 1}")
        while time.monotonic() < end:
            try:
                ask_on(connection)
                answers.append(number)
            except OSError:
                connection = line(f"127.0.1.{number + 1}")

    with in_threads(8, look):
        pass
    return f"{len(answers) / seconds:.0f} a second"


GREEDY = """
import threading
from contextlib import suppress
from tests.prove.servers import ask_on, line
def ask_without_end():
    while True:
        with suppress(OSError), line("127.0.0.2", 30) as connection:
            while True:
                ask_on(connection)
for _ in range(200):
    threading.Thread(target=ask_without_end, daemon=True).start()
threading.Event().wait()
"""


def beside_greedy() -> str:
    """Time pages while one address asks 200 at a time."""
    with subprocess.Popen([sys.executable, "-c", GREEDY]) as greedy:
        time.sleep(3)
        times = time_pages()
        greedy.kill()
    time.sleep(2)
    return times


def beside_held(count: int, addresses: int, says: bytes) -> Callable[[], str]:
    """Return what times pages while so many connections say this and no more."""

    def measure() -> str:
        with ExitStack() as held:
            for number in range(count):
                with suppress(OSError):
                    connection = line(f"127.0.0.{10 + number % addresses}", 2)
                    held.enter_context(closing(connection)).sendall(says)
            time.sleep(0.5)
            times = time_pages()
        time.sleep(1)
        return times

    return measure


def beside_listeners() -> str:
    """Return how many of 240 listeners hear news, and the times of pages beside them."""
    with ExitStack() as open_lines:
        heard = 0
        for number in range(240):
            with suppress(OSError):
                connection = line(f"127.0.2.{1 + number % 60}", 1)
                open_lines.enter_context(closing(connection)).sendall(NEWS)
                answer = b""
                while b"data: 1" not in answer and (piece := connection.recv(2**12)):
                    answer += piece
                heard += b"data: 1" in answer
        return f"{heard} hear; {time_pages()}"


def resident_mib(process: int) -> int:
    """Return the memory of a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()
    statm = (Path(f"/proc/{each}/statm").read_text("utf-8") for each in (process, *children))
    return sum(int(text.split()[1]) for text in statm) * resource.getpagesize() // 2**20


TRIALS: dict[str, Callable[[], str]] = {
    "eight phones": count_answers,
    "alone": time_pages,
    "one address asks 200 at a time": beside_greedy,
    "700 silent connections of one address": beside_held(700, 1, b""),
    "700 unfinished requests of one address": beside_held(700, 1, b"GET / HTTP/1.1\r\nX-"),
    "1,000 unfinished requests of 16 addresses": beside_held(1000, 16, b"GET / HTTP/1.1\r\nX-"),
    "60 unfinished bodies of one address": beside_held(60, 1, HALF_BODY),
    "240 listeners of 60 addresses": beside_listeners,
}


if __name__ == "__main__":
    main()
