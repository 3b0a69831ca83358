"""Name the programs that a trial calls, and the Debian packages that have them."""

from __future__ import annotations

import os
import shutil
import sys

PACKAGES = {
    "mmdebstrap": "mmdebstrap",
    "fdtget": "device-tree-compiler",
    "git": "git",
    "ip": "iproute2",
    "iptables": "iptables",
    "mcopy": "mtools",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "buildah": "buildah",
    "podman": "podman",
    "qemu-aarch64-static": "qemu-user-static",
    "qemu-img": "qemu-utils",
    "qemu-system-aarch64": "qemu-system-arm",
    "qemu-system-x86_64": "qemu-system-x86",
    "runc": "runc",
    "sfdisk": "fdisk",
    "systemd-nspawn": "systemd-container",
    "/usr/lib/podman/aardvark-dns": "aardvark-dns",
    "/usr/lib/podman/netavark": "netavark",
}
"""Programs, by name or path; what every Debian has is left out."""

ROOTS = ("git", "mmdebstrap")
"""What `tests.real.roots` calls."""

EMULATED_ARM64 = (*ROOTS, "qemu-aarch64-static")


def need(*programs: str) -> None:
    """Exit with a line that says what is missing, unless the program can run."""
    if os.geteuid() != 0:
        sys.exit("This needs root.")
    missing = [each for each in programs if not shutil.which(each)]
    if missing:
        packages = " ".join(sorted({PACKAGES[each] for each in missing}))
        sys.exit(f"This needs {', '.join(missing)}: apt-get install {packages}")
