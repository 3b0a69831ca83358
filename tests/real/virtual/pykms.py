"""In place of what draws camera pictures on a screen, and is in Raspberry Pi OS alone.

picamera2 imports it whether it draws or not; here nothing does.
"""

from unittest.mock import MagicMock

PixelFormat = MagicMock()
