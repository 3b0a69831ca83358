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

for each in tongbox-first.service tongbox-update.service tongbox-take.path tongbox-take.service tongbox.service; do
    if [ -e "$UNITS/$each" ]; then service disable --now --quiet "$each" || true; fi
done
run rm -f "$UPDATE_UNIT" "$COMMAND"
say "$PLACES" | while read -r _ place; do run rm -f "$place"; done
# What a card from a PC put there (first/begin.sh). That it was done stays known, or it would be done again.
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
