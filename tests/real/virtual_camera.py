"""Try our ribbon camera on the real picamera2 and libcamera: `python -m tests.real.virtual_camera`.

Debian's libcamera has a virtual camera, which sees a picture from a file. In a root of Debian
unstable (older releases have none that works) `virtual/checks.py` uses it through our own backend
and service. `virtual/` adapts what picamera2 lacks for that camera.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.real.needs import ROOTS, need
from tests.real.roots import Root, copy_root
from tests.reporting import say

PACKAGES = (
    "ca-certificates", "gcc", "libc6-dev", "libcamera-ipa", "libcamera-tools", "libcap-dev",
    "python3-dev", "python3-libcamera", "python3-numpy", "python3-pil", "python3-pip",
    "python3-prctl", "python3-venv",
)  # fmt: skip

FROM_PYPI = (
    "picamera2==0.3.38", "msgspec", "opencv-python-headless", "pillow-heif", "pytest",
    "pytest-timeout", "hypothesis",
)  # fmt: skip
"""picamera2 is not in Debian. The release is fixed, for private parts of it are overridden."""

VIRTUAL_FOLDER = Path(__file__).with_name("virtual")
PICTURE_PATH = "/trial/picture.jpg"
SHIM = "/trial/fakedmabuf.so"

RUN = f"""
cd /src
/venv/bin/python -m tests.real.virtual.picture {PICTURE_PATH}
export LD_PRELOAD={SHIM} PYTHONPATH=/src/tests/real/virtual
exec timeout 600 /venv/bin/python -m pytest -p no:cacheprovider -o filterwarnings=default \\
    -o timeout=60 --disable-warnings -rP --show-capture=stdout tests/real/virtual/checks.py
"""
# Warnings are others' here: picamera2's packages are not made for the newest Python yet.


def main() -> int:
    """Make the system, run the checks in it; return 1 when one fails."""
    need(*ROOTS)
    root = copy_root("trial-virtual", "sid", "amd64", PACKAGES)
    prepare(root)
    return subprocess.run(
        root.command("sh", "-eu", "-c", RUN), env=root.environment(), check=False
    ).returncode


def prepare(root: Root) -> None:
    """Put picamera2, the virtual camera's settings and the project into it."""
    root.take_source()
    (root.path / SHIM[1:]).parent.mkdir()
    settings = root.path / "usr/share/libcamera/pipeline/virtual"
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copy(VIRTUAL_FOLDER / "virtual.yaml", settings)
    source = f"/src/{VIRTUAL_FOLDER.relative_to(VIRTUAL_FOLDER.parents[2])}/fakedmabuf.c"
    root.run("cc", "-shared", "-fPIC", "-O", "-Wall", "-Werror", "-o", SHIM, source)
    root.run("python3", "-m", "venv", "--system-site-packages", "/venv")
    root.run("/venv/bin/pip", "install", "--quiet", *FROM_PYPI)
    say(root.run("dpkg-query", "-W", "python3", "python3-libcamera").strip())


if __name__ == "__main__":
    sys.exit(main())
