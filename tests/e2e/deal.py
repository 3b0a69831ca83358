"""The four hands of one deal, on photographs that the project renders: `python -m tests.e2e.deal`.

About five seconds a picture. No tile is there more than four times; Bob goes out on a discard.
"""

from __future__ import annotations

from pathlib import Path

from tests.goldens.make import Entry, photograph

FOLDER = Path(__file__).with_name("deal-photos")

HANDS: dict[str, Entry] = {
    "bob": {
        "setting": "kitchen-table",
        "rows": [["C2 C2 C2", "O4 >O5 O6"], ["B8 B8 B8", "DR DR DR", "WE WE"]],
        "bonus": "F4",
    },
    "cy": {
        "setting": "kitchen-table",
        "rows": [["B5 B5 B5"], ["C7 C8 C9", "WS WS", "O2 O3", "DW", "B1", "WE"]],
    },
    "di": {
        "setting": "kitchen-table",
        "rows": [["WN WN WN", "O7 O7 O7"], ["B2 B3 B4", "C5 C5", "O1", "DG"]],
        "bonus": "S1",
    },
    "ann": {
        "setting": "kitchen-table",
        "rows": [["C1 C1 C1"], ["B6 B7 B7", "O8 O8", "O9 O9", "DG DG", "WW"]],
    },
}
"""Each player's, in the order in which they are photographed."""


def main() -> None:
    """Render the four photographs."""
    FOLDER.mkdir(exist_ok=True)
    for k, (name, entry) in enumerate(HANDS.items()):
        picture = photograph({"name": name, "why": "", **entry})
        (FOLDER / f"{k + 1}-{name}.jpg").write_bytes(picture)


if __name__ == "__main__":
    main()
