"""Make root file systems of Debian, in which the project's own scripts run as on a fresh system.

mmdebstrap makes a bare one, which is kept in TONGBOX_ROOTS (by default the folder `tongbox-roots`
beside other temporary files). Each trial works in a copy. Needs root, mmdebstrap and, for arm64,
qemu-user-static.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.reporting import say

REPO = Path(__file__).parents[2]

CACHE = Path(os.environ.get("TONGBOX_ROOTS", Path(tempfile.gettempdir()) / "tongbox-roots"))

BINFMT = Path("/proc/sys/fs/binfmt_misc")
ARM64 = "qemu-aarch64"
"""What tells the kernel to run arm64 programs by qemu, also as children of others."""

OWN_AUTHORITIES = Path("/usr/local/share/ca-certificates")
"""Where a network that looks into HTTPS has its authority: pip in the root must trust it, too."""

CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"

# The mounts are the command's own: they are gone when it ends, however that happens.
ENTER = """
for each in proc sys dev; do mount --rbind "/$each" "$0/$each"; done
[ -z "$CPUINFO" ] || mount --bind "$CPUINFO" "$0/proc/cpuinfo"
exec chroot "$0" "$@"
"""

CPUINFO = """processor\t: {number}
BogoMIPS\t: 108.00
Features\t: fp asimd evtstrm {features}
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: {variant}
CPU part\t: {part}
CPU revision\t: {revision}

"""
"""What /proc/cpuinfo has of each core. onnxruntime chooses by it, and crashes on a PC's."""


@dataclass(frozen=True)
class Cpu:
    """A Raspberry Pi's processor, as qemu calls it and as it describes itself."""

    name: str
    of: str
    part: str
    variant: str
    revision: int
    features: str

    def describe(self) -> Path:
        """Return a file that stands in for /proc/cpuinfo."""
        text = "".join(
            CPUINFO.format(number=number, **asdict(self)) for number in range(os.cpu_count() or 1)
        )
        path = CACHE / f"cpuinfo-{self.name}"
        path.write_text(text)
        return path


CPUS = (
    Cpu("cortex-a53", "Pi 3", "0xd03", "0x0", 4, "crc32 cpuid"),
    Cpu("cortex-a72", "Pi 4", "0xd08", "0x0", 3, "crc32 cpuid"),
    Cpu("cortex-a76", "Pi 5", "0xd0b", "0x4", 1, "aes pmull sha1 sha2 crc32 atomics fphp asimdhp "
        "cpuid asimdrdm lrcpc dcpop asimddp"),
)  # fmt: skip
"""A Pi 3 has too little memory for Tongbox, but its processor knows the fewest instructions."""


@dataclass(frozen=True)
class Root:
    """A root file system in a folder."""

    path: Path
    cpu: Cpu | None = None
    """The processor that is emulated; None where the computer's own does."""

    def command(self, *command: str, user: str = "root") -> list[str]:
        """Return how to run a command in it, as a user without further rights if it is not root."""
        as_user = [
            "setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--no-new-privs"
        ]  # fmt: skip
        return [
            "unshare", "--mount", "--propagation=private", "sh", "-eu", "-c", ENTER,
            str(self.path), *(as_user if user != "root" else ()), *command,
        ]  # fmt: skip

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the environment of a command in it."""
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
            "PIP_CERT": CERTIFICATES,
            "QEMU_CPU": self.cpu.name if self.cpu else "",
            "CPUINFO": str(self.cpu.describe()) if self.cpu else "",
            **(extra or {}),
        }

    def run(
        self, *command: str, user: str = "root", environment: Mapping[str, str] | None = None
    ) -> str:
        """Run a command in it and return what it prints; raise CalledProcessError."""
        result = subprocess.run(
            self.command(*command, user=user),
            env=self.environment(environment),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return result.stdout

    def take_source(self, name: str = "src") -> Path:
        """Copy the project into it, as a checkout would be; return where it lies."""
        source = self.path / name
        source.mkdir()
        command = ["git", "-C", str(REPO), "ls-files", "-z", "--cached", "--others",
                  "--exclude-standard"]  # fmt: skip
        files = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        tree = subprocess.run(
            ["tar", "-C", str(REPO), "--null", "-T", "-", "-c"],
            input=files, stdout=subprocess.PIPE, check=True,
        ).stdout  # fmt: skip
        subprocess.run(["tar", "-C", str(source), "-x"], input=tree, check=True)
        return source


def copy_root(
    name: str,
    suite: str,
    arch: str,
    packages: Sequence[str],
    cpu: Cpu | None = None,
    kind: str = "",
    max_age_s: float = math.inf,
) -> Root:
    """Return a copy of a bare system under this name, in place of an earlier one.

    Systems of one suite with other packages are of another kind. A bare one that is older than
    `max_age_s` seconds is made again.
    """
    original = _bare_root(suite, arch, packages, kind, max_age_s)
    copy = CACHE / name
    if copy.exists():
        shutil.rmtree(copy)
    subprocess.run(["cp", "-a", "--reflink=auto", str(original), str(copy)], check=True)
    shutil.copy("/etc/resolv.conf", copy / "etc/resolv.conf")
    with (copy / CERTIFICATES[1:]).open("ab") as authorities:
        for authority in sorted(OWN_AUTHORITIES.glob("*.crt")):
            authorities.write(authority.read_bytes())
    return Root(copy, cpu)


def _bare_root(suite: str, arch: str, packages: Sequence[str], kind: str, max_age_s: float) -> Path:
    """Return a system that mmdebstrap made of Debian's packages, now or at an earlier time."""
    cached_root = CACHE / "cache" / "-".join(filter(None, (arch, suite, kind)))
    if cached_root.exists() and time.time() - cached_root.stat().st_mtime < max_age_s:
        return cached_root
    say(f"Making a bare {suite} for {arch} with mmdebstrap ...")
    half = cached_root.with_suffix(".part")
    for each in (half, cached_root):
        if each.exists():
            shutil.rmtree(each)
    half.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["mmdebstrap", "--quiet", "--mode=root", f"--architectures={arch}", "--variant=minbase",
         '--aptopt=Acquire::Check-Valid-Until "false"',  # a mirror may be weeks behind unstable
         f"--include={','.join(packages)}", suite, str(half)],
        check=True,
    )  # fmt: skip
    os.utime(half)
    return half.rename(cached_root)


def let_arm64_run() -> None:
    """Let this kernel run arm64 programs by qemu-user-static, unless it does."""
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", str(BINFMT)], check=True)
    if not (BINFMT / ARM64).exists():
        rule = Path(f"/usr/lib/binfmt.d/{ARM64}.conf").read_bytes()
        (BINFMT / "register").write_bytes(rule)
