"""Write the README of a dataset folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from device.giving.formats import CLASSES, LabelRow
from device.giving.licences import Licence

_ABOUT = """\
# Mah-Jong hands, photographed and labelled by those who played them

{photos} photographs of hands with {tiles} tiles of {sets}. Licence: {spdx} (see `LICENSE`).

Tongbox, a box that reads Mah-Jong hands, read them; the players said that every tile is right, or
put it right, and agreed to give the pictures away. {corrected} of the tiles had been read wrongly.

- `images/`: each picture is cut to one hand's tiles. All else is painted over in grey, but for a
  narrow margin around each tile; a finger on a tile stays. The pictures were encoded anew: nothing
  is in them but pixels. Their names are the beginning of the SHA-256 of their bytes, and they stand
  in the order of these, which is no order of playing.
- `labels.jsonl`: one picture a line. `tiles` has a `code`, the `quad` around its face in pixels,
  clockwise from the tile's own top left, what it was `read` as, the `row` in which it lay
  (`exposed`, `concealed`, `bonus`), its `set` there, and what it `stands_for` in the hand, for a
  tile that lies face down (`BACK`). `group` is the tile set and `scene` the match: to hold out,
  take whole groups, or at least whole scenes.
- `coco.json`: the same for detection and segmentation in COCO's format.
- `labels/`, `data.yaml`: the same as YOLO's oriented boxes.

Codes: `B1`-`B9` bamboo, `C1`-`C9` characters, `O1`-`O9` circles, `WE WS WW WN` winds, `DR DG DW`
dragons, `F1`-`F4` flowers, `S1`-`S4` seasons, `BACK` face down, `JK` joker. The outlines were found
by the box and are as good as it is; the names are the players'.

    tongbox evaluate labels.jsonl
    TONGBOX_DATASETS=THIS_FOLDER make train

"""


def page(rows: Sequence[LabelRow], licence: Licence) -> str:
    """Return the README: what the folder holds, and the number of tiles by face and set."""
    tiles = [(row["group"], tile) for row in rows for tile in row["tiles"]]
    photos = Counter(row["group"] for row in rows)
    groups = sorted(photos, key=lambda group: int(group.rpartition("-")[2]))
    counts = Counter((group, tile["code"]) for group, tile in tiles)
    about = _ABOUT.format(
        photos=len(rows),
        tiles=len(tiles),
        sets="one tile set" if len(groups) == 1 else f"{len(groups)} tile sets",
        spdx=licence.spdx,
        corrected=sum(tile["code"] != tile["read"] for _, tile in tiles),
    )
    table = [
        ("", *groups),
        ("---", *("---:" for _ in groups)),
        ("photographs", *(photos[group] for group in groups)),
        *((code, *(counts[group, code] for group in groups)) for code in CLASSES),
    ]
    return about + "".join(f"| {' | '.join(map(str, line))} |\n" for line in table)
