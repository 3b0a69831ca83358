"""Sign releases with a minisign key: `python -m deploy.release.signing` makes one.

The secret half stays on its maker's computer, never in the project: TONGBOX_RELEASE_KEY names it
(default ~/.config/tongbox/release.key). The public half goes into every bundle as
deploy/release.pub, and should be published beside the bundles. A box accepts updates only if they
are signed by the key of its running version. A checkout with a deploy/release.pub of its own is
signed by that key or not at all.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import minisign

from device.updates.bundle import TRUSTED_COMMENT

DEFAULT_KEY_PATH = Path.home() / ".config/tongbox/release.key"


class SigningKeyError(Exception):
    """The key cannot be used; the message says why, and what to do."""


def key_path() -> Path:
    """Return the path of the secret key."""
    return Path(os.environ.get("TONGBOX_RELEASE_KEY", DEFAULT_KEY_PATH))


def load_key(path: Path) -> minisign.SecretKey:
    """Return the secret key; raise SigningKeyError."""
    try:
        secret = minisign.SecretKey.from_file(str(path))
    except FileNotFoundError as error:
        raise SigningKeyError(f"There is no {path}. To make one: make release-key") from error
    except minisign.ParseError as error:
        raise SigningKeyError(f"{path} is no minisign key: {error}") from error
    if secret.is_encrypted():
        raise SigningKeyError(f"{path} has a password; `minisign -C -W` takes it off a copy.")
    return secret


def public_half(secret: minisign.SecretKey) -> bytes:
    """Return the content of deploy/release.pub."""
    return bytes(minisign.PublicKey.from_secret_key(secret)) + b"\n"


def sign(sums: bytes, version: str, secret: minisign.SecretKey) -> bytes:
    """Return the signature of a list of checksums; the same for the same list and key."""
    signature = secret.sign(sums, trusted_comment=TRUSTED_COMMENT.format(version=version))
    return bytes(signature) + b"\n"


def main() -> int:
    """Make a key, unless there is one; print its public half."""
    path = key_path()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        secret_key = minisign.KeyPair.generate().secret_key
        path.touch(mode=0o600, exist_ok=False)
        path.write_bytes(bytes(secret_key) + b"\n")
    sys.stdout.write(f"{path} is the secret half: keep a copy of it, and show it to nobody.\n")
    sys.stdout.write(public_half(load_key(path)).decode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
