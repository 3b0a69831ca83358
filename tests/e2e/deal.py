"""The four hands of one deal, on photographs that a ray tracer, deleted since, rendered.

In the order of their names: Bob, who goes out on a discard, Cy, Di and Ann. No tile is there more
than four times.
"""

from pathlib import Path

FOLDER = Path(__file__).with_name("deal-photos")
