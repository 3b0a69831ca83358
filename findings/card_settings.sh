#!/usr/bin/env bash
# Expect: of the three files that cloud-init reads from a card, each may be saved by any editor as UTF-8, with a byte order mark or without.
# Happens: meta-data and network-config are read with the mark (as any YAML), user-data is not: cloud-init takes it for text of no kind, logs one warning,
#   and runs nothing of it. Windows' line ends do no harm. So with 22.4.2 of Debian 12 and 25.1.4 of Debian 13.
# Read: cloud-init's pages on user-data formats (the first line says what it is) and on NoCloud, YAML 1.2 (a mark may begin a file).
# Matters: a Raspberry Pi whose card was prepared in Windows Notepad, saved "with BOM", joins the Wi-Fi and yet installs no scorer, and says nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p packages/partial card
apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o Dir::Cache::Archives="$folder/packages" \
  cloud-init=22.4.2-1+deb12u4 > apt 2>&1 || { cat apt; exit 1; }
for package in packages/*.deb; do [ ! -e "$package" ] || dpkg -x "$package" debian; done
export PYTHONPATH="$folder/debian/usr/lib/python3/dist-packages"
/usr/bin/python3 - > output 2> errors <<'END' || { cat errors; exit 1; }
import codecs, logging, pathlib
from cloudinit import helpers, util, version
from cloudinit.user_data import UserDataProcessor

logging.disable(logging.CRITICAL)
FILES = {
    "meta-data": "instance-id: box\n",
    "network-config": "network:\n  version: 2\n  wifis: {}\n",
    "user-data": "#cloud-config\nbootcmd:\n  - [sh, /boot/firmware/begin.sh]\n",
}
WAYS = {
    "as it is": str.encode,
    "with Windows' line ends": lambda text: text.replace("\n", "\r\n").encode(),
    "with a byte order mark": lambda text: codecs.BOM_UTF8 + text.encode(),
}
print("cloud-init", version.version_string())
for title, write in WAYS.items():
    for name, text in FILES.items():
        pathlib.Path("card", name).write_bytes(write(text))
    files = util.pathprefix2dict("card/", required=list(FILES))  # as its NoCloud source does
    meta, network = util.load_yaml(files["meta-data"]), util.load_yaml(files["network-config"])
    parts = UserDataProcessor(helpers.Paths({"cloud_dir": "cloud"})).process(files["user-data"])
    kinds = [part.get_content_type() for part in parts.walk() if not part.is_multipart()]
    print(f"{title}: instance {meta['instance-id']} | network {network} | user-data is {', '.join(kinds)}")
END
cat output
diff - output <<'END' || { echo "This has changed."; exit 1; }
cloud-init 22.4.2
as it is: instance box | network {'network': {'version': 2, 'wifis': {}}} | user-data is text/cloud-config
with Windows' line ends: instance box | network {'network': {'version': 2, 'wifis': {}}} | user-data is text/cloud-config
with a byte order mark: instance box | network {'network': {'version': 2, 'wifis': {}}} | user-data is text/x-not-multipart
END
