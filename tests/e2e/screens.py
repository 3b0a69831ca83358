"""Pictures of every screen, light and dark, on a phone and on a tablet: `make screenshots`.

    python -m tests.e2e.screens FOLDER

They are of the real program reading a sample photograph. `make screens` keeps the README's.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from device.cameras.folder import FolderCamera
from device.samples import SAMPLES_FOLDER, load_samples
from tests.device.shared_decoder import DECODER
from tests.e2e.conftest import serving
from tests.e2e.engines import Browser, browser
from tests.e2e.tour import sit_down, tour
from vision.reader import Reader

SIZES = {"phone": (390, 844), "tablet": (768, 1024)}

WINNER = "pungs-and-a-kong"
"""The sample that is photographed for the player who went out."""


def main(folder: Path) -> None:
    """Take all pictures."""
    photo = next(s for s in load_samples() if s.name == WINNER).path.read_bytes()
    reader = Reader.load()
    for size, (width, height) in SIZES.items():
        with browser(width, height) as phone:
            for theme in ("light", "dark"):
                with tempfile.TemporaryDirectory() as data, serving(Path(data)) as serve:
                    live = serve(
                        reader, lambda: FolderCamera(SAMPLES_FOLDER, DECODER), https_port=8443
                    )
                    phone.get(f"{live.url}/nowhere")
                    phone.add_cookie({"name": "look", "value": f"theme={theme}"})
                    for number, stop in enumerate(tour(live, photo)):
                        sit_down(phone, live)
                        phone.get(live.url + stop.path)
                        _take(phone, folder / f"{size}-{theme}" / f"{number:02}-{stop.name}.png")


def _take(phone: Browser, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    phone.save_screenshot(str(path))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
