#!/bin/sh
# Remove Tongbox from this computer:
#
#     sudo sh /opt/tongbox/current/deploy/uninstall.sh [--dry-run]
#
# Hands and photographs stay unless you say otherwise. Packages from apt stay, too.

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
# shellcheck source=deploy/lib.sh
. "$here/lib.sh"

options "$@"
need_root

answer=no
if [ -d "$DATA" ]; then
    say "All hands, photos and learnt tiles are in $DATA."
    printf 'Delete them, too? They cannot be brought back. Type yes to delete: '
    read -r answer || answer=no
    say ""
fi

if [ -e "$UPDATE_UNIT" ]; then service disable --now --quiet tongbox-update || true; fi
service disable --now --quiet tongbox || true
run rm -f "$UNIT" "$UPDATE_UNIT" "$AVAHI" "$COMMAND" "$RULES"
# What a card from a PC put there (first/begin.sh); that it was done stays known, so that it is not done again.
if [ -e "$UNITS/tongbox-first.service" ]; then service disable --quiet tongbox-first || true; fi
run rm -f "$UNITS/tongbox-first.service" "$UNITS/userconfig.service.d/tongbox.conf"
service daemon-reload
if grep -q '^host-name=tongbox$' "$AVAHI_SETTINGS" 2>/dev/null; then
    run sed -i 's/^host-name=tongbox$/#host-name=foo/' "$AVAHI_SETTINGS" # as Debian has it
    service restart avahi-daemon || true
fi
if [ -e "$ROOT/etc/tongbox/wifi.toml" ]; then run sh "$here/hotspot.sh" off || true; fi
run rm -rf "$ROOT/etc/tongbox"
run rm -rf "$OPT"
if [ "$answer" = yes ]; then
    run rm -rf "$DATA"
    if id tongbox >/dev/null 2>&1; then run userdel tongbox; fi
    say "Tongbox is removed, and its hands and photos are deleted."
else
    say "Tongbox is removed. Hands and photos stay in $DATA."
fi
