"""Print which pages of the box on this computer are broken; end with 1 when it does not answer.

For changing.sh, with the system's own Python: `python3 ask.py [PORT]`. The first page and the list
of matches are asked for as players do, for /health may be well while these are not. A page that
asks for the table's PIN is not broken.
"""

import http.client
import sys

PAGES = ("/health", "/", "/matches")

PATIENCE = 20
"""Seconds for a page, of a box that may be reading a photograph."""


def status(page: str, port: int) -> int:
    """Return the status with which a page is answered; raise OSError or HTTPException."""
    box = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        box.request("GET", page)
        answer = box.getresponse()
        answer.read()
        return answer.status
    finally:
        box.close()


def main() -> int:
    """Print a line for each; all, when there is no answer."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    try:
        broken = [page for page in PAGES if status(page, port) >= 500]
    except (OSError, http.client.HTTPException):
        broken = None
    sys.stdout.writelines(f"{page}\n" for page in (PAGES if broken is None else broken))
    return int(broken is None)


if __name__ == "__main__":
    sys.exit(main())
