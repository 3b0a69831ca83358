"""A short film of a deal, from the screens of the browser tour: `make film`.

python -m tests.e2e.film FILE.webp
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

from device.cameras.folder import FolderCamera
from device.samples import SAMPLES_FOLDER, load_samples
from tests.device.shared_decoder import DECODER
from tests.e2e.conftest import serving
from tests.e2e.engines import HEIGHT, WIDTH, browser
from tests.e2e.tour import sit_down, tour
from vision.reader import Reader

SCENES = ("table", "who", "how", "capture", "hand", "settlement", "table-after")
"""Stops of the tour that show a deal, in order."""

SAMPLE_NAME = "pungs-and-a-kong"
"""The sample that is photographed for the player who went out."""

SCENE_MS = 1800

FILM_WIDTH_PX = 390

MAX_FILM_BYTES = 1_500_000


def take_scenes() -> list[Image.Image]:
    """Return a picture of each scene, of the real program reading a sample photograph."""
    photo = next(s for s in load_samples() if s.name == SAMPLE_NAME).path.read_bytes()
    scenes = []
    with (
        browser(WIDTH, HEIGHT) as phone,
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as serve,
    ):
        live = serve(Reader.load(), lambda: FolderCamera(SAMPLES_FOLDER, DECODER))
        phone.get(f"{live.url}/nowhere")
        for stop in tour(live, photo):
            if stop.name in SCENES:
                sit_down(phone, live)
                phone.get(live.url + stop.path)
                picture = Image.open(io.BytesIO(phone.get_screenshot_as_png())).convert("RGB")
                height = picture.height * FILM_WIDTH_PX // picture.width
                scenes.append(picture.resize((FILM_WIDTH_PX, height)))
            if stop.name == SCENES[-1]:
                break
    return scenes


def main(path: Path) -> None:
    """Write the film; raise ValueError if it is too large for a page."""
    first, *next_scenes = take_scenes()
    first.save(
        path,
        save_all=True,
        append_images=next_scenes,
        duration=SCENE_MS,
        loop=0,
        quality=70,
        method=6,
    )
    if path.stat().st_size > MAX_FILM_BYTES:
        raise ValueError(f"{path} has {path.stat().st_size:,} bytes, over {MAX_FILM_BYTES:,}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
