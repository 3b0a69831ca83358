#!/bin/sh
# Install Tongbox as a service on 64-bit Raspberry Pi OS (Bookworm or Trixie) or Debian:
#
#     sudo sh deploy/install.sh [--dry-run]
#
# From a release's bundle it asks no network; from a checkout it fetches what the locks name.
# It may be run again at any time: what is there already is not made again; the box is restarted.

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"

NEEDED="python3-venv python3-numpy avahi-daemon polkitd fontconfig fonts-wqy-microhei"

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

is_offered() { [ -n "$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *[^(]/&/p')" ]; }

# Nothing is fetched: say what this box will lack. Its Python packages are all in the bundle.
do_without() {
    case $1 in *avahi-daemon*) say "This system has no avahi: phones find the box by its address alone." ;; esac
    case $1 in *polkitd*) say "This system has no polkit: the box is switched off by its plug alone." ;; esac
    is_installed python3-picamera2 ||
        say "This system has no python3-picamera2: phones take the photos, ribbon cameras cannot."
}

install_packages() {
    missing=
    for package in $NEEDED; do
        is_installed "$package" || missing="$missing $package"
    done
    if is_bundled; then
        do_without "$missing"
        return
    fi
    if ! is_installed python3-picamera2; then
        [ -z "$missing" ] || run apt-get update -q
        if is_offered python3-picamera2; then
            missing="$missing python3-picamera2"
        else
            say "This system has no python3-picamera2: phones take the photos, ribbon cameras cannot."
        fi
    elif [ -n "$missing" ]; then
        run apt-get update -q
    fi
    [ -z "$missing" ] && return
    # shellcheck disable=SC2086 # a list of names
    DEBIAN_FRONTEND=noninteractive run apt-get install -y -q --no-install-recommends $missing
}

make_user() {
    for group in video render; do # cameras; the unit asks for both
        getent group "$group" >/dev/null || run groupadd --system "$group"
    done
    id tongbox >/dev/null 2>&1 ||
        run useradd --system --user-group --home-dir /var/lib/tongbox --shell /usr/sbin/nologin tongbox
    run install -d -o tongbox -g tongbox -m 0700 "$DATA"
}

# Phones find the box as tongbox.local; the computer keeps its own name for everything else.
name_box() {
    if ! is_installed avahi-daemon || ! grep -q '^#*host-name=' "$AVAHI_SETTINGS" 2>/dev/null; then
        say "The box could not be named tongbox.local; phones find it by its address."
        return
    fi
    local_name="http://tongbox.local/  or "
    if grep -q '^host-name=tongbox$' "$AVAHI_SETTINGS"; then return; fi
    run sed -i 's/^#*host-name=.*/host-name=tongbox/' "$AVAHI_SETTINGS"
    service restart avahi-daemon || true
}

options "$@"
local_name=
need_root
check_machine
check_bundle
install_packages
make_user
take_turn
finish_previous_change
make_version
name_box
change_version
remove_old_versions
say ""
say "Tongbox is installed. Phones on this network open  ${local_name}the address that this prints:"
say "sudo -u tongbox tongbox doctor --data $DATA"
is_booted || say "systemd does not run here; the box starts when this system is booted."
