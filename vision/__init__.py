"""From a photograph to a reading: find the tiles, name them, arrange them, say how sure it is.

Programs read photographs by the names below (docs/library.md).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.errors import ModelError as ModelError
    from vision.errors import PhotoError as PhotoError
    from vision.photo import Photo as Photo
    from vision.photo import open_photo as open_photo
    from vision.reader import Reader as Reader
    from vision.reading import Problem as Problem
    from vision.reading import Reading as Reading
    from vision.reading import SetReading as SetReading
    from vision.reading import TileReading as TileReading

if not TYPE_CHECKING:
    _HOMES = {
        "ModelError": "vision.errors",
        "Photo": "vision.photo",
        "PhotoError": "vision.errors",
        "Problem": "vision.reading",
        "Reader": "vision.reader",
        "Reading": "vision.reading",
        "SetReading": "vision.reading",
        "TileReading": "vision.reading",
        "open_photo": "vision.photo",
    }
    """Where each public name is; one under another name stands after a colon."""

    __all__ = list(_HOMES)

    def __getattr__(name: str) -> object:
        """Load a public name at its first use: a command loads no more than it needs."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, _, attribute = _HOMES[name].partition(":")
        return getattr(import_module(module), attribute or name)
