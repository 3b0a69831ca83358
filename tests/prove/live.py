"""How soon a phone shows what another has done.

    python -m tests.prove.live

From the moment that one phone sends who went out, and takes it back, to the moment that another's
table shows it: on one machine, so without the Wi-Fi.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import serving
from tests.e2e.engines import browser

TIMES = 20
PROMISED = 300

WATCH = """
window.shown = null;
new MutationObserver(() => { window.shown ??= Date.now(); })
  .observe(document.getElementById("main"), {childList: true, subtree: true});
"""


def main() -> None:
    """Print the delays in milliseconds."""
    delays = []
    with (
        browser(390, 844) as phone,
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as serve,
    ):
        live = serve(FakeReader())
        _post(live.url, "/match/new", player0="Ann", player1="Bob", ruleset="bmja")
        phone.get(f"{live.url}/table/")
        time.sleep(1)  # for it to listen
        for turn in range(TIMES):
            phone.execute_script(WATCH)
            sent = time.time()
            _post(live.url, "/table/winner", who=str(turn % 2), won_by="wall")
            while not (shown := phone.execute_script("return window.shown")):
                assert time.time() - sent < 10, "it was never shown"
                time.sleep(0.05)
            delays.append(shown - 1000 * sent)
    sys.stdout.write(
        f"{statistics.median(delays):.0f} ms in the median, {max(delays):.0f} ms at most; "
        f"{PROMISED} are promised\n"
    )


def _post(url: str, path: str, **fields: str) -> None:
    data = urllib.parse.urlencode(fields).encode()
    urllib.request.urlopen(url + path, data, timeout=10).close()  # noqa: S310


if __name__ == "__main__":
    main()
