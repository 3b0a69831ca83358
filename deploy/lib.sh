# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # what is set here is used there, and the other way round
# What install.sh, update.sh and uninstall.sh have in common. They set `here`, deploy's own folder.
#
# TONGBOX_ROOT puts a folder in place of / and TONGBOX_PYTHON a program in place of the system's
# Python, and TONGBOX_TRIES is how often the box is asked whether it is well: for the tests.

set -eu
umask 022

ROOT=${TONGBOX_ROOT:-}
PYTHON=${TONGBOX_PYTHON:-/usr/bin/python3}
SOURCE=$(dirname "$here")
# In a release's bundle all that is installed lies beside the program, and no network is asked.
BUNDLE=$(dirname "$SOURCE")
WHEELS=$BUNDLE/wheels
OPT=$ROOT/opt/tongbox
DATA=$ROOT/var/lib/tongbox
UNITS=$ROOT/etc/systemd/system
AVAHI_SETTINGS=$ROOT/etc/avahi/avahi-daemon.conf
COMMAND=$ROOT/usr/local/bin/tongbox
UPDATE_UNIT=$UNITS/tongbox-update.service

# What of deploy/ lies where in the system, besides the updater's own unit.
PLACES="tongbox.service $UNITS/tongbox.service
avahi.service $ROOT/etc/avahi/services/tongbox.service
polkit.rules $ROOT/etc/polkit-1/rules.d/60-tongbox.rules
tongbox-take.service $UNITS/tongbox-take.service
tongbox-take.path $UNITS/tongbox-take.path"

# kB of MemTotal, as device/doctor/machine_checks.py has it: a Raspberry Pi sold with 2 GB has more.
MEMORY=1500000
HEALTH_TRIES=${TONGBOX_TRIES:-30}

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

# One at a time: where a session was lost, what was typed in it may be at work still.
take_turn() {
    [ -z "$dry" ] || return 0
    mkdir -p "$OPT"
    exec 9>"$OPT/lock"
    flock -n 9 || refuse "Another installation or update is at work. Please try again later."
}

# Whether systemd runs here: not in a chroot in which an image is made.
is_booted() { [ -d "$ROOT/run/systemd/system" ]; }

service() {
    if is_booted; then run systemctl "$@"; fi
}

# Whoever waits for it may be gone by then.
service_in_a_minute() {
    if is_booted; then run systemd-run --quiet --on-active=60 systemctl "$@" || true; fi
}

is_bundled() { [ -d "$WHEELS" ]; }

# A card that was pulled out too early, or a copy that was broken off.
check_bundle() {
    is_bundled || return 0
    say "Looking whether all files are whole ..."
    (cd "$BUNDLE" && sha256sum --check --strict --quiet SHA256SUMS) >&2 ||
        refuse "Some of Tongbox's files are damaged or missing. Please copy them again from the zip."
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
# shellcheck source=deploy/changing.sh
. "$here/changing.sh"
