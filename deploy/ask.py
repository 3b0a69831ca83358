"""Print which pages of the box on this computer are broken; end with 1 when it does not answer.

changing.sh runs it with the system's own Python: `python3 ask.py [PORT]`. It also asks for the
first page and the list of matches, because /health may be well while these are not. A page that
asks for the table's PIN is not broken. A box with a dead worker counts as one that does not answer.

Versions up to 0.2.0 say nothing of the worker. Their /health counts as broken, so that a newer
version is not blamed for what it finds on the same card.
"""

import http.client
import json
import sys

PAGES = ("/health", "/", "/matches")

PAGE_TIMEOUT_S = 10
"""The box may be reading a photograph meanwhile."""


def fetch_page(page: str, port: int) -> tuple[int, bytes]:
    """Return an answer's status and body; raise OSError or HTTPException."""
    box = http.client.HTTPConnection("127.0.0.1", port, timeout=PAGE_TIMEOUT_S)
    try:
        box.request("GET", page)
        answer = box.getresponse()
        return answer.status, answer.read()
    finally:
        box.close()


def is_alive(health: bytes) -> bool | None:
    """Return whether /health says that the worker is alive; None if it does not say."""
    try:
        answer = json.loads(health)
    except ValueError:
        return None
    return answer.get("alive") if isinstance(answer, dict) else None


def find_broken_pages(port: int) -> list[str] | None:
    """Return the pages that are broken; None without an answer."""
    try:
        answers = {page: fetch_page(page, port) for page in PAGES}
    except (OSError, http.client.HTTPException):
        return None
    alive = is_alive(answers["/health"][1])
    if alive is False:
        return None
    broken_pages = [page for page, (status, _) in answers.items() if status >= 500]
    return broken_pages if alive or "/health" in broken_pages else ["/health", *broken_pages]


def main() -> int:
    """Print a line for each broken page; without an answer, all of them."""
    broken_pages = find_broken_pages(int(sys.argv[1]) if len(sys.argv) > 1 else 80)
    sys.stdout.writelines(f"{page}\n" for page in (PAGES if broken_pages is None else broken_pages))
    return int(broken_pages is None)


if __name__ == "__main__":
    sys.exit(main())
