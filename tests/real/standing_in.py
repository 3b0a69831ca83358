"""Make images of Debian's packages under the names of `deploy/server`'s base images.

So no registry of images has to be reached. One is a Debian 12 with a Python where the official
image has its own. The other has PostgreSQL, and an entry point that understands what compose.yaml
tells the official image. All that is built upon them is the product's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.real.roots import Root, copy_root
from tests.reporting import say

PYTHON_IMAGE = "docker.io/library/python:3.12-slim-bookworm"
POSTGRES_IMAGE = "docker.io/library/postgres:15-bookworm"

NEEDED_BY_PYTHON = (
    "ca-certificates", "netbase", "tzdata", "libssl3", "libffi8", "libsqlite3-0", "libbz2-1.0",
    "liblzma5", "libreadline8", "libncursesw6", "libuuid1", "libexpat1", "libgdbm6", "libdb5.3",
)  # fmt: skip

PATH = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/15/bin"

ENTRY = """#!/bin/sh
set -eu
as="setpriv --reuid=postgres --regid=postgres --init-groups"
data=/var/lib/postgresql/data
mkdir -p /var/run/postgresql
chown postgres:postgres $data /var/run/postgresql
chmod 700 $data
if [ ! -s $data/PG_VERSION ]; then
    secret=$(mktemp)
    printf '%s\\n' "${POSTGRES_PASSWORD:?say a password}" > "$secret"
    chown postgres "$secret"
    $as initdb -D $data -U "$POSTGRES_USER" --pwfile="$secret" --auth-local=trust \\
        --auth-host=scram-sha-256 $POSTGRES_INITDB_ARGS
    rm "$secret"
    echo "host all all all scram-sha-256" >> $data/pg_hba.conf
    $as pg_ctl -D $data -o "-c listen_addresses=''" -w start
    $as createdb -U "$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
    $as pg_ctl -D $data -w stop
fi
exec $as postgres -D $data -c listen_addresses='*'
"""

ENTRYPOINT = 'ENTRYPOINT ["docker-entrypoint.sh"]'

RUN_PIP = '#!/bin/sh\nexec python3 -m pip "$@"\n'

OF_THIS_NETWORK = "[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n"
"""For pip, where a network looks into HTTPS: `roots.OWN_AUTHORITIES`."""


def begin(python: str) -> None:
    """Have both images; raise FileNotFoundError where this machine has no such Python."""
    root = copy_root("image-python", "bookworm", "amd64", NEEDED_BY_PYTHON, kind="python")
    _lay_python(root.path, python)
    _import(root, PYTHON_IMAGE, 'CMD ["python3"]')
    root = copy_root(
        "image-postgres", "bookworm", "amd64", ("ca-certificates", "postgresql-15"), kind="postgres"
    )
    entry = root.path / "usr/local/bin/docker-entrypoint.sh"
    entry.write_text(ENTRY)
    entry.chmod(0o755)
    (root.path / "var/lib/postgresql/data").mkdir(parents=True)
    _import(root, POSTGRES_IMAGE, ENTRYPOINT, "STOPSIGNAL SIGINT")


def build(image: str, source: Path) -> None:
    """Build the product's image from a checkout, by the words that its Dockerfile says."""
    subprocess.run(
        ["podman", "build", "--quiet", "-f", "deploy/server/Dockerfile", "-t", image, "."],
        cwd=source, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip


def _lay_python(root: Path, python: str) -> None:
    """Copy a Python of this machine to where the official image has its own."""
    command = [python, "-c", "import sys; print(sys.base_prefix)"]
    prefix = Path(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout[:-1]
    )
    version = f"python{python.rpartition('python')[2]}"
    local = root / "usr/local"
    shutil.copy2(prefix / "bin" / version, local / "bin")
    for shared in (prefix / "lib").glob(f"lib{version}.so*"):
        shutil.copy2(shared, local / "lib", follow_symlinks=False)
    shutil.copytree(
        prefix / "lib" / version, local / "lib" / version,
        ignore=shutil.ignore_patterns("test", "site-packages", "__pycache__"),
    )  # fmt: skip
    (local / "lib" / version / "site-packages").mkdir()
    for name in ("python3", "python"):
        (local / "bin" / name).symlink_to(version)
    (local / "bin/pip").write_text(RUN_PIP)
    (local / "bin/pip").chmod(0o755)
    (root / "etc/pip.conf").write_text(OF_THIS_NETWORK)
    local_root = Root(root)
    local_root.run("ldconfig")
    local_root.run("python3", "-m", "ensurepip")


def _import(root: Root, name: str, *says: str) -> None:
    """Make an image of a root, and remove that."""
    for each in ("var/cache/apt", "var/lib/apt/lists", "var/lib/postgresql/15"):
        shutil.rmtree(root.path / each, ignore_errors=True)
    changes = [word for each in (f"ENV PATH={PATH}", *says) for word in ("--change", each)]
    with subprocess.Popen(
        ["tar", "-C", str(root.path), "-c", "."], stdout=subprocess.PIPE
    ) as archive:
        subprocess.run(
            ["podman", "import", "--quiet", *changes, "-", name],
            stdin=archive.stdout, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    shutil.rmtree(root.path)
    say(f"     {name} stands in, {size(name) >> 20} MiB")


def size(image: str) -> int:
    """Return the bytes of an image, with its base."""
    command = ["podman", "image", "inspect", "--format", "{{.Size}}", image]
    return int(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=os.environ).stdout)
