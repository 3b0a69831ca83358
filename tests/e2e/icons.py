"""The box's sign as pictures, for a phone's home screen: drawn by Chromium from `icon.svg`.

    python -m tests.e2e.icons

The pictures are kept with the page's other files; a test tells when the sign is another.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from PIL import Image

from tests.e2e.engines import Chromium, browser

STATIC = Path(str(files("device.web") / "static"))

GROUND = "#0f3a2a"
"""The green behind a sign that fills its square, as the page's own (`--baize-deep`)."""

COLOURS = 128
"""Of a picture: as many as the sign's brass and baize need."""


@dataclass(frozen=True, slots=True)
class Icon:
    """One picture of the sign."""

    name: str
    pixels: int
    share: float
    """Of the square's width that the sign takes."""
    ground: str = "transparent"


ICONS = (
    Icon("icon-192.png", 192, 1.0),
    Icon("icon-512.png", 512, 1.0),
    # Phones cut these to a shape of their own, which leaves a circle of four fifths of the width.
    Icon("icon-maskable-192.png", 192, 0.62, GROUND),
    Icon("icon-maskable-512.png", 512, 0.62, GROUND),
    Icon("icon-apple.png", 180, 0.88, GROUND),
)


def draw_icon(phone: Chromium, icon: Icon) -> Image.Image:
    """Return the picture of the sign, RGBA."""
    sign = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    page = (
        f"<style>html{{margin:0;background:{icon.ground}}}body{{margin:0;display:grid;"
        f"place-items:center;height:{icon.pixels}px}}img{{width:{icon.share * icon.pixels}px}}"
        f"</style><img src='data:image/svg+xml;base64,{sign}'>"
    )
    phone.get("data:text/html;base64," + base64.b64encode(page.encode()).decode())
    colour = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    phone.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", colour)
    size = {"width": icon.pixels, "height": icon.pixels, "deviceScaleFactor": 1, "mobile": False}
    phone.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        shot = phone.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    finally:
        phone.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})
        phone.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return Image.open(io.BytesIO(base64.b64decode(shot))).convert("RGBA")


def main() -> None:
    """Draw them all."""
    with browser(390, 844) as phone:
        for icon in ICONS:
            small = draw_icon(phone, icon).quantize(COLOURS, Image.Quantize.FASTOCTREE)
            small.save(STATIC / icon.name, optimize=True)


if __name__ == "__main__":
    main()
