"""Write the page's sprite: `python -m models.train.faces.sprite`."""

from __future__ import annotations

from pathlib import Path

from scorer.tiles import CODES

from .tile import back_svg, tile_svg, unknown_svg

TARGET = Path(__file__).parents[3] / "device" / "views" / "tiles.svg"


def sprite() -> str:
    """Return one SVG with a symbol per tile, and one each for a back and an unknown tile.

    The page refers to `tile-B1` and so on, `tile-back` and `tile-unknown`, all 60 x 80.
    """
    symbols = [_symbol(code, tile_svg(code)) for code in CODES]
    symbols += [_symbol("back", back_svg()), _symbol("unknown", unknown_svg())]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "".join(symbols) + "</svg>\n"


def _symbol(name: str, elements: str) -> str:
    return f'<symbol id="tile-{name}" viewBox="0 0 60 80">{elements}</symbol>\n'


if __name__ == "__main__":
    TARGET.write_text(sprite(), encoding="utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes")
