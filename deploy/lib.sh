# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # what is set here is used there, and the other way round
# What install.sh, update.sh and uninstall.sh have in common. They set `here`, deploy's own folder.
#
# TONGBOX_ROOT puts a folder in place of / and TONGBOX_PYTHON a program in place of the system's
# Python, for the tests.

set -eu
umask 022

ROOT=${TONGBOX_ROOT:-}
PYTHON=${TONGBOX_PYTHON:-/usr/bin/python3}
SOURCE=$(dirname "$here")
OPT=$ROOT/opt/tongbox
DATA=$ROOT/var/lib/tongbox
UNIT=$ROOT/etc/systemd/system/tongbox.service
AVAHI=$ROOT/etc/avahi/services/tongbox.service
AVAHI_SETTINGS=$ROOT/etc/avahi/avahi-daemon.conf
COMMAND=$ROOT/usr/local/bin/tongbox

# kB of MemTotal, as device/doctor/hardware.py has it: a Raspberry Pi sold with 2 GB has more.
MEMORY=1500000
HEALTH_TRIES=30

dry=

options() {
    for option in "$@"; do
        case $option in
            --dry-run) dry=yes ;;
            *) refuse "The only option is --dry-run, which says what would be done." ;;
        esac
    done
}

say() { printf '%s\n' "$*"; }

refuse() {
    printf 'tongbox: %s\n' "$*" >&2
    exit 1
}

# Run a command, or say it.
run() {
    if [ -n "$dry" ]; then say "  would run: $*"; else "$@"; fi
}

need_root() {
    [ -n "$dry$ROOT" ] || [ "$(id -u)" = 0 ] || refuse "Please type sudo in front: sudo sh $0"
}

# Whether systemd runs here: not in a chroot in which an image is made.
booted() { [ -d "$ROOT/run/systemd/system" ]; }

service() {
    if booted; then run systemctl "$@"; fi
}

# --- what the machine must be ---------------------------------------------------------------------

check_machine() {
    # A 32-bit system may run on a 64-bit kernel, so both are asked.
    case "$(uname -m) $(getconf LONG_BIT)" in
        "aarch64 64" | "x86_64 64") ;;
        *) refuse "Tongbox needs a 64-bit system; this one is 32-bit. Install Raspberry Pi OS (64-bit)." ;;
    esac
    memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB$/\1/p' "$ROOT/proc/meminfo")
    [ "${memory:-0}" -ge "$MEMORY" ] ||
        refuse "Tongbox needs 2 GB of memory; this computer has $((${memory:-0} / 1000)) MB."
    command -v apt-get >/dev/null ||
        refuse "Tongbox installs itself on Raspberry Pi OS and Debian only: apt-get is missing."
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        refuse "Tongbox needs Python 3.11 or newer: Raspberry Pi OS Bookworm or Trixie has it."
}

# shellcheck source=deploy/making.sh
. "$here/making.sh"

# --- which version runs ---------------------------------------------------------------------------

current() { if [ -L "$OPT/current" ]; then basename "$(readlink "$OPT/current")"; fi; }

# Let this version be the one that runs. The link is changed in one step, so that there always is one.
put_in_place() {
    run ln -sfn "versions/$1" "$OPT/next"
    run mv -T "$OPT/next" "$OPT/current"
    run mkdir -p "$(dirname "$UNIT")" "$(dirname "$AVAHI")" "$(dirname "$COMMAND")"
    run cp "$OPT/versions/$1/deploy/tongbox.service" "$UNIT"
    run cp "$OPT/versions/$1/deploy/avahi.service" "$AVAHI"
    run ln -sfn "$OPT/current/venv/bin/tongbox" "$COMMAND"
    service daemon-reload
    service restart tongbox || true # whether it runs is asked below
}

healthy() {
    booted || return 0
    [ -z "$dry" ] || return 0
    tries=0
    while [ "$tries" -lt "$HEALTH_TRIES" ]; do
        "$OPT/current/venv/bin/python" -c '
import http.client
box = http.client.HTTPConnection("127.0.0.1", 80, timeout=5)
box.request("GET", "/health")
raise SystemExit(box.getresponse().status != 200)' 2>/dev/null && return 0
        tries=$((tries + 1))
        sleep 2
    done
    return 1
}

# Copy the log of events, the service being stopped: an older version cannot read a newer one's.
keep_log() {
    [ -e "$DATA/events.sqlite3" ] || return 0
    mkdir -p "$DATA/before-update" && rm -f "$DATA/before-update"/events.sqlite3* &&
        cp -p "$DATA"/events.sqlite3* "$DATA/before-update/"
}

# Put the log of before back, if it has changed; what the newer version wrote is kept beside it.
put_log_back() {
    [ -e "$DATA/before-update/events.sqlite3" ] || return 0
    if [ ! -s "$DATA/events.sqlite3-wal" ] &&
        cmp -s "$DATA/events.sqlite3" "$DATA/before-update/events.sqlite3"; then return 0; fi
    newer=$(mktemp -d "$DATA/before-update/newer.XXXXXX")
    mv "$DATA"/events.sqlite3* "$newer/"
    cp -p "$DATA/before-update"/events.sqlite3* "$DATA/"
    say "What the new version wrote is kept in $newer."
}

# Change to the version just made; change back by itself if that does not answer.
change_version() {
    old=$(current)
    if [ "$old" != "$version" ] && [ -n "$old" ]; then
        service stop tongbox || true
        run keep_log || {
            service start tongbox
            refuse "The hands could not be copied first (is the card full?). The box is as it was."
        }
    fi
    put_in_place "$version"
    if healthy; then
        say "Version $version is in place."
        return
    fi
    if [ -z "$old" ] || [ "$old" = "$version" ]; then
        refuse "The box does not answer. Type: journalctl -u tongbox -n 50"
    fi
    say "Version $version does not answer; going back to $old ..."
    service stop tongbox || true
    put_log_back
    put_in_place "$old"
    healthy || refuse "Version $old does not answer either. Type: journalctl -u tongbox -n 50"
    refuse "The update was taken back; version $old runs again."
}

# Of older versions, the last is kept.
remove_old_versions() {
    for each in "$OPT"/versions/*; do
        case $(basename "$each") in
            "$version" | "${old:-$version}") ;;
            *) if [ -d "$each" ]; then run rm -rf "$each"; fi ;;
        esac
    done
}
